#include "present/tui/draw/summary.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "present/tui/draw/words.h"

namespace airlock::tui {

namespace {

using wizard::Sheet;
using wizard::State;

std::string draft_words(const Sheet& sheet, const Glyphs& glyphs) {
  if (sheet.draft.empty() && sheet.passed > 0 && !sheet.text.empty())
    return "No draft could be kept. This is the text that passed:\n\n" +
           printable_lines(sheet.text) + "\n";
  if (sheet.draft.empty()) return "Nothing was kept.\n";
  const auto hours = kDraftLifeMs / (60 * 60 * 1000);
  const std::string id = shown(sheet.draft, glyphs.charset);
  const std::string name = sheet.name.empty() ? "NAME" : shown(sheet.name, glyphs.charset);
  return fmt::format("The draft {} waits for {} hours. To go on:\n  airlock approve {} --name {}\n",
                     id, hours, id, name);
}

std::string approved_words(const Sheet& sheet, const Glyphs& glyphs) {
  const std::string name = shown(sheet.name, glyphs.charset);
  return fmt::format("{} Approved: {}, version {} ({}, {}/{} paths).\n  airlock extract {} PATHS\n",
                     glyphs.check, name, sheet.approved_version, output_words(sheet.output),
                     sheet.passed, sheet.preview.size(), name);
}

}  // namespace

std::string summary_of(const Sheet& sheet, std::optional<int> signal, const Glyphs& glyphs) {
  if (sheet.state == State::kApproved) return approved_words(sheet, glyphs);
  std::string out;
  if (signal) {
    out = "Interrupted. ";
  } else if (sheet.state == State::kClosed && !sheet.problem.title.empty()) {
    out = fmt::format("{} {}\n", glyphs.cross, shown(sheet.problem.title, glyphs.charset));
  } else {
    out = "Canceled. ";
  }
  return out + draft_words(sheet, glyphs);
}

int exit_code_of(const Sheet& sheet, std::optional<int> signal) {
  if (sheet.state == State::kApproved) return 0;
  return signal ? 128 + *signal : 1;
}

}  // namespace airlock::tui

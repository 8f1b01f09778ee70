#include "present/tui/draw/summary.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "present/tui/draw/words.h"

namespace airlock::tui {

namespace {

using wizard::Phase;
using wizard::WizardState;

std::string draft_words(const WizardState& state, const Glyphs& glyphs) {
  // The screen is gone: a result that could not be stored is printed rather than lost.
  if (state.draft.empty() && state.passed > 0 && !state.text.empty())
    return "No draft could be kept. This is the text that passed:\n\n" +
           printable_lines(state.text) + "\n";
  if (state.draft.empty()) return "Nothing was kept.\n";
  const auto hours = kDraftLifeMs / (60 * 60 * 1000);
  const std::string id = shown(state.draft, glyphs.charset);
  const std::string name = state.name.empty() ? "NAME" : shown(state.name, glyphs.charset);
  return fmt::format("The draft {} waits for {} hours. To go on:\n  airlock approve {} --name {}\n",
                     id, hours, id, name);
}

std::string approved_words(const WizardState& state, const Glyphs& glyphs) {
  const std::string name = shown(state.name, glyphs.charset);
  return fmt::format("{} Approved: {}, version {} ({}, {}/{} paths).\n  airlock extract {} PATHS\n",
                     glyphs.check, name, state.approved_version, output_words(state.output),
                     state.passed, state.preview.size(), name);
}

}  // namespace

std::string summary_of(const WizardState& state, std::optional<int> signal, const Glyphs& glyphs) {
  if (state.phase == Phase::kApproved) return approved_words(state, glyphs);
  std::string out;
  if (signal) {
    out = "Interrupted. ";
  } else if (state.phase == Phase::kClosed && !state.problem.title.empty()) {
    out = fmt::format("{} {}\n", glyphs.cross, shown(state.problem.title, glyphs.charset));
  } else {
    out = "Canceled. ";
  }
  return out + draft_words(state, glyphs);
}

int exit_code_of(const WizardState& state, std::optional<int> signal) {
  if (state.phase == Phase::kApproved) return 0;
  return signal ? 128 + *signal : 1;
}

}  // namespace airlock::tui

#include "present/cli/run_progress.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "present/cli/program.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

std::string name_of(const std::string& id) {
  return id.empty() ? "node" : printable(id);
}

}  // namespace

void RunProgress::begin(const flow::Node& node) {
  if (!is_wanted_ || colour_ == Colour::kNever) return;
  write_to_error_stream(paint("▶", Style::kLabel, colour_) + " " + name_of(node.id) + " …");
  is_line_open_ = true;
}

void RunProgress::leave() {
  if (is_line_open_) write_to_error_stream("\n");
  is_line_open_ = false;
}

void RunProgress::end(const flow::Step& step) {
  if (!is_wanted_) return;
  is_line_open_ = false;
  const bool failed = step.action == "error";
  const std::string erase = colour_ == Colour::kNever ? "" : "\r\x1b[2K";
  write_to_error_stream(
      erase + paint(failed ? "✗" : "✓", failed ? Style::kError : Style::kGood, colour_) + " " +
      name_of(step.id) + "  " + printable(step.action) + "  " +
      (step.was_kept ? "kept" : fmt::format("{:.1f} ms", step.milliseconds)) + "\n");
}

}  // namespace airlock::cli

// What a person sees of a run: a line a step, what it gave or printed below it, the flow's end.
//
//   ✓ load  default  1.2 ms
//     result [1, 2]
//     stdout
//       reading
//   ✗ sum   error  0.3 ms
//     Error: Undefined variable 'x'. …
//
//   Flow: error (2 steps)  run 01kb3f…
//
// A single node has one line without its name, and no last line. All text of nodes goes through
// printable() line by line.
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/run_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using flow::Step;

constexpr std::size_t kMostShown = 2000;  // bytes of one result

std::string duration(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.1f} s", milliseconds / 1000);
  return fmt::format("{:.1f} ms", milliseconds);
}

std::string mark(const Step& step, Colour colour) {
  return step.action == "error" ? paint("✗", Style::kError, colour)
                                : paint("✓", Style::kGood, colour);
}

std::string cut(std::string text) {
  if (text.size() <= kMostShown) return text;
  const std::size_t size = text.size();
  return std::string(text.substr(0, kMostShown)) +
         fmt::format(" … ({} bytes; --format json has all of it)", size);
}

std::string details(const Step& step, Colour colour) {
  std::string out;
  if (!step.error.empty()) out += safe_lines(step.error, "  ");
  if (step.has_result)
    out += "  " + paint("result", Style::kLabel, colour) + " " + printable(cut(step.result)) + "\n";
  if (!step.output.empty())
    out += "  " + paint("stdout", Style::kLabel, colour) + "\n" + safe_lines(step.output, "    ");
  if (!step.error_output.empty())
    out += "  " + paint("stderr", Style::kLabel, colour) + "\n" +
           safe_lines(step.error_output, "    ");
  return out;
}

}  // namespace

std::string safe_lines(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = printable(text.substr(0, end));
    out += line.empty() ? "\n" : std::string(indent) + line + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string run_as_text(const flow::Flow& flow, const flow::FlowReport& report,
                        const RunFacts& facts, Colour colour) {
  std::string out;
  std::size_t widest = 0;
  for (const Step& step : report.trace) widest = std::max(widest, columns_of(step.id));
  for (const Step& step : report.trace) {
    const std::string name =
        flow.is_single_node
            ? ""
            : printable(step.id) + std::string(widest - columns_of(step.id) + 2, ' ');
    out += mark(step, colour) + " " + name + printable(step.action) + "  " +
           paint(step.was_kept ? "kept" : duration(step.milliseconds), Style::kFaint, colour) +
           "\n" + details(step, colour);
  }
  if (!report.error.empty()) out += "\n" + safe_lines(report.error, "");
  if (flow.is_single_node) return out;
  const Style style = report.action == "error" ? Style::kError : Style::kGood;
  out += "\nFlow: " + paint(printable(report.action), style, colour) + " (" +
         counted(report.trace.size(), "step") + ")";
  if (!facts.run_id.empty()) out += paint("  run " + facts.run_id, Style::kFaint, colour);
  return out + "\n";
}

std::string problems_as_text(std::span<const flow::FlowProblem> problems, Colour colour) {
  std::string out;
  for (const flow::FlowProblem& problem : problems) {
    const bool is_error = problem.severity == Severity::kError;
    std::string where = problem.node.empty() ? "" : "node '" + printable(problem.node) + "'";
    if (problem.line > 0)
      where += fmt::format("{}line {}", where.empty() ? "" : ", ", problem.line);
    // The word "error" stands in front already.
    std::string_view text = problem.message;
    if (text.starts_with("Error: ")) text.remove_prefix(7);
    out +=
        paint(is_error ? "error" : "warning", is_error ? Style::kError : Style::kWarning, colour) +
        (where.empty() ? "" : " in " + where) + ": " + safe_lines(text, "  ").substr(2);
  }
  return out;
}

}  // namespace airlock::cli

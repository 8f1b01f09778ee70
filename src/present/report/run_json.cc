// The report of a run as text that is put together from pieces of JSON, not as one parsed value: a
// result keeps its numbers digit for digit, however long they are.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "present/report/json_text.h"
#include "present/report/run_output.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;
using flow::Step;

std::string text(std::string_view value) {
  return json_text(Json(value), -1);
}

// The result is spliced in as it is: its numbers must keep their digits.
std::string entry(const Step& step) {
  return shown_json(flow::entry_json(step));
}

std::string failure(const Step& step) {
  Json out = {{"phase", step.phase}, {"type", step.error_type}, {"line", nullptr}};
  if (step.line > 0) out["line"] = step.line;
  return json_text(out, -1);
}

std::string trace_row(const Step& step) {
  std::string row = fmt::format(R"({{"id": {}, "action": {}, "duration_ms": {:.3f})", text(step.id),
                                text(step.action), step.milliseconds);
  if (!step.phase.empty()) row += ", \"failure\": " + failure(step);
  if (step.was_kept) row += ", \"kept\": true";
  return row + "}";
}

// Of a node that ran more than once, the last; in the order in which they first ran.
std::vector<const Step*> last_steps(const flow::FlowReport& report) {
  std::vector<const Step*> last;
  for (const Step& step : report.trace) {
    const auto found = std::ranges::find(last, step.id, [](const Step* one) { return one->id; });
    if (found == last.end()) {
      last.push_back(&step);
    } else {
      *found = &step;
    }
  }
  return last;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "\n    " : ",\n    ") + part;
  return out + (parts.empty() ? "" : "\n  ");
}

// A node alone has no trace and no steps: its own fields stand at the top.
std::string single(const flow::FlowReport& report) {
  const Step& step = report.trace.at(0);
  std::string out = "{\n  \"action\": " + text(step.action) + ",\n  \"shared\": " + entry(step) +
                    fmt::format(",\n  \"duration_ms\": {:.3f}", step.milliseconds);
  if (!step.phase.empty()) out += ",\n  \"failure\": " + failure(step);
  return out + "\n}\n";
}

// The contract has one text for all errors of a document: "Error: " once, then a line for each.
std::string full_message(std::span<const flow::FlowProblem> problems) {
  std::string out;
  for (const flow::FlowProblem& problem : problems) {
    if (problem.severity != Severity::kError) continue;
    std::string_view words = problem.message;
    if (words.starts_with("Error: ")) words.remove_prefix(7);
    const std::string where = problem.node.empty() ? "" : "Node '" + problem.node + "': ";
    out += (out.empty() ? "Error: " : "\n") + where + std::string(words);
  }
  return out;
}

}  // namespace

std::string run_as_json(const flow::Flow& flow, const flow::FlowReport& report,
                        const RunFacts& facts) {
  if (flow.is_single_node) return single(report);
  std::vector<std::string> entries;
  for (const Step* step : last_steps(report))
    entries.push_back(text(step->id) + ": " + entry(*step));
  // "error" in the shared store belongs to the flow, unless a node has that id.
  const bool has_own_name =
      std::ranges::any_of(report.trace, [](const Step& s) { return s.id == "error"; });
  if (!report.error.empty() && !has_own_name) entries.push_back("\"error\": " + text(report.error));
  std::vector<std::string> rows;
  for (const Step& step : report.trace) rows.push_back(trace_row(step));
  std::string out = "{\n  \"action\": " + text(report.action);
  if (!report.error.empty()) out += ",\n  \"error\": " + text(report.error);
  if (!facts.run_id.empty()) out += ",\n  \"run\": " + text(facts.run_id);
  return out + ",\n  \"shared\": {" + joined(entries) + "},\n  \"trace\": [" + joined(rows) +
         "]\n}\n";
}

std::string problems_as_json(std::span<const flow::FlowProblem> problems) {
  Json list = Json::array();
  bool has_error = false;
  for (const flow::FlowProblem& problem : problems) {
    const bool is_error = problem.severity == Severity::kError;
    has_error |= is_error;
    list.push_back({{"severity", is_error ? "error" : "warning"},
                    {"node", problem.node.empty() ? Json(nullptr) : Json(problem.node)},
                    {"line", problem.line > 0 ? Json(problem.line) : Json(nullptr)},
                    {"message", problem.message}});
  }
  Json out = {{"action", has_error ? "error" : "default"}, {"shared", Json::object()}};
  if (has_error) out["shared"]["error"] = full_message(problems);
  out["trace"] = Json::array();
  out["problems"] = std::move(list);
  return json_text(out, 2) + "\n";
}

}  // namespace airlock::cli

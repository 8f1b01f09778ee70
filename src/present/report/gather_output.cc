// A run of probes for people; the JSON report is probe::report_json, printed as it is.
//
//   ~/repository  task default  run 01kb3f…
//
//     ✓ ran          licences  120 ms  confidence high
//         files  ["LICENSE"]
//     ✗ failed       broken  3 ms
//         ValueError: …
//         | what it printed last
//
//   1 probe with facts, 1 failed
#include "present/report/gather_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/style.h"
#include "present/report/validate_preview.h"
#include "probe/report_json.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kGatherWidth = 100;     // columns of a line
constexpr std::size_t kMostFacts = 8;         // of one probe
constexpr std::size_t kMostPrintedLines = 6;  // of a failed probe's output: the last ones

// Names in the log: programs filter by them.
std::string_view event_of(ExecutionStatus status) {
  switch (status) {
    case ExecutionStatus::kRan:
      return "probe.success";
    case ExecutionStatus::kCacheHit:
      return "probe.cache_hit";
    case ExecutionStatus::kSkipped:
      return "probe.skip";
    case ExecutionStatus::kFailed:
      break;
  }
  return "probe.failure";
}

// All of one width, so that the names of probes stand below each other.
std::string mark_of(ExecutionStatus status, Colour colour) {
  switch (status) {
    case ExecutionStatus::kRan:
      return paint("✓ ran      ", Style::kGood, colour);
    case ExecutionStatus::kCacheHit:
      return paint("✓ cache hit", Style::kGood, colour);
    case ExecutionStatus::kSkipped:
      return paint("· skipped  ", Style::kFaint, colour);
    case ExecutionStatus::kFailed:
      break;
  }
  return paint("✗ failed   ", Style::kError, colour);
}

// Nothing to see in it.
bool is_bare(const Json& value) {
  return value.is_null() || value == false || (value.is_structured() && value.empty());
}

std::string fact_line(std::string_view key, const Json& value, Colour colour) {
  constexpr std::size_t kLongestKey = 40;
  const std::string name = fitted(key, kLongestKey);
  // Six columns of indent before the name, two between name and value.
  const std::size_t room = kGatherWidth - 6 - columns_of(name) - 2;
  return "      " + paint(name, Style::kLabel, colour) + "  " +
         preview(json_text(value, -1), room) + "\n";
}

// For people, a look at the slice: what is empty or false is left out, the rest is cut to one line
// each. The whole is in the JSON report.
std::string facts(const probe::Execution& execution, const Json& document, Colour colour) {
  if (!document.is_object()) return {};
  const Json slice = document.value("schema_slice", Json::object());
  std::string out;
  std::size_t shown = 0;
  std::size_t hidden = 0;
  for (const auto& [key, value] : slice.items()) {
    if (is_bare(value)) continue;
    if (shown++ < kMostFacts) {
      out += fact_line(key, value, colour);
    } else {
      ++hidden;
    }
  }
  if (hidden > 0) out += fmt::format("      … and {} more\n", hidden);
  for (const char* list : {"warnings", "errors"}) {
    if (execution.record.status == ExecutionStatus::kFailed) break;  // its errors are the reason
    for (const Json& one : document.value(list, Json::array()))
      out +=
          "      " +
          paint(list == std::string_view("errors") ? "error" : "warning", Style::kWarning, colour) +
          "  " + fitted(one.is_string() ? one.get<std::string>() : "", kGatherWidth - 16) + "\n";
  }
  return out;
}

std::string reason_lines(const probe::Execution& execution, const Json& document, Colour colour) {
  std::string out;
  if (execution.record.reason)
    out += "      " + wrap(printable(*execution.record.reason), kGatherWidth - 6, 6) + "\n";
  if (execution.record.status != ExecutionStatus::kFailed) return out;
  const Json errors = document.is_object() ? document.value("errors", Json::array()) : Json();
  // The first error is the reason, which was printed above.
  for (std::size_t i = 1; i < errors.size() && i <= kMostFacts; ++i)
    out += "      " +
           fitted(errors[i].is_string() ? errors[i].get<std::string>() : "", kGatherWidth - 6) +
           "\n";
  std::string_view printed = execution.printed;
  while (printed.ends_with('\n')) printed.remove_suffix(1);
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; !printed.empty() && from <= printed.size();) {
    const std::size_t end = std::min(printed.find('\n', from), printed.size());
    lines.push_back(printed.substr(from, end - from));
    from = end + 1;
  }
  const std::size_t first = lines.size() > kMostPrintedLines ? lines.size() - kMostPrintedLines : 0;
  for (std::size_t i = first; i < lines.size(); ++i)
    out += paint("      | ", Style::kFaint, colour) + fitted(lines[i], kGatherWidth - 8) + "\n";
  return out;
}

std::string summary(const probe::GatherReport& report) {
  std::size_t outputs = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  for (const probe::Execution& one : report.executions) {
    if (one.record.status == ExecutionStatus::kFailed) ++failed;
    if (one.record.status == ExecutionStatus::kSkipped) ++skipped;
    if (one.record.status == ExecutionStatus::kRan ||
        one.record.status == ExecutionStatus::kCacheHit)
      ++outputs;
  }
  std::string text = fmt::format("{} with facts", counted(outputs, "probe"));
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (skipped > 0) text += fmt::format(", {} skipped", skipped);
  return text;
}

}  // namespace

std::string gather_as_json(const probe::GatherReport& report) {
  return shown_json(probe::report_json(report, probe::ReportLayout::kLines));
}

std::string gather_as_text(const probe::GatherReport& report, Colour colour) {
  std::string out =
      paint(printable(report.repository), Style::kHeading, colour) + "  " +
      paint("task " + printable(report.task) + "  run " + report.run_id, Style::kFaint, colour) +
      "\n\n";
  for (const probe::Execution& one : report.executions) {
    std::string tail = fmt::format("{} ms", one.record.duration_ms);
    if (one.record.status == ExecutionStatus::kSkipped) tail.clear();
    if (!one.confidence.empty()) tail += "  confidence " + printable(one.confidence);
    if (!one.record.findings.empty())
      tail += "  " + counted(one.record.findings.size(), "secret") + " redacted";
    out += "  " + mark_of(one.record.status, colour) + "  " +
           paint(printable(one.record.probe), Style::kPlace, colour) + "  " +
           paint(tail, Style::kFaint, colour) + "\n";
    // Parsed once for both parts below; an execution without an output gives a value that is no
    // object.
    const Json document = read_ordered_json<Json>(one.output);
    out += reason_lines(one, document, colour) + facts(one, document, colour);
  }
  out += "\n" + summary(report);
  if (report.artifacts > 0) out += ", " + counted(report.artifacts, "artifact");
  return out + "\n";
}

std::string gather_log_line(const std::string& run, const probe::Execution& execution) {
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const ExecutionRecord& record = execution.record;
  Json line = {{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                                    fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
                                    now.time_since_epoch().count() % 1000)},
               {"event", event_of(record.status)},
               {"run_id", run},
               {"probe", record.probe},
               {"duration_ms", record.duration_ms},
               {"key", text_or_null(record.key)}};
  if (!execution.confidence.empty()) line["confidence"] = execution.confidence;
  if (record.reason) line["reason"] = *record.reason;
  for (const RecordedSecret& finding : record.findings)
    line["findings"].push_back(
        {{"fingerprint", finding.fingerprint}, {"pattern", finding.pattern}});
  return json_text(line, -1) + "\n";
}

}  // namespace airlock::cli

// Recorded runs: a line a run, or one run with a line an execution and the secrets that were
// redacted in it. A run without an end still goes on, or its process was killed; nobody can tell
// which.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utc_time.h"
#include "present/report/json_text.h"
#include "present/report/records_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

// In the order in which summaries name them.
constexpr std::array kStatuses = {ExecutionStatus::kRan, ExecutionStatus::kCacheHit,
                                  ExecutionStatus::kSkipped, ExecutionStatus::kFailed};

std::ptrdiff_t count(const RunRecord& run, ExecutionStatus status) {
  return std::ranges::count(run.executions, status, &ExecutionRecord::status);
}

std::string words_of(ExecutionStatus status) {
  return status == ExecutionStatus::kCacheHit ? "cache hit" : std::string(to_string(status));
}

Style style_of_status(ExecutionStatus status) {
  switch (status) {
    case ExecutionStatus::kRan:
    case ExecutionStatus::kCacheHit:
      return Style::kGood;
    case ExecutionStatus::kSkipped:
      return Style::kFaint;
    case ExecutionStatus::kFailed:
      return Style::kError;
  }
  return Style::kError;
}

// "3 ran, 1 failed".
std::string summary(const RunRecord& run) {
  std::string out;
  for (const ExecutionStatus status : kStatuses) {
    const auto number = count(run, status);
    if (number == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number, words_of(status));
  }
  return out.empty() ? "nothing ran" : out;
}

Json head_as_json(const RunRecord& run) {
  return {{"run_id", run.id},
          {"started", utc_for_programs(run.started)},
          {"finished", run.finished ? Json(utc_for_programs(*run.finished)) : Json(nullptr)},
          {"repository", run.repository},
          {"task", run.task}};
}

Json execution_as_json(const ExecutionRecord& execution) {
  Json findings = Json::array();
  for (const RecordedSecret& finding : execution.findings)
    findings.push_back({{"fingerprint", finding.fingerprint}, {"pattern", finding.pattern}});
  return {{"status", to_string(execution.status)},
          {"key", text_or_null(execution.key)},
          {"reason", text_or_null(execution.reason)},
          {"duration_ms", execution.duration_ms},
          {"findings", std::move(findings)}};
}

}  // namespace

std::string runs_as_text(std::span<const RunRecord> runs, Colour colour) {
  if (runs.empty()) return "no run was recorded yet\n";
  std::string out;
  for (const RunRecord& run : runs) {
    out += paint(printable(run.id), Style::kLabel, colour) + "  " + utc_for_people(run.started) +
           "  " + printable(run.repository) + "  " + printable(run.task) + ": " + summary(run) +
           (run.finished ? "" : paint(" (unfinished)", Style::kWarning, colour)) + "\n";
  }
  return out;
}

std::string runs_as_json(std::span<const RunRecord> runs) {
  Json list = Json::array();
  for (const RunRecord& run : runs) {
    Json one = head_as_json(run);
    for (const ExecutionStatus status : kStatuses)
      one["counts"][std::string(to_string(status))] = count(run, status);
    list.push_back(std::move(one));
  }
  return json_text({{"runs", std::move(list)}}, 2) + "\n";
}

std::string run_as_text(const RunRecord& run, Colour colour) {
  std::string out =
      paint(printable(run.id), Style::kLabel, colour) + "\n" + "repository  " +
      printable(run.repository) + "\n" + "task        " + printable(run.task) + "\n" +
      "started     " + utc_for_people(run.started) + " UTC\n" + "finished    " +
      (run.finished ? utc_for_people(*run.finished) + " UTC"
                    : paint("no: it still runs, or was killed", Style::kWarning, colour)) +
      "\n\n";
  std::size_t widest = 0;
  for (const ExecutionRecord& execution : run.executions)
    widest = std::max(widest, columns_of(execution.probe));
  for (const ExecutionRecord& execution : run.executions) {
    out += printable(execution.probe) + std::string(widest - columns_of(execution.probe) + 2, ' ') +
           paint(fmt::format("{:<9}", words_of(execution.status)),
                 style_of_status(execution.status), colour) +
           fmt::format("  {} ms", execution.duration_ms);
    if (execution.reason) out += "  " + printable(*execution.reason);
    out += "\n";
    for (const RecordedSecret& finding : execution.findings) {
      out += std::string(widest + 2, ' ') + "redacted " + printable(finding.pattern) +
             paint(" " + printable(finding.fingerprint), Style::kFaint, colour) + "\n";
    }
  }
  return out + (run.executions.empty() ? "" : "\n") + summary(run) + "\n";
}

std::string run_as_json(const RunRecord& run) {
  Json out = head_as_json(run);
  out["executions"] = Json::object();
  for (const ExecutionRecord& execution : run.executions)
    out["executions"][execution.probe] = execution_as_json(execution);
  return json_text(out, 2) + "\n";
}

}  // namespace airlock::cli

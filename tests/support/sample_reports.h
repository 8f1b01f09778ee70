// Reports for the tests of the presenters, short enough to be read in the test that uses them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/check_report.h"
#include "model/rule.h"
#include "present/report/check_writer.h"

namespace airlock::cli {

inline Finding found(RuleCode code, Place place, std::string item, std::string message,
                     std::string suggestion = "") {
  const Rule& row = rule(code);
  return {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)};
}

// A file that is its own cleaning. Refused when one of its findings is an error.
inline CheckedFile checked(std::string name, std::string code, std::vector<Finding> findings = {}) {
  CheckedFile file;
  file.file = std::move(name);
  file.sha256 = std::string(64, 'a');
  file.raw = code;
  file.verdict.code = std::move(code);
  file.verdict.decision = Decision::kAccepted;
  file.verdict.stage = Stage::kComplete;
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::kError) continue;
    file.verdict.decision = Decision::kRefused;
    file.verdict.stage = finding.rule->stage;
  }
  file.verdict.findings = std::move(findings);
  return file;
}

inline CheckReport report_of(std::vector<CheckedFile> files) {
  return {"extractor", std::move(files)};
}

inline std::string check_as_json(const CheckReport& report) {
  return written_by(*make_json_writer(report.policy), report);
}

inline std::string check_as_sarif(const CheckReport& report) {
  return written_by(*make_sarif_writer(report.policy), report);
}

inline std::string check_as_github(const CheckReport& report) {
  return written_by(*make_github_writer(), report);
}

inline constexpr std::uint32_t kHuge = 4294967295U;

// One finding for every place that a broken or hostile vetter could name.
inline std::vector<Finding> findings_at_impossible_places() {
  std::vector<Finding> findings;
  for (const std::uint32_t line : {0U, 1U, 2U, 3U, 4U, kHuge}) {
    for (const std::uint32_t column : {0U, 1U, 2U, 3U, 99U, kHuge}) {
      for (const std::uint32_t end_line : {0U, 2U, kHuge}) {
        for (const std::uint32_t end_column : {0U, 2U, kHuge}) {
          findings.push_back(found(RuleCode::kForbiddenBuiltin,
                                   {line, column, end_line, end_column}, "eval", "No eval"));
        }
      }
    }
  }
  return findings;
}

}  // namespace airlock::cli

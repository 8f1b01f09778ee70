// The contract's document, one file a line, so that it is one JSON document and can still be read
// with grep:
//   {"version": …, "policy": …, "files": [
//   {"file": …, "sha256": …, "verdict": …, "stage": …, "findings": […]},
//   …
//   ]}
// `line` and `column` are CPython's, in the cleaned code, as they came; `raw_line` and `raw_column`
// count the same way in the file on disk. Each file is written out as soon as it is made, so
// thousands of files never stand in memory as trees.
#include <nlohmann/json.hpp>

#include "model/rule.h"
#include "present/cli/check_json_text.h"
#include "present/cli/check_output.h"
#include "present/cli/check_place.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

Json finding_as_json(const CheckedFile& file, const Finding& finding) {
  const Place raw = place_on_disk(file, finding.place);
  Json out = Json::object();
  out["rule"] = finding.rule->name;
  out["stage"] = to_string(finding.rule->stage);
  out["severity"] = to_string(finding.severity);
  out["kind"] = finding.rule->kind;
  out["item"] = finding.item;
  out["line"] = finding.place.line;
  out["column"] = finding.place.column;
  out["end_line"] = finding.place.end_line;
  out["end_column"] = finding.place.end_column;
  out["raw_line"] = raw.line;
  out["raw_column"] = raw.column;
  out["message"] = finding.message;
  out["suggestion"] = finding.suggestion.empty() ? Json(nullptr) : Json(finding.suggestion);
  return out;
}

Json file_as_json(const CheckedFile& file) {
  Json findings = Json::array();
  for (const Finding& finding : file.verdict.findings) {
    findings.push_back(finding_as_json(file, finding));
  }
  Json out = Json::object();
  out["file"] = file.file;
  out["sha256"] = file.sha256;
  out["verdict"] = file.verdict.decision == Decision::kAccepted ? "accepted" : "refused";
  out["stage"] = to_string(file.verdict.stage);
  out["findings"] = std::move(findings);
  return out;
}

}  // namespace

std::string check_as_json(const CheckReport& report) {
  std::string out = "{\"version\":" + json_text(AIRLOCK_VERSION, -1) +
                    ",\"policy\":" + json_text(report.policy, -1) + ",\"files\":[";
  std::string_view separator = "\n";
  for (const CheckedFile& file : report.files) {
    out += separator;
    out += json_text(file_as_json(file), -1);
    separator = ",\n";
  }
  out += report.files.empty() ? "]}\n" : "\n]}\n";
  return out;
}

}  // namespace airlock::cli

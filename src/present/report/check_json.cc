// The contract's document, one file a line, so that it is one JSON document and can still be read
// with grep:
//   {"version": …, "policy": …, "files": [
//   {"file": …, "sha256": …, "verdict": …, "stage": …, "cleaned": …, "code": …, "findings": […]},
//   …
//   ]}
// `line` and `column` are CPython's, in the cleaned code, as they came; `raw_line` and `raw_column`
// count the same way in the file on disk. `code` is what was judged, "" when no code could be read;
// `cleaned` says whether anything but a byte-order mark and line ends differs from the file.
#include <nlohmann/json.hpp>

#include "engine/load/vet_source.h"
#include "model/rule.h"
#include "present/report/check_place.h"
#include "present/report/check_writer.h"
#include "present/report/json_text.h"

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
  out["cleaned"] = was_cleaned(file.raw, file.verdict.code);
  out["code"] = file.verdict.code;
  out["findings"] = std::move(findings);
  return out;
}

}  // namespace

std::string checked_file_as_json(const CheckedFile& file) {
  return json_text(file_as_json(file), -1);
}

namespace {

class JsonWriter : public CheckWriter {
 public:
  explicit JsonWriter(std::string_view policy) : policy_(policy) {}

  std::string file(const CheckedFile& file) override {
    std::string out = is_begun_ ? ",\n" : head() + "\n";
    is_begun_ = true;
    return out += checked_file_as_json(file);
  }
  // Without any file the array is empty, on one line.
  std::string end() override { return is_begun_ ? "\n]}\n" : head() + "]}\n"; }

 private:
  std::string head() const {
    return "{\"version\":" + json_text(AIRLOCK_VERSION, -1) +
           ",\"policy\":" + json_text(policy_, -1) + ",\"files\":[";
  }

  std::string policy_;
  bool is_begun_ = false;
};

}  // namespace

std::unique_ptr<CheckWriter> make_json_writer(std::string_view policy) {
  return std::make_unique<JsonWriter>(policy);
}

}  // namespace airlock::cli

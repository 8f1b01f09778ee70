// The contract's document of `airlock validate`. A guest's result is put in as the text it came as
// (checked to be JSON), so that an integer of thirty digits keeps all of them.
#include <nlohmann/json.hpp>

#include "model/rule.h"
#include "model/source_line.h"
#include "present/cli/check_json_text.h"
#include "present/cli/validate_output.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string field(std::string_view name, const Json& value) {
  return "\"" + std::string(name) + "\":" + json_text(value, -1);
}

std::string sample_as_json(const SampleResult& one, const std::string& code) {
  std::string out =
      "{" + field("success", one.success) + "," + field("path", one.path) + ",\"result\":";
  out += one.success ? escape_json(one.result) : "null";
  out +=
      "," + field("error", or_null(one.error)) + "," + field("error_type", or_null(one.error_type));
  out += "," + field("error_line", one.error_line > 0 ? Json(one.error_line) : Json(nullptr));
  Json trace = Json::array();
  for (const TraceLine& line : one.trace)
    trace.push_back({{"line", line.line},
                     {"function", line.function},
                     {"source", std::string(source_line(code, line.line))}});
  out += "," + field("traceback", trace);
  out += "," + field("stdout", one.output) + "," + field("stderr", one.error_output);
  out += "," + field("execution_time_ms", one.milliseconds) + "}";
  return out;
}

Json finding_as_json(const Finding& finding) {
  return {{"rule", finding.rule->name},
          {"stage", to_string(finding.rule->stage)},
          {"severity", to_string(finding.severity)},
          {"kind", finding.rule->kind},
          {"item", finding.item},
          {"line", finding.place.line},
          {"column", finding.place.column},
          {"end_line", finding.place.end_line},
          {"end_column", finding.place.end_column},
          {"message", finding.message},
          {"suggestion", or_null(finding.suggestion)}};
}

std::string results_as_json(const Validation& validation) {
  if (!validation.has_results) return "null";
  std::size_t passed = 0;
  std::string list;
  for (const SampleResult& one : validation.results) {
    passed += one.success ? 1 : 0;
    if (!list.empty()) list += ",";
    list += "\n" + sample_as_json(one, validation.verdict.code);
  }
  return "{" + field("passed", passed) + "," + field("failed", validation.results.size() - passed) +
         ",\"results\":[" + list + "]}";
}

}  // namespace

std::string validation_as_json(const Validation& validation) {
  Json findings = Json::array();
  for (const Finding& one : validation.verdict.findings) findings.push_back(finding_as_json(one));
  std::string out = "{" + field("valid", validation.valid) + "," +
                    field("stage_reached", to_string(validation.stage_reached));
  out += "," + field("retry_context",
                     validation.retry_context ? Json(*validation.retry_context) : Json(nullptr));
  out += ",\n\"test_results\":" + results_as_json(validation);
  out += ",\n" + field("quality_warnings", validation.quality_warnings) + "," +
         field("findings", findings);
  out += ",\n" + field("code", validation.verdict.code) + "," + field("sha256", validation.sha256);
  out += ",\n" + field("walls", validation.walls) + "," +
         field("elapsed_ms", validation.elapsed_ms) + "}\n";
  return out;
}

}  // namespace airlock::cli

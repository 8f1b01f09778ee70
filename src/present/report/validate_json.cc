// The contract's document of `airlock validate`. A guest's result is put in as the text it came as
// (checked to be JSON), so that an integer of thirty digits keeps all of them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "model/rule.h"
#include "model/source_line.h"
#include "present/report/json_text.h"
#include "present/report/validate_output.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// All of it goes to the end of one text: results can be large, and each text in between would be a
// copy of them.
void add_field(std::string& out, std::string_view name, const Json& value) {
  out += '"';
  out += name;
  out += "\":";
  out += json_text(value, -1);
}

void add_sample(std::string& out, const SampleResult& one, const std::string& code) {
  add_field(out += "{", "success", one.success);
  add_field(out += ",", "path", one.path);
  out += ",\"result\":";
  out += one.success ? shown_json(one.result) : "null";
  add_field(out += ",", "error", or_null(one.error));
  add_field(out += ",", "error_type", or_null(one.error_type));
  add_field(out += ",", "error_line", one.error_line > 0 ? Json(one.error_line) : Json(nullptr));
  Json trace = Json::array();
  for (const TraceLine& line : one.trace)
    trace.push_back({{"line", line.line},
                     {"function", line.function},
                     {"source", std::string(source_line(code, line.line))}});
  add_field(out += ",", "traceback", trace);
  add_field(out += ",", "stdout", one.output);
  add_field(out += ",", "stderr", one.error_output);
  add_field(out += ",", "execution_time_ms", one.milliseconds);
  out += "}";
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

// null when the sandbox stage was not reached: no results is not the same as no samples passed.
void add_results(std::string& out, const Validation& validation) {
  const std::vector<SampleResult>& results = validation.results;
  if (!validation.has_results) {
    out += "null";
    return;
  }
  const auto passed =
      static_cast<std::size_t>(std::ranges::count_if(results, &SampleResult::success));
  add_field(out += "{", "passed", passed);
  add_field(out += ",", "failed", results.size() - passed);
  out += ",\"results\":[";
  for (const SampleResult& one : results)
    add_sample(out += &one == results.data() ? "\n" : ",\n", one, validation.verdict.code);
  out += "]}";
}

// About as much as the document will have, so that it does not grow by being copied.
std::size_t likely_size(const Validation& validation) {
  std::size_t size = 4096 + 2 * validation.verdict.code.size();
  for (const SampleResult& one : validation.results)
    size += 512 + one.path.size() + one.result.size() + one.output.size() + one.error_output.size();
  return size + size / 16;
}

}  // namespace

std::string validation_as_json(const Validation& validation) {
  Json findings = Json::array();
  for (const Finding& one : validation.verdict.findings) findings.push_back(finding_as_json(one));
  std::string out;
  out.reserve(likely_size(validation));
  add_field(out += "{", "valid", validation.valid);
  add_field(out += ",", "stage_reached", to_string(validation.stage_reached));
  add_field(out += ",", "retry_context",
            validation.retry_context ? Json(*validation.retry_context) : Json(nullptr));
  out += ",\n\"test_results\":";
  add_results(out, validation);
  add_field(out += ",\n", "quality_warnings", validation.quality_warnings);
  add_field(out += ",", "findings", findings);
  add_field(out += ",\n", "code", validation.verdict.code);
  add_field(out += ",", "sha256", validation.sha256);
  add_field(out += ",\n", "walls", validation.walls);
  add_field(out += ",", "elapsed_ms", validation.elapsed_ms);
  out += "}\n";
  return out;
}

}  // namespace airlock::cli

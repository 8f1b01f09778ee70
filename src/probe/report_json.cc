#include "probe/report_json.h"

#include <nlohmann/json.hpp>

namespace airlock::probe {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value, ReportLayout layout) {
  return value.dump(layout == ReportLayout::kLines ? 2 : -1, ' ', false,
                    Json::error_handler_t::replace);
}

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

Json executions_of(const GatherReport& report) {
  Json executions = Json::object();
  for (const Execution& one : report.executions)
    executions[one.record.probe] = {{"status", to_string(one.record.status)},
                                    {"key", text_or_null(one.record.key)},
                                    {"reason", text_or_null(one.record.reason)},
                                    {"duration_ms", one.record.duration_ms}};
  return executions;
}

}  // namespace

// The outputs are pasted in as text: parsing megabytes of JSON to print them again would cost more
// than the rest of the report.
std::string report_json(const GatherReport& report, ReportLayout layout) {
  const bool has_lines = layout == ReportLayout::kLines;
  std::string outputs;
  for (const Execution& one : report.executions) {
    if (one.output.empty()) continue;
    outputs += std::string(outputs.empty() ? "" : ",") + (has_lines ? "\n    " : "") +
               dump(one.record.probe, ReportLayout::kOneLine) + (has_lines ? ": " : ":") +
               one.output;
  }
  if (has_lines && !outputs.empty()) outputs += "\n  ";
  std::string text =
      dump({{"run_id", report.run_id}, {"executions", executions_of(report)}}, layout);
  text.resize(text.size() - (has_lines ? 2 : 1));  // the last brace goes behind the outputs
  return text + (has_lines ? ",\n  \"outputs\": {" : ",\"outputs\":{") + outputs +
         (has_lines ? "}\n}\n" : "}}");
}

}  // namespace airlock::probe

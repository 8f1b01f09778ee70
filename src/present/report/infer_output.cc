#include "present/report/infer_output.h"

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "present/report/json_text.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

Json field_as_json(const rules::InferredField& field) {
  Json examples = Json::array();
  for (const std::string& one : field.examples) examples.push_back(printable(one));
  Json json = {{"name", field.name},
               {"from", field.from},
               {"type", std::string(name_of(field.type))},
               {"class", std::string(name_of(field.what))},
               {"distinct", field.distinct},
               {"examples", examples}};
  if (!field.pattern.empty()) json["pattern"] = field.pattern;
  if (!field.format.empty()) json["format"] = field.format;
  if (!field.evidence.empty()) json["evidence"] = field.evidence;
  return json;
}

Json share(std::uint64_t matched, std::uint64_t paths) {
  const double rate = paths == 0 ? 0 : static_cast<double>(matched) / static_cast<double>(paths);
  return {{"paths", paths}, {"matched", matched}, {"rate", rate}};
}

}  // namespace

std::string inference_as_json(const InferReport& report) {
  Json rules = Json::array();
  for (const RuleCoverage& one : report.rules) {
    Json fields = Json::array();
    for (const rules::InferredField& field : one.rule.fields)
      fields.push_back(field_as_json(field));
    rules.push_back({{"name", one.rule.name},
                     {"glob", one.rule.glob},
                     {"matched", one.matched},
                     {"fields", fields}});
  }
  Json unexplained = Json::array();
  for (const std::string& path : report.unexplained) unexplained.push_back(printable(path));
  const Json json = {
      {"paths", report.paths},
      {"sampled", report.sampled},
      {"confidence", report.confidence},
      {"coverage", share(report.matched, report.checked)},
      {"held_out", share(report.held_out_matched, report.held_out)},
      {"template", report.template_title.empty() ? Json() : Json(report.template_title)},
      {"output", report.choice.kind == OutputChoice::Kind::kYaml ? "yaml" : "python"},
      {"reasons", report.choice.reasons},
      {"evidence", report.evidence},
      {"notes", report.notes},
      {"rules", rules},
      {"unexplained", unexplained},
      {"yaml", report.yaml}};
  return json_page(json);
}

std::string inferred_rule_as_json(const InferReport& report) {
  Json fields = Json::array();
  for (const RuleCoverage& one : report.rules) {
    for (const rules::InferredField& field : one.rule.fields) {
      Json json = {{"rule", one.rule.name}};
      json.update(field_as_json(field));
      fields.push_back(std::move(json));
    }
  }
  return json_text(
      {{"yaml", report.yaml}, {"confidence", report.confidence}, {"fields", std::move(fields)}},
      -1);
}

}  // namespace airlock::cli

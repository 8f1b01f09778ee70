#include "present/report/schema_output.h"

#include "present/report/json_text.h"

namespace airlock::cli {

std::string schema_as_json(const Schema& schema, SaidBy said_by) {
  auto columns = nlohmann::ordered_json::array();
  for (const Column& one : schema.columns)
    columns.push_back({{"name", one.name},
                       {"field", one.field},
                       {"type", name_of(one.type)},
                       {"nullable", one.nullable}});
  nlohmann::ordered_json json{{"said_by", said_by == SaidBy::kRules ? "rules" : "rows"},
                              {"columns", std::move(columns)}};
  if (schema.left_out > 0) json["columns_left_out"] = schema.left_out;
  return json_text(json, -1);
}

}  // namespace airlock::cli

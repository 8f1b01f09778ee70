#include "present/report/json_text.h"

#include "base/json_writer.h"

namespace airlock::cli {

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return shown_json(
      value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string json_page(const nlohmann::ordered_json& value) {
  return json_text(value, 2) + "\n";
}

std::string on_one_line(std::string json) {
  std::erase(json, '\n');
  return json;
}

nlohmann::ordered_json text_or_null(const std::optional<std::string>& text) {
  return text ? nlohmann::ordered_json(*text) : nlohmann::ordered_json(nullptr);
}

}  // namespace airlock::cli

#include "engine/bulk/rows.h"

#include "base/json_writer.h"

namespace airlock {

void append_row(std::string& out, std::string_view path, std::string_view data) {
  out += R"({"path": )";
  append_json_string(out, path);
  out += R"(, "ok": true, "data": )";
  // The data is JSON already; this only escapes what a terminal would obey.
  append_shown_json(out, data);
  out += "}\n";
}

void append_failed_row(std::string& out, std::string_view path, std::string_view type,
                       std::string_view message) {
  out += R"({"path": )";
  append_json_string(out, path);
  out += R"(, "ok": false, "error": {"type": )";
  append_json_string(out, type);
  out += R"(, "message": )";
  append_json_string(out, message);
  out += "}}\n";
}

}  // namespace airlock

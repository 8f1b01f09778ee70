#include "present/mcp/tool.h"

#include "base/json_writer.h"
#include "present/report/json_text.h"

namespace airlock::mcp {

namespace {

void add_hint(std::string& out, std::string_view name, bool value) {
  out += ",\"";
  out += name;
  out += value ? "\":true" : "\":false";
}

void add_tool(std::string& out, const Tool& tool) {
  out += "{\"name\":" + json_string(tool.name) + ",\"title\":" + json_string(tool.title) +
         ",\"description\":" + json_string(tool.description) +
         ",\"inputSchema\":" + cli::on_one_line(std::string(tool.input_schema)) +
         ",\"outputSchema\":" + cli::on_one_line(tool.output_schema()) +
         ",\"annotations\":{\"title\":" + json_string(tool.title);
  add_hint(out, "readOnlyHint", tool.effects.is_read_only);
  add_hint(out, "destructiveHint", tool.effects.is_destructive);
  add_hint(out, "idempotentHint", tool.effects.is_idempotent);
  add_hint(out, "openWorldHint", false);
  out += "}}";
}

void add_text(std::string& out, std::string_view text) {
  if (out.back() != '[') out += ',';
  out += R"({"type":"text","text":)";
  append_json_string(out, text);
  out += '}';
}

std::string words_for(const Error& error) {
  if (error.kind == ErrorKind::kIsolation)
    return "Nothing was run: this host cannot give the isolation that is needed. Reason: " +
           error.message + "\nFix: a person runs `airlock doctor` where this server is started.";
  if (error.kind == ErrorKind::kRefused)
    return "Refused: " + error.message + "\nFix: change what the reason names, and call again.";
  return "The call was wrong, and nothing was run: " + error.message +
         "\nFix: correct the arguments as the input schema says, and call again.";
}

}  // namespace

std::string tools_as_json(std::span<const Tool> tools) {
  std::string out = "\"tools\":[";
  for (const Tool& tool : tools) {
    if (&tool != tools.data()) out += ',';
    add_tool(out, tool);
  }
  return out + "]";
}

std::string call_as_json(const ToolResult& result) {
  std::string out = "\"content\":[";
  out.reserve(2 * result.structured.size() + 1024);
  add_text(out, result.copy.empty() ? result.structured : result.copy);
  for (const std::string& text : result.more) add_text(out, text);
  for (const std::string& one : result.other_content) out += "," + one;
  out += "],\"structuredContent\":";
  out += result.structured;
  out += result.is_error ? ",\"isError\":true" : ",\"isError\":false";
  return out;
}

std::string failed_call_as_json(const Error& error) {
  std::string out = "\"content\":[";
  add_text(out, words_for(error));
  return out + "],\"isError\":true";
}

}  // namespace airlock::mcp

#include "present/http/openapi.h"

#include <array>
#include <string_view>

#include "base/json_writer.h"
#include "present/mcp/tool_schemas.h"

namespace airlock::http {

namespace {

namespace schemas = mcp::schemas;

constexpr std::string_view kPieceIn = R"({"type":"object","properties":{
"code":{"type":"string","description":"Python 3.11. The value of a last expression is the piece's value; await may stand at top level."},
"inputs":{"type":"object","description":"Names and their JSON values; they stay in the session."},
"timeout":{"type":"number","minimum":0.001,"maximum":86400,"description":"Seconds for this piece; 5 unless given, or what the session has."}
},"required":["code"],"additionalProperties":false})";

constexpr std::string_view kRunAloneIn = R"({"type":"object","properties":{
"code":{"type":"string"},"inputs":{"type":"object"},
"timeout":{"type":"number","minimum":0.001,"maximum":86400},
"memory_mb":{"type":"number","minimum":1,"maximum":4000},
"policy":{"type":"string"},
"files":{"type":"object","additionalProperties":{"type":"string"},"maxProperties":64,"description":"Files to read: name in /data, and its path below a folder of the server's --allow-root."}
},"required":["code"],"additionalProperties":false})";

constexpr std::string_view kSessionIn = R"({"type":"object","properties":{
"policy":{"type":"string","description":"One of the server's that can hold a session; 'node' unless given."},
"packages":{"type":"array","items":{"type":"string"},"description":"Among those that the server was started with; they are imported either way."},
"timeout":{"type":"number","minimum":0.001,"maximum":86400,"description":"Seconds for each piece; 5 unless given."},
"memory_mb":{"type":"number","minimum":1,"maximum":4000,"description":"Megabytes that the session may add; 256 unless given."},
"files":{"type":"object","additionalProperties":{"type":"string"},"maxProperties":64,"description":"Files to read: name in /data, and its path below a folder of the server's --allow-root."}
},"additionalProperties":false})";

std::string session_out() {
  return R"({"type":"object","properties":{"session":{"type":"string"}},"required":["session"],"additionalProperties":false})";
}

std::string closed_out() {
  return R"({"type":"object","properties":{"closed":{"type":"boolean"}},"required":["closed"],"additionalProperties":false})";
}

std::string schema_out() {
  return R"({"type":"object","properties":{"said_by":{"type":"string","enum":["rules","rows"]},
"columns":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"field":{"type":"string"},
"type":{"type":"string"},"nullable":{"type":"boolean"}},"required":["name","field","type","nullable"]}},
"columns_left_out":{"type":"integer"},"refused":)" +
         schemas::check_out() + R"(},"required":["columns"]})";
}

std::string extractors_out() {
  return R"({"type":"object","properties":{"extractors":{"type":"array","items":{"type":"object"}}},"required":["extractors"]})";
}

std::string runs_out() {
  return R"({"type":"object","properties":{"runs":{"type":"array","items":{"type":"object"}}},"required":["runs"]})";
}

std::string health_out() {
  return R"({"type":"object","properties":{"status":{"type":"string","enum":["ok"]},"version":{"type":"string"}},"required":["status","version"],"additionalProperties":false})";
}

std::string document_out() {
  return R"({"type":"object"})";
}

// Messages of the Model Context Protocol; docs/mcp.md says what is in them.
constexpr std::string_view kMessageIn = R"({"type":"object","properties":{
"jsonrpc":{"type":"string","enum":["2.0"]},"id":{"type":["string","integer"]},"method":{"type":"string"},"params":{"type":"object"}
},"required":["jsonrpc"]})";

std::string message_result_out() {
  return R"({"type":"object","properties":{"jsonrpc":{"type":"string","enum":["2.0"]},"id":{"type":["string","integer"]},"result":{"type":"object"}
},"required":["jsonrpc","id","result"],"additionalProperties":false})";
}

std::string message_fault_out() {
  return R"({"type":"object","properties":{"jsonrpc":{"type":"string","enum":["2.0"]},"id":{"type":["string","integer"]},
"error":{"type":"object","properties":{"code":{"type":"integer"},"message":{"type":"string"},"data":{"type":"object"}},"required":["code","message"]}
},"required":["jsonrpc","error"],"additionalProperties":false})";
}

std::string either(const std::string& one, const std::string& other) {
  return "{\"anyOf\":[" + one + "," + other + "]}";
}

std::string message_out() {
  return either(message_result_out(), message_fault_out());
}

constexpr std::string_view kMessageHeaders =
    R"({"name":"MCP-Protocol-Version","in":"header","description":"In every request but initialize.","schema":{"type":"string"}},
{"name":"Mcp-Method","in":"header","description":"From 2026-07-28 on: what the body says.","schema":{"type":"string"}},
{"name":"Mcp-Name","in":"header","description":"From 2026-07-28 on: the tool, prompt or resource that the body names.","schema":{"type":"string"}},
{"name":"Mcp-Session-Id","in":"header","description":"Up to 2025-11-25: what initialize gave.","schema":{"type":"string"}})";
constexpr std::string_view kMessageTaken =
    R"(,"202":{"description":"A notification or a response was taken."})";

constexpr std::string_view kIdParameter =
    R"({"name":"id","in":"path","required":true,"schema":{"type":"string"}})";

std::string error_out() {
  return R"({"type":"object","properties":{"error":{"type":"object","properties":{"type":{"type":"string"},"message":{"type":"string"}},"required":["type","message"],"additionalProperties":false}},"required":["error"],"additionalProperties":false})";
}

// Refused as everywhere, or for what its message says.
std::string message_error_out() {
  return either(error_out(), message_fault_out());
}

struct Operation {
  std::string_view method;
  std::string_view path;
  std::string_view summary;
  std::string_view in;               // schema of the body; empty: there is none
  std::string (*out)();              // of the answer; null: it is text
  bool is_open = false;              // without the token
  std::string_view stream = {};      // the other form that the answer may have
  std::string_view parameters = {};  // besides the body
  std::string_view also = {};        // further answers
  std::string (*error)() = error_out;
};

// In the order of their paths: what has one path stands together.
constexpr std::array kOperations = {
    Operation{"get", "/healthz", "Whether the server is there", {}, health_out, true},
    Operation{"get", "/metrics", "Counts and times, for Prometheus", {}, nullptr},
    Operation{"post", "/mcp", "A message of the Model Context Protocol", kMessageIn, message_out,
              false, "text/event-stream", kMessageHeaders, kMessageTaken, message_error_out},
    Operation{"get", "/v1/openapi.json", "This document", {}, document_out},
    Operation{"post", "/v1/check", "Judge Python without running it", schemas::kCheckIn,
              schemas::check_out},
    Operation{"post", "/v1/validate", "Judge an extractor and try it on paths",
              schemas::kValidateIn, schemas::validate_out},
    Operation{"post", "/v1/extract", "Rows of paths", schemas::kExtractIn, schemas::extract_out,
              false, "application/x-ndjson"},
    Operation{"post", "/v1/schema", "The columns of a table of such rows", schemas::kExtractIn,
              schema_out},
    Operation{"post", "/v1/infer", "Write path rules from examples", schemas::kInferIn,
              schemas::infer_out},
    Operation{"post", "/v1/admit", "Judge a JSON document before it is kept", schemas::kAdmitIn,
              schemas::admit_out},
    Operation{"post", "/v1/run", "Run a piece of code that leaves nothing", kRunAloneIn,
              schemas::run_out},
    Operation{"post", "/v1/sessions", "Open a session", kSessionIn, session_out},
    Operation{"post",
              "/v1/sessions/{id}/run",
              "Run a piece in a session",
              kPieceIn,
              schemas::run_out,
              false,
              {},
              kIdParameter},
    Operation{
        "delete", "/v1/sessions/{id}", "Close a session", {}, closed_out, false, {}, kIdParameter},
    Operation{"get", "/v1/drafts", "What waits for a person's word", {}, schemas::drafts_out},
    Operation{"get", "/v1/extractors", "What was approved", {}, extractors_out},
    Operation{"get", "/v1/runs", "What was run, the newest first", {}, runs_out},
};

std::string content(std::string_view type, std::string_view schema) {
  return "\"" + std::string(type) + "\":{\"schema\":" + std::string(schema) + "}";
}

std::string answer_of(const Operation& one) {
  std::string out =
      R"("200":{"description":"Done. What was judged and refused is an answer, too.","content":{)";
  if (one.out == nullptr) {
    out += content("text/plain", R"({"type":"string"})");
  } else {
    out += content("application/json", one.out());
  }
  if (!one.stream.empty()) out += "," + content(one.stream, R"({"type":"string"})");
  return out + "}}" + std::string(one.also);
}

std::string operation_json(const Operation& one) {
  std::string out = "\"" + std::string(one.method) + "\":{\"summary\":" + json_string(one.summary);
  if (one.is_open) out += ",\"security\":[]";
  if (!one.parameters.empty()) out += ",\"parameters\":[" + std::string(one.parameters) + "]";
  if (!one.in.empty())
    out += R"(,"requestBody":{"required":true,"content":{)" + content("application/json", one.in) +
           "}}";
  out += ",\"responses\":{" + answer_of(one) +
         R"(,"default":{"description":"It could not be done; error says why.","content":{)" +
         content("application/json", one.error()) + "}}}}";
  return out;
}

}  // namespace

std::string openapi_json() {
  std::string out =
      R"({"openapi":"3.1.0","info":{"title":"Airlock","version":")" AIRLOCK_VERSION
      R"(","description":"Lets AI-written Python in without letting it loose."},"components":{"securitySchemes":{"token":{"type":"http","scheme":"bearer"}}},"security":[{"token":[]}],"paths":{)";
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    const bool begins = i == 0 || kOperations[i - 1].path != kOperations[i].path;
    const bool ends = i + 1 == kOperations.size() || kOperations[i + 1].path != kOperations[i].path;
    if (begins) out += (i == 0 ? "" : ",") + json_string(kOperations[i].path) + ":{";
    if (!begins) out += ",";
    out += operation_json(kOperations[i]);
    if (ends) out += "}";
  }
  return out + "}}";
}

}  // namespace airlock::http

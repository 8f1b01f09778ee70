#include "present/mcp/tool_schemas.h"

namespace airlock::mcp::schemas {

namespace {

// What every finding has, without the braces of its properties.
constexpr std::string_view kFindingFields =
    R"("rule":{"type":"string"},"stage":{"type":"string"},"severity":{"type":"string","enum":["error","warning","note"]},
"kind":{"type":"string"},"item":{"type":"string"},"line":{"type":"integer"},"column":{"type":"integer"},
"end_line":{"type":"integer"},"end_column":{"type":"integer"},"message":{"type":"string"},
"suggestion":{"type":["string","null"]})";

std::string findings() {
  return R"({"type":"array","items":{"type":"object","properties":{)" +
         std::string(kFindingFields) +
         R"(},"required":["rule","stage","severity","kind","line","column","message","suggestion"]}})";
}

}  // namespace

std::string run_out() {
  return R"({"type":"object","properties":{
"value":{"description":"The last expression's value when it is JSON, else null."},
"shown":{"type":["string","null"],"description":"Its repr."},
"stdout":{"type":"string"},"stderr":{"type":"string"},
"calls":{"type":"array","items":{"type":"object"}},
"denials":{"type":"array","description":"System calls that the kernel refused.","items":{"type":"object","properties":{"call":{"type":"string"},"line":{"type":["integer","null"]}},"required":["call","line"]}},
"artifacts":{"type":"object","description":"New or changed files of /out: name and base64.","additionalProperties":{"type":"string"}},
"artifacts_left_out":{"type":"array","items":{"type":"string"}},
"elapsed_ms":{"type":"number"},
"state_lost":{"type":"boolean","description":"The session's variables are gone."},
"error":{"type":["object","null"],"properties":{
"kind":{"type":"string","enum":["raised","refused","timeout","deadline","memory","output","violation","crashed","cancelled"]},
"type":{"type":"string"},"message":{"type":"string"},"line":{"type":["integer","null"]},"traceback":{"type":"string"},
"signal":{"type":"integer"},"findings":{"type":"array","items":{"type":"object"}}},
"required":["kind","type","message","line","traceback"]}
},"required":["value","shown","stdout","stderr","calls","denials","artifacts","elapsed_ms","state_lost","error"]})";
}

std::string check_out() {
  return R"({"type":"object","properties":{
"file":{"type":"string"},"sha256":{"type":"string"},"verdict":{"type":"string","enum":["accepted","refused"]},
"stage":{"type":"string","enum":["syntax","security","signature","complete"]},
"cleaned":{"type":"boolean","description":"Something was taken away to get at the code."},
"code":{"type":"string","description":"What was judged; lines of findings are lines of it."},
"findings":)" +
         findings() +
         R"(},"required":["file","sha256","verdict","stage","cleaned","code","findings"]})";
}

std::string validate_out() {
  return R"({"type":"object","properties":{
"valid":{"type":"boolean"},
"stage_reached":{"type":"string","enum":["syntax","security","signature","sandbox","complete"]},
"retry_context":{"type":["string","null"],"description":"What was wrong and how to mend it; null when valid."},
"test_results":{"type":["object","null"],"properties":{"passed":{"type":"integer"},"failed":{"type":"integer"},
"results":{"type":"array","items":{"type":"object","properties":{"success":{"type":"boolean"},"path":{"type":"string"},
"result":{"type":["object","null"]},"error":{"type":["string","null"]},"error_type":{"type":["string","null"]},
"error_line":{"type":["integer","null"]},"traceback":{"type":"array","items":{"type":"object"}},"stdout":{"type":"string"},
"stderr":{"type":"string"},"execution_time_ms":{"type":"number"}},
"required":["success","path","result","error","error_type","error_line","stdout","stderr","execution_time_ms"]}}},
"required":["passed","failed","results"]},
"quality_warnings":{"type":"array","items":{"type":"string"}},
"findings":)" +
         findings() +
         R"(,"code":{"type":"string"},"sha256":{"type":"string"},"walls":{"type":"array","items":{"type":"string"}},
"elapsed_ms":{"type":"number"}
},"required":["valid","stage_reached","retry_context","test_results","quality_warnings","findings","code","sha256","walls","elapsed_ms"]})";
}

std::string infer_out() {
  return R"({"type":"object","properties":{
"yaml":{"type":"string","description":"The rules: 'rules' of the tool extract takes them as they are."},
"confidence":{"type":"number","minimum":0,"maximum":100},
"fields":{"type":"array","items":{"type":"object","properties":{"rule":{"type":"string"},"name":{"type":"string"},
"from":{"type":"string"},"type":{"type":"string"},"class":{"type":"string"},"distinct":{"type":"integer"},
"examples":{"type":"array","items":{"type":"string"}}},"required":["rule","name","from","type"]}}
},"required":["yaml","confidence","fields"]})";
}

std::string extract_out() {
  return R"({"type":"object","properties":{
"rows":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"ok":{"type":"boolean"},
"rule":{"type":"string"},"data":{"type":"object"},
"error":{"type":"object","properties":{"type":{"type":"string"},"message":{"type":"string"}},"required":["type","message"]}},
"required":["path","ok"]}},
"refused":)" +
         check_out() + R"(},"required":["rows"]})";
}

std::string admit_out() {
  return R"({"type":"object","description":"The sanitized document; or, when it is refused, admitted (false) and errors. Which of both it is, is said beside it, since any document can be admitted."})";
}

std::string drafts_out() {
  return R"({"type":"object","properties":{"drafts":{"type":"array","items":{"type":"object","properties":{
"id":{"type":"string"},"output":{"type":"string","enum":["yaml","python"]},"name":{"type":["string","null"]},
"created":{"type":"string"},"expires":{"type":"string"},"policy":{"type":["string","null"]},"hint":{"type":["string","null"]},
"sample_count":{"type":"integer"}},"required":["id","output","name","created","expires","sample_count"]}}},"required":["drafts"]})";
}

}  // namespace airlock::mcp::schemas

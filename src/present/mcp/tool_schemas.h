// JSON Schema (2020-12) of what goes into each tool and of what comes out: the bodies and answers
// of docs/protocol.md. Without $ref and $defs: not every client follows them. A test holds real
// answers against them (tests/commands/mcp_test.py).
#pragma once

#include <string>
#include <string_view>

namespace airlock::mcp::schemas {

inline constexpr std::string_view kRunIn = R"({"type":"object","properties":{
"code":{"type":"string","description":"Python 3.11, any number of lines. The value of a last expression is the piece's value; await may stand at top level."},
"session":{"type":"string","minLength":1,"maxLength":200,"description":"A name of your choosing. Pieces with the same name share their variables, functions, imports and /out; an unknown name opens a session. Without it the piece runs alone and leaves nothing."},
"inputs":{"type":"object","description":"Names and their JSON values: they are variables of the piece, and stay in the session."},
"timeout":{"type":"number","minimum":0.001,"maximum":86400,"description":"Seconds for this piece; 5 unless given."},
"memory_mb":{"type":"number","minimum":1,"maximum":4000,"description":"Megabytes that the session may add; 256 unless given. Counts when the session is opened."},
"files":{"type":"object","additionalProperties":{"type":"string"},"maxProperties":64,"description":"Files to read: name in /data, and its path below a folder of the server's --allow-root. Counts when the session is opened."},
"policy":{"type":"string","description":"One of the server's policies that can hold a session; 'node' unless given. Counts when the session is opened."}
},"required":["code"],"additionalProperties":false})";

inline constexpr std::string_view kCheckIn = R"({"type":"object","properties":{
"source":{"type":"string","description":"Python, or a model's whole answer with Python in it: fences and prose are taken away first."},
"policy":{"type":"string","description":"One of the server's policies; 'extractor' unless given."},
"signature":{"type":"boolean","description":"Whether it has to define extract(path: str) -> dict; true unless given. Say false for code that is no extractor."}
},"required":["source"],"additionalProperties":false})";

inline constexpr std::string_view kValidateIn = R"({"type":"object","properties":{
"source":{"type":"string","description":"Python with def extract(path: str) -> dict, or a model's whole answer with it."},
"paths":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":10000,"description":"Sample paths; a handful is enough. They are texts: no file is opened."},
"policy":{"type":"string","description":"One of the server's policies; 'extractor' unless given."},
"timeout":{"type":"number","minimum":0.01,"maximum":3600,"description":"Seconds for each path; 5 unless given."},
"memory_mb":{"type":"number","minimum":1,"maximum":4000,"description":"Megabytes that it may use; 100 unless given."},
"explore":{"type":"integer","minimum":0,"maximum":10000,"description":"How many changed paths to try besides; what fails there is a warning. 0 unless given."},
"scan":{"type":"boolean","description":"false leaves the security scan out; the chamber holds alone. true unless given."}
},"required":["source","paths"],"additionalProperties":false})";

inline constexpr std::string_view kInferIn = R"({"type":"object","properties":{
"paths":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Example paths; the more, the surer."},
"hint":{"type":"string","maxLength":500,"description":"What a part is: 'segment(-3) = client' or 'the second folder is the client'."}
},"required":["paths"],"additionalProperties":false})";

inline constexpr std::string_view kExtractIn = R"({"type":"object","properties":{
"extractor":{"type":"string","description":"The name of an extractor that a person has approved here ('sales', 'sales@2'), or Python source with def extract(path: str) -> dict."},
"rules":{"type":"string","description":"In its place: path rules as YAML, as infer_rule writes them."},
"bundle":{"type":"string","description":"In its place: the text of a signed bundle."},
"paths":{"type":"array","items":{"type":"string"},"minItems":1,"description":"One row comes back for each, in their order. They are texts: no file is opened."}
},"required":["paths"],"additionalProperties":false})";

inline constexpr std::string_view kAdmitIn = R"({"type":"object","properties":{
"document":{"type":"object","description":"A probe's output: schema_slice, raw_artifacts, confidence, duration_ms, warnings, errors. With 'bare': any JSON object."},
"root":{"type":"string","description":"The folder that was analysed: paths below it become relative."},
"bare":{"type":"boolean","description":"The document itself is the schema slice; false unless given."}
},"required":["document"],"additionalProperties":false})";

inline constexpr std::string_view kNothingIn = R"({"type":"object","additionalProperties":false})";

std::string run_out();
std::string check_out();
std::string validate_out();
std::string infer_out();
std::string extract_out();
std::string admit_out();
std::string drafts_out();

}  // namespace airlock::mcp::schemas

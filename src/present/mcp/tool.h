// A tool: what a client is told of it, and what a call of it does. Tools are rows of a table
// (tools.h); nothing here knows who is asking or over which transport.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "present/serve/live_sessions.h"
#include "present/serve/pipelines.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

// What a call of the tool can change. All of ours stay on this machine, in a cell without network.
struct Effects {
  bool is_read_only = true;
  bool is_destructive = false;
  bool is_idempotent = true;
};

// One call, while it is made.
struct ToolCall {
  serve::Request arguments;
  serve::Resident& resident;
  serve::LiveSessions& sessions;
  const serve::LiveSessions::Turn* turn =
      nullptr;  // of a tool that has sessions; null: the call names none
  const std::stop_token& stop;
  const serve::ProgressListener& on_progress;
};

// What comes of it. An Error of a call is one that the model can do something about, unless it is
// our own trouble.
struct ToolResult {
  std::string structured;              // a JSON object on one line, as in the output schema
  std::string copy = {};               // the same for readers of text; empty: the very same
  std::vector<std::string> more = {};  // further texts: what to do now
  std::vector<std::string> other_content = {};  // content that is no text, as JSON
  bool is_error = false;
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view input_schema;   // JSON
  std::string (*output_schema)();  // JSON
  Effects effects;
  bool has_sessions;  // an argument `session` puts a call into the line of that session
  Result<ToolResult> (*perform)(ToolCall& call);
};

// {"tools": …} without the braces, in the order of the table.
std::string tools_as_json(std::span<const Tool> tools);

// What stands in the result of a call, without its braces.
std::string call_as_json(const ToolResult& result);
// The same for a call that came to an Error.
std::string failed_call_as_json(const Error& error);

}  // namespace airlock::mcp

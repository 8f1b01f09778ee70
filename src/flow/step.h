// What became of one node, in one run of it; and the words in which a failure is told. Plain
// values, whoever ran the node: host, cell, chamber or probe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::flow {

// `action` is "error" until something better is known. Output is kept of failures, too.
struct Step {
  std::string id;
  std::string action = "error";
  double milliseconds = 0;
  std::string phase;       // where it failed: "prep", "exec", "post"; empty when it did not
  std::string error_type;  // "ValueError"
  std::uint32_t line = 0;  // of the node's code
  bool has_result = false;
  bool is_exact = false;  // `result` says everything about the object
  std::string result;     // JSON
  std::string error;      // empty when there is none
  std::string output;
  std::string error_output;
  bool was_kept = false;  // taken over from the run that is resumed
};

// {"result": …, "stdout": "…", "stderr": "…", "error": "…"}: its place in the store, on one line.
std::string entry_json(const Step& step);

// "Error: brief", the detail, and what to do: the same form as in library/airlock_node/messages.py.
std::string message(std::string_view brief, std::string_view detail = "",
                    const std::vector<std::string>& suggestions = {});

// A step whose parameters cannot be used: nothing was run.
Step refused_step(std::string_view id, std::string_view brief, std::string_view detail = "");
// A step that failed with this message.
Step failed_step(std::string_view id, std::string error_type, std::string message);

}  // namespace airlock::flow

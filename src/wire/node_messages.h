// The messages between airlock and a node host (guest/roles.h), over one socketpair.
//
// Trust: the host runs code that the user trusts with their files, but a mistake in that code can
// have overwritten anything in the process. What it says is decoded as hostile input; whether the
// texts of "done" are UTF-8 is checked by the receiver (run/node_client.cc).
//
// clang-format off
// to the host:
//   start      = 'S' shared:text            the store to begin with, JSON; with a descriptor:
//                                           os/shared_progress.h
//   node       = 'N' name:text params:text actions:text attempts:number wait_ms:number goes_on:byte
//                                           with two descriptors: its stdout, its stderr
//   put        = 'P' name:text entry:text   the entry of a node that ran elsewhere
//   resolve    = 'V' value:text             JSON with templates in it
//   checkpoint = 'K'                        with a descriptor: fork a copy that sleeps and listens on
//                                           this socket
// from the host:
//   ready      = messages.h                 the answer to "put" too
//   done       = 'D' …
//   value      = 'J' json:text problem:text is_json:byte
//   checkpoint_ready = 'W' process:number   from the copy, on its own socket
// clang-format on
#pragma once

#include <signal.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlock::wire {

inline constexpr std::size_t kMaxNodeRequest = 512U * 1024 * 1024;
inline constexpr std::size_t kMaxNodeReply = 256U * 1024 * 1024;
// Of each stream of a node, the beginning.
inline constexpr std::size_t kNodeOutputBytes = 1024U * 1024;
// Of a node's result, as JSON.
inline constexpr std::size_t kNodeResultBytes = 64U * 1024 * 1024;
// The time of the node is up: raise an exception in it. Not one of the signals that people use.
inline int timeout_signal() {
  return SIGRTMIN + 7;
}

struct NodeRequest {
  std::string name = {};     // empty for a node that stands alone
  std::string params = {};   // JSON
  std::string actions = {};  // JSON: the actions that the flow has edges for, beyond the usual two;
                             // may be empty
  std::uint32_t attempts = 1;
  std::uint32_t wait_ms = 0;
  bool goes_on = false;  // other nodes may follow
};

// What became of a node.
struct NodeDone {
  std::string action = {};
  std::string phase = {};       // "prep", "exec", "post"; empty when nothing went wrong
  std::string error_type = {};  // "ValueError"
  std::uint32_t line = 0;       // of the node's code; 0: none
  bool has_result = false;
  bool is_exact = false;    // `result` says everything about the object
  std::string result = {};  // JSON
  std::string error = {};
  std::string output = {};
  std::string error_output = {};
};

struct ResolvedValue {
  std::string json;
  std::string problem;   // when it is not empty there is no value
  bool is_json = false;  // nothing in it is shown by its type and repr
};

std::string encode_start_nodes(std::string_view shared);
std::string encode_node(const NodeRequest& request);
std::string encode_put(std::string_view name, std::string_view entry);
std::string encode_resolve(std::string_view value);
std::string encode_checkpoint();
std::string encode_done(const NodeDone& done);
std::string encode_value(const ResolvedValue& value);
std::string encode_checkpoint_ready(std::uint32_t process);

std::optional<std::string> decode_start_nodes(std::string_view message);
std::optional<NodeRequest> decode_node(std::string_view message);
std::optional<std::pair<std::string, std::string>> decode_put(std::string_view message);
std::optional<std::string> decode_resolve(std::string_view message);
bool is_checkpoint(std::string_view message);
std::optional<NodeDone> decode_done(std::string_view message);
std::optional<ResolvedValue> decode_value(std::string_view message);
std::optional<std::uint32_t> decode_checkpoint_ready(std::string_view message);

}  // namespace airlock::wire

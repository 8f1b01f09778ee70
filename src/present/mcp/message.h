// One message of the Model Context Protocol (JSON-RPC 2.0), read from any bytes, and the words for
// what is sent back. The client is a stranger's program: a text is strictly read (admit/
// strict_json.h), and whatever is not a message has a Fault that says why. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "admit/json_members.h"

namespace airlock::mcp {

// Containers inside each other; what an argument carries may be as deep as a value (64).
inline constexpr std::size_t kMessageDepth = 80;

// JSON-RPC's codes, and those that the protocol adds.
namespace code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;  // up to 2025-11-25
inline constexpr int kHeaderMismatch = -32020;    // over HTTP
inline constexpr int kUnsupportedVersion = -32022;
}  // namespace code

// Why there is no result.
struct Fault {
  int code = code::kInternalError;
  std::string message;
  std::string data = {};  // JSON; empty: none
  std::string id = {};    // JSON, of the request; empty: it is not known
};

enum class MessageKind : std::uint8_t { kRequest, kNotification, kResponse };

struct Message {
  std::shared_ptr<const std::string> text;  // what the members point into, wherever this moves
  MessageKind kind = MessageKind::kRequest;
  std::string id;  // of a request, as it was sent: a text or a whole number
  std::string method;
  JsonMembers params;  // without "_meta"
  JsonMembers meta;    // params._meta
};

// One message, on one line.
std::expected<Message, Fault> read_message(std::string text);

// `members`: what stands between the braces of an object.
std::string result_message(std::string_view id, std::string_view members);
std::string error_message(const Fault& fault);
std::string notification_message(std::string_view method, std::string_view members);

}  // namespace airlock::mcp

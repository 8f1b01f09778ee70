#include "present/mcp/message.h"

#include <algorithm>
#include <utility>

#include "admit/strict_json.h"
#include "base/ascii.h"
#include "base/json_string.h"
#include "base/json_writer.h"

namespace airlock::mcp {

namespace {

constexpr std::size_t kMostIdBytes = 200;
constexpr std::size_t kMostMethodBytes = 200;

bool is_whole_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool is_id(std::string_view raw) {
  return !raw.empty() && raw.size() <= kMostIdBytes && (raw.front() == '"' || is_whole_number(raw));
}

std::unexpected<Fault> invalid(std::string message, std::string id = {}) {
  return std::unexpected(
      Fault{.code = code::kInvalidRequest, .message = std::move(message), .id = std::move(id)});
}

// The id of a message that we cannot take, where one can be made out in an object that ends:
// whoever waits for an answer finds it by that. Empty: there is none, or more than one.
std::string id_in_sight(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::string found;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c != '"') {
      ++at;
      continue;
    }
    const std::size_t end = behind_json_string(text, at);
    if (end == std::string_view::npos) return {};
    const std::string_view word = text.substr(at, end - at);
    at = end;
    const std::size_t colon = text.find_first_not_of(kBlank, at);
    if (depth != 1 || word != "\"id\"" || colon == std::string_view::npos || text[colon] != ':')
      continue;
    const std::size_t start = text.find_first_not_of(kBlank, colon + 1);
    if (start == std::string_view::npos) return {};
    at = text[start] == '"' ? behind_json_string(text, start)
                            : text.find_first_of(" \t\r\n,}", start);
    if (at == std::string_view::npos) return {};
    const std::string_view raw = text.substr(start, at - start);
    if (!found.empty() || !is_id(raw) || !StrictJson(1).is_value(raw)) return {};
    found = raw;
  }
  return depth == 0 ? found : std::string();
}

// What is JSON and no object, or no JSON at all.
Fault no_object(std::string_view text) {
  if (!StrictJson(kMessageDepth).is_value(text))
    return {.code = code::kParseError,
            .message =
                "Parse error: a message is one JSON object on a line, in UTF-8 (no half of a "
                "surrogate pair), with no key twice and at most 80 levels deep",
            .id = id_in_sight(text)};
  const std::size_t start = text.find_first_not_of(" \t");
  const bool is_list = start != std::string_view::npos && text[start] == '[';
  return {.code = code::kInvalidRequest,
          .message = is_list ? "Invalid request: batches are not part of this protocol; send one "
                               "message a line"
                             : "Invalid request: a message is a JSON object"};
}

// An object, or nothing there: the members. Something else: nothing.
std::optional<JsonMembers> members_of(const JsonMembers& object, std::string_view name) {
  if (!object.has(name)) return JsonMembers();
  return JsonMembers::read(object.raw(name), kMessageDepth);
}

}  // namespace

std::expected<Message, Fault> read_message(std::string text) {
  Message message;
  message.text = std::make_shared<const std::string>(std::move(text));
  const auto members = JsonMembers::read(*message.text, kMessageDepth);
  if (!members) return std::unexpected(no_object(*message.text));
  const bool has_id = members->has("id");
  const std::string id(is_id(members->raw("id")) ? members->raw("id") : std::string_view());
  if (members->text("jsonrpc") != "2.0")
    return invalid("Invalid request: 'jsonrpc' is to be \"2.0\"", id);
  if (!members->has("method")) {
    if (!members->has("result") && !members->has("error"))
      return invalid("Invalid request: a message has a 'method'", id);
    message.kind = MessageKind::kResponse;
    return message;
  }
  const auto method = members->text("method");
  if (!method || method->size() > kMostMethodBytes)
    return invalid("Invalid request: 'method' is to be a text of at most 200 bytes", id);
  if (has_id && id.empty())
    return invalid("Invalid request: 'id' is to be a text or a whole number, of at most 200 bytes");
  message.kind = has_id ? MessageKind::kRequest : MessageKind::kNotification;
  message.id = id;
  message.method = *method;
  auto params = members_of(*members, "params");
  auto meta = params ? members_of(*params, "_meta") : std::nullopt;
  if (!meta && !has_id) return message;  // nobody answers a notification
  if (!meta)
    return std::unexpected(
        Fault{.code = code::kInvalidParams,
              .message = params ? "Invalid params: '_meta' is to be an object"
                                : "Invalid params: 'params' is to be an object, not a list",
              .id = id});
  message.params = std::move(*params);
  message.params.leave_out("_meta");
  message.meta = std::move(*meta);
  return message;
}

std::string result_message(std::string_view id, std::string_view members) {
  std::string out;
  out.reserve(members.size() + id.size() + 64);  // it can be long: it is copied once
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":{)";
  out += members;
  out += "}}";
  return out;
}

std::string error_message(const Fault& fault) {
  std::string out = R"({"jsonrpc":"2.0",)";
  if (!fault.id.empty()) out += "\"id\":" + fault.id + ",";
  out += "\"error\":{\"code\":" + std::to_string(fault.code) + ",\"message\":";
  append_json_string(out, fault.message);
  if (!fault.data.empty()) out += ",\"data\":" + fault.data;
  return out + "}}";
}

std::string notification_message(std::string_view method, std::string_view members) {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  append_json_string(out, method);
  out += ",\"params\":{";
  out += members;
  return out + "}}";
}

}  // namespace airlock::mcp

// A request as a client sent it, and the words for its answers (docs/protocol.md has every
// message).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admit/json_members.h"
#include "base/result.h"
#include "model/piece.h"

namespace airlock::serve {

inline constexpr int kProtocol = 1;
// Containers inside each other, in a request; what it carries may be as deep as a value.
inline constexpr std::size_t kRequestDepth = 80;

struct Request {
  std::shared_ptr<const std::string> line;  // what the members point into, wherever this moves
  std::string id;                           // JSON: a text or a number, as it was sent
  std::string what;                         // "check", "run", …
  JsonMembers members;                      // of what is asked: without "id" and "do"
};

// An Error that says what is wrong with the line.
Result<Request> read_request(std::string line);

// {"id": …, "result": …}, {"id": …, "error": {"type", "message"}}, {"id": …, "event": …, …}
std::string result_line(std::string_view id, std::string_view json,
                        std::optional<bool> is_admitted = {});
std::string error_line(std::string_view id, std::string_view type, std::string_view message);
std::string error_line(std::string_view id, const Error& error);
// "Usage", "NoIsolation", …: the `type` of an error.
std::string_view type_of_error(ErrorKind kind);
std::string printed_line(std::string_view id, OutputStream stream, std::string_view text);
std::string call_line(std::string_view id, std::uint32_t call, std::string_view name,
                      std::string_view arguments);

// Members of a request, each of its kind or an Error that names it. Those that may be missing, or
// null, give nothing then.
Result<std::string> need_text(const Request& request, std::string_view name);
Result<std::optional<std::string>> maybe_text(const Request& request, std::string_view name);
Result<std::optional<double>> maybe_number(const Request& request, std::string_view name,
                                           double least, double most);
Result<bool> flag_or(const Request& request, std::string_view name, bool otherwise);
Result<std::vector<std::string>> need_texts(const Request& request, std::string_view name);
// A member that nobody asked for is a mistake of the caller's.
Result<void> refuse_others(const Request& request, std::initializer_list<std::string_view> known);

}  // namespace airlock::serve

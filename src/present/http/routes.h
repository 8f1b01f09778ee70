// Which request goes where: a table of methods and paths. Whoever has something to serve adds its
// rows; the transport asks the table and knows nothing else of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "present/http/answer.h"
#include "present/http/message.h"

namespace airlock::http {

// More in one body is not read: as much as in one line of the other protocol.
inline constexpr std::uint64_t kMostBody = 64ULL * 1024 * 1024;

enum class Access : std::uint8_t {
  kToken,  // only with the token
  kOpen,   // anybody who reaches us; the route asks for what it needs itself (turn_away)
};
enum class BodyKind : std::uint8_t {
  kNone,
  kJson,  // application/json: no page of another site can send it without being asked first
  kForm,  // application/x-www-form-urlencoded
};
enum class Where : std::uint8_t {
  kThread,  // it may take its time
  // On the thread of the loop, for which everybody waits: what takes no time, and sends its answer
  // whole.
  kAtOnce,
};

struct Route {
  Method method = Method::kGet;  // one of GET answers HEAD, too
  // "/v1/sessions/{id}/run": a {part} is any text without a slash. "/assets/{...}": {...} at the
  // end is the rest, with any slashes, of paths that have no route of their own.
  std::string path;
  Access access = Access::kToken;
  BodyKind body = BodyKind::kNone;
  Where where = Where::kThread;
  std::function<void(const Request&, Answer&)> perform;
  // What to answer by the head alone, before a body is read or anything is done; nothing: let it
  // in. On the thread of the loop, so it takes no time. May be empty.
  std::function<std::optional<Response>(const RequestHead&)> turn_away = {};
  std::uint64_t most_body = kMostBody;
};

class RouteTable {
 public:
  // Two routes with the same method and path are a mistake of ours.
  void add(Route route);

  struct Found {
    const Route* route = nullptr;       // null: none for this method
    std::vector<std::string> captured;  // the {parts}
    std::string label;                  // the path as the table has it; empty: there is no such
    std::string allowed;                // "GET, HEAD, OPTIONS"
  };
  // Until the next add().
  Found find(Method method, std::string_view path) const;
  const std::vector<Route>& all() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

// The parts of a path that stand where the pattern has {…}; nothing: it does not fit.
std::optional<std::vector<std::string>> match_path(std::string_view pattern, std::string_view path);

}  // namespace airlock::http

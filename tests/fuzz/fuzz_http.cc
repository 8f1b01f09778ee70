// A client of `airlock serve --http` sends any bytes, in any pieces. What must hold:
// (1) however they are cut, the same requests are read, and nothing behind a refusal;
// (2) nothing is larger than its limit; (3) a request that was read has one Host, a path, and one
// length; (4) whatever its head says, without the token the gate lets it in nowhere but where
// everybody is; (5) a body without line ends between its values is the JSON that it was, or none;
// (6) a request of the Model Context Protocol that is let in has headers that say what its body
// says.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "admit/json_members.h"
#include "present/http/gate.h"
#include "present/http/mcp.h"
#include "present/http/request_reader.h"
#include "require.h"

namespace {

using namespace airlock;

constexpr std::uint64_t kMostBodyHere = 5000;

struct Heard {
  std::vector<http::Request> requests;
  int refusal = 0;  // the status of the last one; 0: none
};

Heard hear(std::string_view bytes, std::size_t piece) {
  Heard heard;
  std::string buffer;
  http::RequestReader reader;
  while (true) {
    const auto taken = reader.read(buffer);
    if (!taken) {
      fuzz::require(!http::reason_of(taken.error().status).empty());
      fuzz::require(!taken.error().message.empty());
      heard.refusal = taken.error().status;
      return heard;
    }
    fuzz::require(*taken <= buffer.size());
    buffer.erase(0, *taken);
    if (reader.has_head()) reader.limit_body(kMostBodyHere);
    fuzz::require(reader.body_bytes() <= kMostBodyHere);
    if (reader.is_done()) {
      heard.requests.push_back(reader.take());
      reader = http::RequestReader();
      continue;
    }
    if (*taken > 0 && !buffer.empty()) continue;
    if (bytes.empty()) return heard;
    buffer += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
}

void check_head(const http::RequestHead& head) {
  fuzz::require(head.count("host") == 1);
  fuzz::require(head.path.starts_with('/') || head.path == "*");
  fuzz::require(!(head.length && head.is_chunked));
  fuzz::require(head.headers.size() <= http::kMostHeaders);
  static const http::Token kToken("a-token-that-nobody-has-said");
  static const http::RouteTable kRoutes = [] {
    http::RouteTable routes;
    routes.add({.method = http::Method::kPost, .path = "/v1/check", .perform = {}});
    routes.add({.path = "/v1/sessions/{id}", .perform = {}});
    routes.add({.path = "/healthz", .access = http::Access::kOpen, .perform = {}});
    return routes;
  }();
  http::Gate gate({.listens = {.host = "127.0.0.1", .port = 80, .is_version_6 = false},
                   .allowed_hosts = {},
                   .requests_per_second = 1e6},
                  kToken, kRoutes);
  const auto judged = gate.judge(head, "client", http::TimePoint());
  if (const auto* in = std::get_if<http::Gate::LetIn>(&judged.what)) {
    fuzz::require(in->route->access == http::Access::kOpen);
  } else {
    const auto& away = std::get<http::Gate::TurnedAway>(judged.what);
    fuzz::require(!http::reason_of(away.response.status).empty());
  }
}

void check_mcp(const http::RequestHead& head, const std::string& line) {
  [[maybe_unused]] const bool takes_both = http::takes_both_forms(head);
  const auto message = mcp::read_message(line);
  if (!message) return;
  const auto era = http::check_headers(head, *message);
  if (!era) return fuzz::require(era.error().code < 0 && !era.error().message.empty());
  if (*era != mcp::Era::kStateless || message->kind != mcp::MessageKind::kRequest) return;
  const std::string* method = head.header("mcp-method");
  fuzz::require(method != nullptr && head.count("mcp-method") == 1);
  fuzz::require(*method == message->method || method->starts_with("=?base64?"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Heard whole = hear(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
    const Heard cut = hear(bytes, piece);
    fuzz::require(cut.requests.size() == whole.requests.size());
    // A head that comes in pieces is looked at when it is whole: until then, nothing is refused.
    fuzz::require(cut.refusal == 0 || whole.refusal != 0);
    for (std::size_t i = 0; i < cut.requests.size(); ++i) {
      fuzz::require(cut.requests[i].body == whole.requests[i].body);
      fuzz::require(cut.requests[i].head.path == whole.requests[i].head.path);
      fuzz::require(cut.requests[i].head.headers.size() == whole.requests[i].head.headers.size());
    }
  }
  for (const http::Request& request : whole.requests) {
    check_head(request.head);
    const std::string line = http::json_on_one_line(request.body);
    fuzz::require(line.size() == request.body.size());
    if (JsonMembers::read(request.body, 20)) fuzz::require(line == request.body);
    check_mcp(request.head, line);
  }
  return 0;
}

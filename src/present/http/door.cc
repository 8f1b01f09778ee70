#include "present/http/door.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "present/http/openapi.h"

namespace airlock::http {

namespace {

// Of few descriptors, a quarter: sessions need them, too.
std::size_t most_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 16;
  return static_cast<std::size_t>(std::clamp<rlim_t>(limit.rlim_cur / 4, 16, kMostConnections));
}

}  // namespace

Result<std::unique_ptr<HttpDoor>> HttpDoor::open(serve::Resident& resident, HttpOptions options) {
  auto listener = TRY(Listener::open(options.address));
  auto token =
      TRY(options.token_file ? Token::read(*options.token_file)
                             : Token::make(resident.options().user_dirs, listener.address().port));
  std::unique_ptr<HttpDoor> door(
      new HttpDoor(resident, std::move(options), listener.address(), std::move(token)));
  LoopLimits limits;
  limits.connections = most_connections();
  door->loop_ =
      TRY(Loop::make(std::move(listener), door->gate_, door->metrics_, door->log_, limits));
  door->metrics_.add({"airlock_http_connections_open", "Connections of clients", "gauge",
                      [loop = door->loop_.get()] { return loop->connections_open(); }});
  door->metrics_.add({"airlock_http_requests_under_way", "Requests that are being performed",
                      "gauge", [loop = door->loop_.get()] { return loop->requests_under_way(); }});
  return door;
}

HttpDoor::HttpDoor(serve::Resident& resident, HttpOptions options, ListenAddress address,
                   Token token)
    : address_(std::move(address)),
      token_(std::move(token)),
      log_(STDERR_FILENO),
      rest_(resident),
      mcp_(resident, options.offer),
      review_(resident, [this](const std::string& path) { tell_link(path); }),
      gate_({.listens = address_,
             .allowed_hosts = std::move(options.allowed_hosts),
             .requests_per_second = options.requests_per_second},
            token_, routes_) {
  add_own_routes();
  rest_.add_routes(routes_);
  mcp_.add_routes(routes_);
  review_.add_routes(routes_);
  metrics_.add({"airlock_sessions_open", "Sessions of all clients, and pieces that run alone",
                "gauge", [&resident] { return resident.sessions_open(); }});
  metrics_.add(
      {"airlock_cells", "Cells of sessions, and those that wait for a next batch", "gauge",
       [&resident] { return resident.sessions_open() + resident.extractors().waiting_cells(); }});
  metrics_.add({"airlock_pieces_total", "Pieces of code that were run", "counter",
                [&resident] { return resident.pieces_run().load(); }});
  metrics_.add({"airlock_denials_total", "System calls of pieces that the kernel denied", "counter",
                [&resident] { return resident.calls_denied().load(); }});
}

HttpDoor::~HttpDoor() {
  token_.forget();
}

void HttpDoor::add_own_routes() {
  routes_.add({.path = "/healthz",
               .access = Access::kOpen,
               .where = Where::kAtOnce,
               .perform = [](const Request&, Answer& answer) {
                 answer.send(
                     json_response("{\"status\":\"ok\",\"version\":\"" AIRLOCK_VERSION "\"}"));
               }});
  routes_.add({.path = "/metrics",
               .where = Where::kAtOnce,
               .perform = [this](const Request&, Answer& answer) {
                 answer.send({.status = 200,
                              .content_type = "text/plain; version=0.0.4; charset=utf-8",
                              .body = metrics_.text()});
               }});
  routes_.add({.path = "/v1/openapi.json",
               .where = Where::kAtOnce,
               .perform = [document = openapi_json()](const Request&, Answer& answer) {
                 answer.send(json_response(document));
               }});
}

void HttpDoor::tell_where() {
  log_.write("airlock: listening at " + url_of(address_));
  log_.write("airlock: the token is in " + printable(token_.file()));
  if (!address_.is_loopback())
    log_.write(
        "airlock: warning: others can reach this address, and what they send can be read on the "
        "way: put a proxy with TLS in front of it (docs/http.md)");
}

void HttpDoor::tell_link(const std::string& path) {
  log_.write("airlock: to review, open " + url_here(address_) + path);
}

void HttpDoor::serve(int stop) {
  tell_where();
  tell_link(review_.sign_in_path());
  loop_->run(stop);
}

}  // namespace airlock::http

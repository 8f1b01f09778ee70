// `airlock serve --http`: everything that is behind one address, put together. Others add rows to
// its table of routes before it serves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "present/http/access_log.h"
#include "present/http/gate.h"
#include "present/http/loop.h"
#include "present/http/mcp.h"
#include "present/http/metrics.h"
#include "present/http/rest.h"
#include "present/http/review.h"
#include "present/http/routes.h"
#include "present/http/token.h"
#include "present/serve/resident.h"

namespace airlock::http {

// Connections of one server; see LoopLimits.
inline constexpr std::size_t kMostConnections = 1024;

struct HttpOptions {
  ListenAddress address;
  std::optional<std::string> token_file;    // none: a token is made
  std::vector<std::string> allowed_hosts;   // in small letters
  double requests_per_second = 1000;        // of one client
  mcp::Offer offer = mcp::airlock_offer();  // what /mcp has
};

class HttpDoor {
 public:
  // Listens from now on, and answers when it serves. `resident` outlives it. An Error: the address
  // or the token cannot be had.
  static Result<std::unique_ptr<HttpDoor>> open(serve::Resident& resident, HttpOptions options);
  ~HttpDoor();
  HttpDoor(const HttpDoor&) = delete;
  HttpDoor& operator=(const HttpDoor&) = delete;

  RouteTable& routes() { return routes_; }
  Metrics& metrics() { return metrics_; }
  const ListenAddress& address() const { return address_; }
  // Whoever opens it in a browser may review; it works once.
  std::string sign_in_link() const { return url_here(address_) + review_.sign_in_path(); }

  // Until `stop` is readable. Says on standard error where it listens and where the token is.
  void serve(int stop);

 private:
  HttpDoor(serve::Resident& resident, HttpOptions options, ListenAddress address, Token token);
  void add_own_routes();
  void tell_where();
  void tell_link(const std::string& path);

  ListenAddress address_;
  Token token_;
  RouteTable routes_;
  Metrics metrics_;
  AccessLog log_;
  Rest rest_;
  McpEndpoint mcp_;
  Review review_;
  Gate gate_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace airlock::http

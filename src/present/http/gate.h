// Whether a request is let in, judged by its head alone: before its body is read, and before
// anything is done for it. In this order: how often the client asks, Host and Origin, the route,
// the token, what the body is said to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "present/http/address.h"
#include "present/http/limits.h"
#include "present/http/message.h"
#include "present/http/routes.h"
#include "present/http/token.h"

namespace airlock::http {

struct GateRules {
  ListenAddress listens;
  std::vector<std::string> allowed_hosts;  // besides those of address.h; in small letters
  double requests_per_second = 0;          // of one client
};

// By one thread.
class Gate {
 public:
  // Both outlive it.
  Gate(GateRules rules, const Token& token, const RouteTable& routes)
      : rules_(std::move(rules)),
        token_(token),
        routes_(routes),
        rate_(rules_.requests_per_second) {}

  struct LetIn {
    const Route* route = nullptr;
    std::vector<std::string> captured;
  };
  struct TurnedAway {
    Response response;
    std::optional<TimePoint> answer_at;  // not before then
    std::string log_line;                // for the log; empty: none
  };
  struct Judged {
    std::variant<LetIn, TurnedAway> what;
    std::string label;  // of the route, for logs and counts; empty: there is none
  };
  // `client`: who it is to the limits.
  Judged judge(const RequestHead& head, const std::string& client, TimePoint now);

 private:
  std::optional<TurnedAway> judge_token(const RequestHead& head, const Route& route,
                                        const std::string& client, TimePoint now);

  GateRules rules_;
  const Token& token_;
  const RouteTable& routes_;
  RateLimiter rate_;
  WrongTokens wrong_tokens_;
};

// Whether the header names this media type: "application/json; charset=utf-8" is application/json.
bool is_media_type(std::string_view header, std::string_view type);

}  // namespace airlock::http

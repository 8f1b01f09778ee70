#include "present/http/gate.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace airlock::http {

namespace {

Gate::TurnedAway turned_away(int status, std::string_view type, std::string_view message,
                             std::vector<Header> more = {}) {
  Gate::TurnedAway away{
      .response = error_response(status, type, message), .answer_at = std::nullopt, .log_line = {}};
  away.response.more = std::move(more);
  return away;
}

std::string_view media_type_of(BodyKind kind) {
  return kind == BodyKind::kForm ? "application/x-www-form-urlencoded" : kJsonType;
}

std::optional<Gate::TurnedAway> judge_host(const RequestHead& head, const GateRules& rules) {
  if (!is_our_host(head.host, rules.listens, rules.allowed_hosts))
    return turned_away(403, "Forbidden",
                       "this server is not known by the name in Host; whoever starts it can allow "
                       "one with --allow-host");
  const std::string* origin = head.header("origin");
  if (origin != nullptr && !is_same_origin(*origin, head.host))
    return turned_away(403, "Forbidden", "pages of another origin may not ask this server");
  return std::nullopt;
}

std::optional<Gate::TurnedAway> judge_body(const RequestHead& head, const Route& route) {
  if (route.body == BodyKind::kNone) {
    if (!head.has_body()) return std::nullopt;
    return turned_away(413, "Usage", "a request like this has no body");
  }
  if (!head.length && !head.is_chunked)
    return turned_away(411, "Usage", "the length of the body is missing: Content-Length");
  const std::string* type = head.header("content-type");
  if (type == nullptr || !is_media_type(*type, media_type_of(route.body)))
    return turned_away(415, "Usage",
                       "the body is to be " + std::string(media_type_of(route.body)) +
                           ", and Content-Type is to say so");
  if (head.header("content-encoding") != nullptr)
    return turned_away(415, "Usage", "the body is to come as it is, without a Content-Encoding");
  if (head.length.value_or(0) > route.most_body)
    return turned_away(413, "Usage",
                       "the body has more than " + std::to_string(route.most_body) + " bytes");
  return std::nullopt;
}

Gate::TurnedAway tell_methods(std::string allowed) {
  return {.response = {.status = 204,
                       .content_type = {},
                       .body = {},
                       .more = {{"Allow", std::move(allowed)}}},
          .answer_at = std::nullopt,
          .log_line = {}};
}

}  // namespace

bool is_media_type(std::string_view header, std::string_view type) {
  std::string_view said = header.substr(0, header.find(';'));
  while (said.ends_with(' ') || said.ends_with('\t')) said.remove_suffix(1);
  return equal_ignoring_case(said, type);
}

std::optional<Gate::TurnedAway> Gate::judge_token(const RequestHead& head, const Route& route,
                                                  const std::string& client, TimePoint now) {
  if (route.access == Access::kOpen) return std::nullopt;
  const std::string* said = head.header("authorization");
  std::vector<Header> challenge = {{"WWW-Authenticate", "Bearer realm=\"airlock\""}};
  if (said == nullptr)
    return turned_away(401, "Unauthorized", "this needs Authorization: Bearer TOKEN",
                       std::move(challenge));
  if (head.count("authorization") == 1 && token_.is(Token::in_header(*said))) return std::nullopt;
  challenge.front().value += ", error=\"invalid_token\"";
  const auto mistake = wrong_tokens_.note(client, now);
  auto away = mistake.answer_at
                  ? turned_away(401, "Unauthorized", "the token is not the one of this server",
                                std::move(challenge))
                  : turned_away(429, "TooManyRequests", "too many wrong tokens came from there",
                                {{"Retry-After", "2"}});
  away.answer_at = mistake.answer_at;
  if (mistake.is_worth_a_line)
    away.log_line = client + " has sent a wrong token " + std::to_string(mistake.count) + " times";
  return away;
}

Gate::Judged Gate::judge(const RequestHead& head, const std::string& client, TimePoint now) {
  auto found = routes_.find(head.method, head.path);
  if (!rate_.allow(client, now))
    return {turned_away(429, "TooManyRequests", "more requests a second than one client may send",
                        {{"Retry-After", "1"}}),
            std::move(found.label)};
  if (auto away = judge_host(head, rules_)) return {std::move(*away), std::move(found.label)};
  const std::string* expected = head.header("expect");
  if (expected != nullptr && !equal_ignoring_case(*expected, "100-continue"))
    return {turned_away(417, "Usage", "the only expectation here is 100-continue"),
            std::move(found.label)};
  if (head.path == "*") return {tell_methods("GET, HEAD, POST, DELETE, OPTIONS"), "*"};
  if (found.label.empty())
    return {turned_away(404, "NotFound", "there is nothing at this address"), {}};
  if (head.method == Method::kOptions)
    return {tell_methods(std::move(found.allowed)), std::move(found.label)};
  if (found.route == nullptr)
    return {turned_away(405, "Usage", "this address takes: " + found.allowed,
                        {{"Allow", found.allowed}}),
            std::move(found.label)};
  if (auto away = judge_token(head, *found.route, client, now))
    return {std::move(*away), std::move(found.label)};
  if (found.route->turn_away) {
    if (auto response = found.route->turn_away(head))
      return {TurnedAway{.response = std::move(*response), .answer_at = {}, .log_line = {}},
              std::move(found.label)};
  }
  if (auto away = judge_body(head, *found.route)) return {std::move(*away), std::move(found.label)};
  return {LetIn{found.route, std::move(found.captured)}, std::move(found.label)};
}

}  // namespace airlock::http

#include "present/http/review.h"

#include <array>
#include <optional>
#include <utility>

namespace airlock::http {

namespace {

constexpr std::array kLooks = {"/",           "/sign-in",           "/drafts/{id}", "/rejected",
                               "/extractors", "/extractors/{name}", "/runs",        "/runs/{id}",
                               "/tail",       "/assets/{name}"};
constexpr std::array kChanges = {"/sign-out", "/drafts/{id}/approve", "/drafts/{id}/reject"};

std::string value_of(const RequestHead& head, std::string_view name) {
  const std::string* value = head.header(name);
  return value == nullptr ? std::string() : *value;
}

page::TailEvent tail_event(serve::Activity::Entry entry) {
  using Kind = serve::Activity::Kind;
  page::TailEvent event{.time = entry.time, .words = std::move(entry.words)};
  switch (entry.kind) {
    case Kind::kFine:
      event.what = "ran";
      break;
    case Kind::kCancelled:
      event.what = "cancelled";
      break;
    case Kind::kTrouble:
      event.what = "failed";
      event.tone = page::Tone::kBad;
      break;
    case Kind::kDenied:
      event.what = "denied";
      event.tone = page::Tone::kBad;
      break;
  }
  return event;
}

// Whoever is not signed in may ask for these.
bool is_for_all(std::string_view path) {
  return path == "/sign-in" || path.starts_with("/assets/");
}

Response as_response(page::PageResponse page) {
  Response response{.status = page.status,
                    .content_type = std::move(page.content_type),
                    .body = std::move(page.body)};
  for (auto& [name, value] : page.headers)
    response.more.push_back({std::move(name), std::move(value)});
  return response;
}

// Looking at these runs code.
bool is_work(std::string_view path) {
  return path.starts_with("/drafts/");
}

}  // namespace

Review::Review(serve::Resident& resident, std::function<void(const std::string& path)> tell)
    : resident_(resident),
      site_({.user_dirs = resident.options().user_dirs,
             .host_program = resident.options().host_program,
             .supply = &resident.rooms(),
             .lately =
                 [&resident] {
                   std::vector<page::TailEvent> events;
                   for (serve::Activity::Entry& one : resident.activity().latest())
                     events.push_back(tail_event(std::move(one)));
                   return events;
                 },
             .on_new_link = std::move(tell)}) {}

void Review::add_routes(RouteTable& routes) {
  const auto add = [&](Method method, const char* path, BodyKind body) {
    Route route{
        .method = method,
        .path = path,
        .access = Access::kOpen,
        .body = body,
        .perform = [this](const Request& request, Answer& answer) { perform(request, answer); },
        .most_body = page::kMostFormBytes};
    // Strangers cost neither a thread nor a slot, and nobody reads what they send.
    if (!is_for_all(path))
      route.turn_away = [this](const RequestHead& head) -> std::optional<Response> {
        if (site_.is_signed_in(value_of(head, "cookie"))) return std::nullopt;
        return as_response(site_.ask_to_sign_in());
      };
    routes.add(std::move(route));
  };
  for (const char* path : kLooks) add(Method::kGet, path, BodyKind::kNone);
  for (const char* path : kChanges) add(Method::kPost, path, BodyKind::kForm);
}

void Review::perform(const Request& request, Answer& answer) {
  const auto stop = answer.stop();
  // Who gets no slot was stopped, which the site says in words.
  const auto slot = is_work(request.head.path) ? resident_.slots().take(stop) : std::nullopt;
  answer.send(respond(request, stop));
}

Response Review::respond(const Request& request, const std::stop_token& stop) {
  const RequestHead& head = request.head;
  return as_response(
      site_.answer({.method = std::string(word_of(head.method)),
                    .path = head.path,
                    .query = head.query,
                    .cookies = value_of(head, "cookie"),
                    .body = request.body,
                    // Said by the proxy; whoever says it without one harms the own cookie only.
                    .is_secure = value_of(head, "x-forwarded-proto") == "https",
                    .stop = stop}));
}

}  // namespace airlock::http

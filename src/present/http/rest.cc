#include "present/http/rest.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "present/http/gate.h"
#include "present/report/piece_json.h"
#include "present/serve/pipelines.h"
#include "present/serve/session_request.h"

namespace airlock::http {

namespace {

Response no_such_session() {
  return error_response(404, "NotFound", "there is no such session: it was closed, or never open");
}

// The body as the request that every other door reads.
Result<serve::Request> asked_by(std::string_view what, const Request& request) {
  serve::Request asked;
  asked.what = std::string(what);
  asked.line = std::make_shared<const std::string>(
      request.body.empty() ? "{}" : json_on_one_line(request.body));
  auto members = JsonMembers::read(*asked.line, serve::kRequestDepth);
  if (!members)
    return bad_request(
        "the body is to be one JSON object, in UTF-8, with no key twice and at most " +
        std::to_string(serve::kRequestDepth) + " levels deep");
  asked.members = std::move(*members);
  return asked;
}

// Clients choose among what the server was started with.
Result<void> check_packages(const serve::Request& asked, const serve::Resident& resident) {
  if (!asked.members.has("packages") || asked.members.is_null("packages")) return {};
  const auto& known = resident.options().packages.names;
  for (const std::string& name : TRY(serve::need_texts(asked, "packages"))) {
    if (std::ranges::find(known, name) == known.end())
      return bad_request("the package '" + name +
                         "' is not here: whoever starts the server names packages with --packages");
  }
  return {};
}

// Nobody hears what is printed meanwhile, and there is nothing to call.
class Unheard final : public SessionListener {
 public:
  void printed(OutputStream /*stream*/, std::string_view /*text*/) override {}
  void called(const HostCall& /*call*/) override {}
};

// Rows to the client as they come. While it does not read, somebody else has the slot.
class StreamedRows final : public RowSink {
 public:
  StreamedRows(Answer& answer, serve::WorkSlots& slots, std::optional<serve::WorkSlots::Held> slot)
      : answer_(answer), slots_(slots), stop_(answer.stop()), slot_(std::move(slot)) {}

  Result<void> write(std::string_view rows) override {
    if (!has_begun_)
      answer_.begin({.status = 200, .content_type = std::string(kNdjsonType), .body = {}});
    has_begun_ = true;
    if (!answer_.has_room()) slot_.reset();
    if (!answer_.write(rows)) return fail("write the rows: nobody reads them");
    if (slot_) return {};
    auto again = slots_.take(stop_);
    if (!again) return fail("wait for a slot: it was stopped");
    slot_.emplace(std::move(*again));
    return {};
  }
  bool has_begun() const { return has_begun_; }

 private:
  Answer& answer_;
  serve::WorkSlots& slots_;
  std::stop_token stop_;
  std::optional<serve::WorkSlots::Held> slot_;
  bool has_begun_ = false;
};

}  // namespace

Response response_to(const Error& error, const std::stop_token& stop) {
  if (stop.stop_requested())
    return error_response(503, "Cancelled", "it was cancelled: the server ends");
  // Another time it may be answered.
  if (error.number == EMFILE || error.number == ENFILE)
    return error_response(503, "Busy", error.message);
  const std::string_view type = serve::type_of_error(error.kind);
  switch (error.kind) {
    case ErrorKind::kRequest:
    case ErrorKind::kRefused:
      return error_response(400, type, error.message);
    case ErrorKind::kIsolation:
      return error_response(503, type, error.message);
    case ErrorKind::kOurs:
      break;
  }
  return error_response(500, type, error.message);
}

bool wants_one_document(const RequestHead& head) {
  const std::string* accept = head.header("accept");
  return accept != nullptr && accept->contains(kJsonType) && !accept->contains(kNdjsonType);
}

Rest::~Rest() {
  resident_.extractors().forget(&sessions_);
}

void Rest::add_routes(RouteTable& routes) {
  for (const std::string_view what : {"check", "validate", "infer", "admit", "schema"}) {
    routes.add({.method = Method::kPost,
                .path = "/v1/" + std::string(what),
                .body = BodyKind::kJson,
                .perform = [this, what](const Request& request, Answer& answer) {
                  perform(what, request, answer);
                }});
  }
  for (const std::string_view what : {"drafts", "extractors", "runs"}) {
    routes.add({.method = Method::kGet,
                .path = "/v1/" + std::string(what),
                .perform = [this, what](const Request& request, Answer& answer) {
                  perform(what, request, answer);
                }});
  }
  const auto add = [&](Method method, std::string path, BodyKind body,
                       void (Rest::*how)(const Request&, Answer&)) {
    routes.add({.method = method,
                .path = std::move(path),
                .body = body,
                .perform = [this, how](const Request& request, Answer& answer) {
                  (this->*how)(request, answer);
                }});
  };
  add(Method::kPost, "/v1/extract", BodyKind::kJson, &Rest::extract);
  add(Method::kPost, "/v1/run", BodyKind::kJson, &Rest::run_alone);
  add(Method::kPost, "/v1/sessions", BodyKind::kJson, &Rest::open);
  add(Method::kPost, "/v1/sessions/{id}/run", BodyKind::kJson, &Rest::run_in);
  add(Method::kDelete, "/v1/sessions/{id}", BodyKind::kNone, &Rest::close);
}

void Rest::perform(std::string_view what, const Request& request, Answer& answer) {
  const auto stop = answer.stop();
  const auto done = [&]() -> Result<serve::Answered> {
    const auto asked = TRY(asked_by(what, request));
    return serve::perform_pipeline(asked, resident_, &sessions_, stop);
  }();
  if (!done) return answer.send(response_to(done.error(), stop));
  Response response = json_response(done->json);
  if (done->is_admitted)
    response.more.push_back({"Airlock-Admitted", *done->is_admitted ? "true" : "false"});
  answer.send(std::move(response));
}

void Rest::extract(const Request& request, Answer& answer) {
  if (wants_one_document(request.head)) return perform("extract", request, answer);
  const auto stop = answer.stop();
  auto slot = resident_.slots().take(stop);
  if (!slot) return answer.send(response_to({}, stop));
  StreamedRows rows(answer, resident_.slots(), std::move(slot));
  const auto refusal = [&]() -> Result<std::optional<std::string>> {
    const auto asked = TRY(asked_by("extract", request));
    return serve::extract_rows(asked, resident_, &sessions_, stop, rows);
  }();
  // What has begun cannot be taken back: a client that counts its rows, or knows HTTP, sees it.
  if (!refusal && rows.has_begun()) return answer.break_off();
  if (!refusal) return answer.send(response_to(refusal.error(), stop));
  if (*refusal) answer.send(json_response(std::string(serve::kRefusedRows) + **refusal + "}"));
}

Result<std::string> Rest::run_piece(const serve::Request& asked,
                                    const serve::LiveSessions::Turn& turn,
                                    const std::stop_token& stop) {
  const auto piece = TRY(serve::read_piece(asked));
  TRY(sessions_.await(turn, stop));
  if (sessions_.is_new(turn)) {
    auto options =
        TRY(serve::read_session_options(asked, resident_, serve::FilesMayBeNamed::kBelowRoots));
    TRY(sessions_.open_if_new(turn, std::move(options)));
  }
  Unheard nobody;
  return cli::piece_as_json(TRY(sessions_.run(turn, piece.run(), nobody, stop)));
}

void Rest::run_alone(const Request& request, Answer& answer) {
  const auto stop = answer.stop();
  const auto done = [&]() -> Result<std::string> {
    const auto asked = TRY(asked_by("run", request));
    TRY(serve::refuse_others(asked, {"code", "inputs", "timeout", "memory_mb", "policy", "files"}));
    const auto turn = sessions_.enter_alone();
    return run_piece(asked, turn, stop);
  }();
  answer.send(done ? json_response(*done) : response_to(done.error(), stop));
}

void Rest::open(const Request& request, Answer& answer) {
  const auto stop = answer.stop();
  if (sessions_.count() >= serve::LiveSessions::kMostSessions)
    return answer.send(error_response(503, "Busy", "1024 sessions are open: close one"));
  const auto opened = [&]() -> Result<std::string> {
    const auto asked = TRY(asked_by("sessions", request));
    TRY(serve::refuse_others(asked, {"policy", "packages", "timeout", "memory_mb", "files"}));
    TRY(check_packages(asked, resident_));
    auto options =
        TRY(serve::read_session_options(asked, resident_, serve::FilesMayBeNamed::kBelowRoots));
    return sessions_.open(std::move(options));
  }();
  answer.send(opened ? json_response("{\"session\":" + json_string(*opened) + "}")
                     : response_to(opened.error(), stop));
}

void Rest::run_in(const Request& request, Answer& answer) {
  const auto stop = answer.stop();
  const auto turn = sessions_.enter(request.captured.front());
  if (!turn) return answer.send(no_such_session());
  const auto done = [&]() -> Result<std::string> {
    const auto asked = TRY(asked_by("run", request));
    TRY(serve::refuse_others(asked, {"code", "inputs", "timeout"}));
    return run_piece(asked, *turn, stop);
  }();
  answer.send(done ? json_response(*done) : response_to(done.error(), stop));
}

void Rest::close(const Request& request, Answer& answer) {
  const bool is_closed = sessions_.close(request.captured.front());
  answer.send(is_closed ? json_response("{\"closed\":true}") : no_such_session());
}

}  // namespace airlock::http

#include "present/page/site.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/hex.h"
#include "engine/approve/extractors.h"
#include "engine/records/model_log.h"
#include "engine/records/records.h"
#include "os/random.h"
#include "present/page/assets.h"
#include "present/page/views.h"

namespace airlock::page {

namespace {

constexpr std::size_t kMostRunsShown = 200;
constexpr std::size_t kMostEvents = 100;
constexpr int kSeeOther = 303;
constexpr int kBadRequest = 400;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kNotAllowed = 405;
constexpr int kConflict = 409;
constexpr int kGone = 410;
constexpr int kUnprocessable = 422;
constexpr int kOurFault = 500;
constexpr int kUnavailable = 503;
constexpr std::size_t kDraftIdDigits = 8;

// Scripts and styles from here alone, no frame around us, no form to elsewhere, no request
// anywhere else.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

std::int64_t clock_ms() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Referrer-Policy: without any referrer a browser would send our own forms with "Origin: null".
PageResponse html_response(std::string body, int status = 200) {
  return {.status = status,
          .content_type = "text/html; charset=utf-8",
          .headers = {{"Content-Security-Policy", kContentPolicy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "same-origin"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cache-Control", "no-store"}},
          .body = std::move(body)};
}

// After a change: the browser asks for what came of it, and reloading that changes nothing.
PageResponse go_to(std::string path) {
  PageResponse response = html_response("", kSeeOther);
  response.headers.emplace_back("Location", std::move(path));
  return response;
}

PageResponse asset_response(std::string_view name) {
  for (const Asset& one : assets()) {
    if (one.name == name)
      return {.status = 200,
              .content_type = std::string(one.content_type),
              .headers = {{"X-Content-Type-Options", "nosniff"},
                          {"Cross-Origin-Resource-Policy", "same-origin"},
                          {"Cache-Control", "public, max-age=31536000, immutable"}},
              .body = std::string(one.bytes)};
  }
  return {.status = kNotFound, .content_type = "text/plain", .headers = {}, .body = "not found\n"};
}

PageResponse not_found(const Viewer& viewer) {
  return html_response(
      trouble_page(viewer, "There is nothing here", "This page does not exist, or not any more.",
                   Html("<p><a class=\"button\" href=\"/\">What waits</a></p>")),
      kNotFound);
}

// The disk or the store behind the page, which nothing in the request has caused.
bool is_of_the_store(const Error& error) {
  constexpr std::array kNumbers = {ENOSPC, EDQUOT, EROFS, EIO, EBUSY, EBADMSG};
  return std::ranges::find(kNumbers, error.number) != kNumbers.end();
}

bool is_our_fault(const Error& error) {
  return error.kind == ErrorKind::kOurs || is_of_the_store(error);
}

// Each kind of trouble with its number; the message is for people already.
PageResponse trouble(const Viewer& viewer, const Error& error) {
  if (error.kind == ErrorKind::kRequest && !is_of_the_store(error))
    return html_response(trouble_page(viewer, "That cannot be done", error.message,
                                      Html("<p><a href=\"/\">What waits</a></p>")),
                         kBadRequest);
  return html_response(trouble_page(viewer, "Something went wrong here", error.message,
                                    Html("<p><a href=\"/\">What waits</a></p>")),
                       kOurFault);
}

// Somebody may still read it: the server has a moment for its last answers.
PageResponse stopped(const Viewer& viewer) {
  return html_response(trouble_page(viewer, "The server ends",
                                    "Nothing was changed. Ask again when it is back.", {}),
                       kUnavailable);
}

// "/drafts/ID" → "ID"; empty: it is none of these.
std::string_view behind(std::string_view path, std::string_view prefix) {
  return path.starts_with(prefix) ? path.substr(prefix.size()) : std::string_view();
}

std::string sign_in_path_of(const std::string& key) {
  return "/sign-in?key=" + key;
}

void sort_events(std::vector<TailEvent>& events) {
  std::ranges::stable_sort(events, std::ranges::greater(), &TailEvent::time);
  if (events.size() > kMostEvents) events.resize(kMostEvents);
}

std::string named(const ReviewNote& review) {
  return review.by.empty() ? "" : " by " + review.by;
}

// Events of one page of the tail, and what could not be looked at.
struct Gathered {
  std::vector<TailEvent> events = {};
  std::vector<std::string> unread = {};

  template <typename T>
  std::vector<T> read(Result<std::vector<T>> rows) {
    if (rows) return *std::move(rows);
    // One store, one trouble: it is said once.
    if (std::ranges::find(unread, rows.error().message) == unread.end())
      unread.push_back(rows.error().message);
    return {};
  }
};

void add_draft_events(const UserDirs& user_dirs, Gathered& to) {
  for (const Draft& one : to.read(list_drafts(user_dirs)))
    to.events.push_back({one.created, Tone::kNeutral, "draft",
                         (one.name.empty() ? one.id : one.name) + " waits", "/drafts/" + one.id});
  for (const RejectedDraft& one : to.read(list_rejected(user_dirs)))
    to.events.push_back({one.rejected, Tone::kWarning, "rejected",
                         (one.draft.name.empty() ? one.draft.id : one.draft.name) +
                             named(one.review) + ": " + one.review.note,
                         "/rejected"});
  for (const ApprovedExtractor& one : to.read(list_extractors(user_dirs)))
    to.events.push_back({one.approved, Tone::kGood, "approved", full_name(one) + named(one.review),
                         "/extractors/" + url_part(full_name(one))});
}

void add_run_events(const UserDirs& user_dirs, Gathered& to) {
  for (const RunRecord& run : to.read(list_runs(user_dirs, kMostEvents))) {
    const std::string link = "/runs/" + url_part(run.id);
    to.events.push_back(
        {run.started, Tone::kNeutral, "run", run.repository + " " + run.task + " began", link});
    const std::int64_t ended = run.finished.value_or(run.started);
    for (const ExecutionRecord& one : run.executions) {
      if (one.status != ExecutionStatus::kFailed) continue;
      to.events.push_back(
          {ended, Tone::kBad, "failed", one.probe + ": " + one.reason.value_or(""), link});
    }
    if (run.finished)
      to.events.push_back({ended, Tone::kNeutral, "run", run.repository + " ended", link});
  }
}

void add_model_events(const UserDirs& user_dirs, Gathered& to) {
  for (const ModelCall& call : to.read(list_model_calls(user_dirs, kMostEvents))) {
    const bool is_fine = call.outcome == "answered";
    to.events.push_back({call.started, is_fine ? Tone::kNeutral : Tone::kBad, "model",
                         call.provider + " " + call.model + " " + call.outcome +
                             (is_fine ? "" : ": " + call.message),
                         ""});
  }
}

}  // namespace

Site::Site(SiteOptions options)
    : options_(std::move(options)), cookie_name_("airlock_" + hex_of(os::random_bytes(4))) {}

std::string Site::sign_in_path() const {
  return sign_in_path_of(sign_ins_.link_key());
}

PageResponse Site::answer(const PageRequest& request) {
  const bool is_look = request.method == "GET" || request.method == "HEAD";
  if (const std::string_view asset = behind(request.path, "/assets/"); !asset.empty() && is_look)
    return asset_response(asset);
  if (request.path == "/sign-in" && is_look) return sign_in(request);
  const std::string cookie(cookie_of(request.cookies, cookie_name_));
  const std::int64_t now = clock_ms();
  const auto signed_in = sign_ins_.find(cookie, now);
  if (!signed_in) return ask_to_sign_in();
  Visit visit{.request = request,
              .viewer = {signed_in->form_token, signed_in->name, now},
              .cookie = cookie,
              .query = read_form(request.query).value_or(Fields())};
  if (is_look) return look(visit);
  if (request.method == "POST") return change(visit);
  PageResponse response = html_response(
      trouble_page(visit.viewer, "That cannot be done", "There are GET, HEAD and POST.", {}),
      kNotAllowed);
  response.headers.emplace_back("Allow", "GET, HEAD, POST");
  return response;
}

bool Site::is_signed_in(std::string_view cookies) const {
  return sign_ins_.find(cookie_of(cookies, cookie_name_), clock_ms()).has_value();
}

PageResponse Site::ask_to_sign_in() const {
  return html_response(sign_in_page({.now = clock_ms()}), kUnauthorized);
}

PageResponse Site::sign_in(const PageRequest& request) {
  const std::int64_t now = clock_ms();
  const std::string key = field_of(read_form(request.query).value_or(Fields()), "key");
  // Asking only for the head is what a preview does: it must not use the link up.
  if (request.method == "HEAD") return html_response("");
  const auto cookie = sign_ins_.redeem(key, now);
  if (!cookie) return html_response(link_used_page({.now = now}), kForbidden);
  if (options_.on_new_link) options_.on_new_link(sign_in_path());
  PageResponse response = html_response(signed_in_page({.now = now}));
  response.headers.emplace_back("Set-Cookie", cookie_name_ + "=" + *cookie +
                                                  "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" +
                                                  std::to_string(SignIns::kLifeMs / 1000) +
                                                  (request.is_secure ? "; Secure" : ""));
  return response;
}

PageResponse Site::look(const Visit& visit) {
  const std::string& path = visit.request.path;
  const Viewer& viewer = visit.viewer;
  if (path == "/") return waiting(visit);
  if (path == "/tail") return tail(visit);
  if (const std::string_view id = behind(path, "/drafts/"); is_hex_of(id, kDraftIdDigits))
    return draft(visit, std::string(id), Decision::kApprove, {}, 200);
  if (path == "/rejected") {
    const auto rejected = list_rejected(options_.user_dirs);
    if (!rejected) return trouble(viewer, rejected.error());
    return html_response(rejected_page(viewer, *rejected));
  }
  if (path == "/extractors") {
    const auto extractors = list_extractors(options_.user_dirs);
    if (!extractors) return trouble(viewer, extractors.error());
    return html_response(extractors_page(viewer, *extractors));
  }
  if (const std::string_view word = behind(path, "/extractors/"); !word.empty())
    return extractor(visit, word);
  if (path == "/runs") {
    const auto runs = list_runs(options_.user_dirs, kMostRunsShown);
    if (!runs) return trouble(viewer, runs.error());
    return html_response(runs_page(viewer, *runs));
  }
  if (const std::string_view id = behind(path, "/runs/"); !id.empty()) {
    const auto run = show_run(options_.user_dirs, id);
    if (!run) return not_found(viewer);
    return html_response(run_page(viewer, *run));
  }
  return not_found(viewer);
}

PageResponse Site::waiting(const Visit& visit) {
  const auto drafts = list_drafts(options_.user_dirs);
  if (!drafts) return trouble(visit.viewer, drafts.error());
  const auto approved = list_extractors(options_.user_dirs);
  if (!approved) return trouble(visit.viewer, approved.error());
  return html_response(waiting_page(visit.viewer, *drafts, *approved));
}

PageResponse Site::draft(const Visit& visit, const std::string& id, Decision decision,
                         const Typed& typed, int status) {
  // What is typed as a name decides what it is compared with.
  const bool has_name = name_trouble(typed.name).empty();
  const auto review = review_draft(options_.user_dirs, {.draft = id,
                                                        .against = has_name ? typed.name : "",
                                                        .host_program = options_.host_program,
                                                        .supply = options_.supply,
                                                        .stop = visit.request.stop});
  if (review) {
    const bool is_yes = decision == Decision::kApprove;
    return html_response(
        draft_page(visit.viewer, *review, is_yes ? typed : Typed(), is_yes ? Typed() : typed),
        status);
  }
  if (visit.request.stop.stop_requested()) return stopped(visit.viewer);
  const auto fate = is_our_fault(review.error())
                        ? Result<DraftFate>(std::unexpected(review.error()))
                        : fate_of_draft(options_.user_dirs, id);
  if (!fate && !typed.trouble.empty())
    return html_response(kept_words_page(visit.viewer, id, decision, typed), kOurFault);
  if (!fate) return trouble(visit.viewer, fate.error());
  return html_response(fate_page(visit.viewer, id, *fate, review.error().message),
                       status == 200 ? kGone : kConflict);
}

PageResponse Site::extractor(const Visit& visit, std::string_view word) {
  const auto name = read_form("name=" + std::string(word));
  auto found = name ? look_up_extractor(options_.user_dirs, field_of(*name, "name"))
                    : Result<std::optional<ApprovedExtractor>>(std::nullopt);
  if (!found) return trouble(visit.viewer, found.error());
  if (!*found) return not_found(visit.viewer);
  ExtractorView view{.extractor = **std::move(found),
                     .is_new = field_of(visit.query, "approved") == "now"};
  auto check = check_receipt_here(view.extractor, options_.host_program);
  if (!check)
    view.not_checked = check.error().message;
  else
    view.check = *std::move(check);
  view.history = extractor_history(options_.user_dirs, view.extractor.name)
                     .value_or(std::vector<ApprovedExtractor>());
  return html_response(extractor_page(visit.viewer, view));
}

PageResponse Site::tail(const Visit& visit) {
  Gathered gathered;
  if (options_.lately) gathered.events = options_.lately();
  add_draft_events(options_.user_dirs, gathered);
  add_run_events(options_.user_dirs, gathered);
  add_model_events(options_.user_dirs, gathered);
  sort_events(gathered.events);
  return html_response(tail_page(visit.viewer, gathered.events, gathered.unread));
}

PageResponse Site::change(const Visit& visit) {
  const auto form = read_form(visit.request.body);
  if (!form) return trouble(visit.viewer, form.error());
  if (!is_same_secret(field_of(*form, "token"), visit.viewer.form_token))
    return html_response(
        trouble_page(visit.viewer, "This form is not of this page",
                     "Nothing was changed. Open the page again, and send the form from there.",
                     Html("<p><a class=\"button\" href=\"/\">What waits</a></p>")),
        kForbidden);
  const std::string_view path = visit.request.path;
  if (path == "/sign-out") {
    sign_ins_.sign_out(visit.cookie);
    PageResponse response = html_response(sign_in_page({.now = visit.viewer.now}));
    response.headers.emplace_back("Set-Cookie",
                                  cookie_name_ + "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    return response;
  }
  if (visit.request.stop.stop_requested()) return stopped(visit.viewer);
  const std::string_view rest = behind(path, "/drafts/");
  const std::string id(rest.substr(0, kDraftIdDigits));
  if (is_hex_of(id, kDraftIdDigits)) {
    const std::string_view verb = rest.substr(kDraftIdDigits);
    if (verb == "/approve") return approve(visit, id, *form);
    if (verb == "/reject") return reject(visit, id, *form);
  }
  return not_found(visit.viewer);
}

void Site::remember_name(const Visit& visit, const ReviewNote& review) {
  if (!is_blank(review.by) && review_trouble(review).empty())
    sign_ins_.remember_name(visit.cookie, review.by);
}

PageResponse Site::approve(const Visit& visit, const std::string& id, const Fields& form) {
  const Typed typed{.name = field_of(form, "name"),
                    .review = {.by = field_of(form, "by"), .note = field_of(form, "note")},
                    .seen = field_of(form, "seen")};
  const auto approved = [&]() -> Result<ApprovedExtractor> {
    if (is_blank(typed.review.by)) return bad_request("Say who you are.");
    auto seen = read_seen(typed.seen);
    if (!seen) return bad_request("The form does not say what was seen.");
    const auto draft = TRY(find_draft(options_.user_dirs, id));
    if (!is_shown_whole(draft.text))
      return bad_request("Not all of it can be shown here, so it cannot be approved here.");
    return approve_draft(options_.user_dirs, {.draft = id,
                                              .approval = {typed.name, typed.review},
                                              .host_program = options_.host_program,
                                              .seen = std::move(seen),
                                              .supply = options_.supply,
                                              .stop = visit.request.stop});
  }();
  remember_name(visit, typed.review);
  if (!approved) return not_decided(visit, id, Decision::kApprove, typed, approved.error());
  return go_to("/extractors/" + url_part(full_name(*approved)) + "?approved=now");
}

PageResponse Site::reject(const Visit& visit, const std::string& id, const Fields& form) {
  const Typed typed{.review = {.by = field_of(form, "by"), .note = field_of(form, "note")},
                    .seen = field_of(form, "seen")};
  const auto rejected = [&]() -> Result<RejectedDraft> {
    if (is_blank(typed.review.by)) return bad_request("Say who you are.");
    const auto seen = read_seen(typed.seen);
    const auto draft = TRY(find_draft(options_.user_dirs, id));
    if (!seen || seen->text_sha256 != seen_draft(draft, nullptr, nullptr).text_sha256)
      return bad_request("The draft was changed by somebody else meanwhile. Look at it again.");
    return reject_draft(options_.user_dirs, draft, typed.review);
  }();
  remember_name(visit, typed.review);
  if (!rejected) return not_decided(visit, id, Decision::kReject, typed, rejected.error());
  return go_to("/rejected");
}

PageResponse Site::not_decided(const Visit& visit, const std::string& id, Decision decision,
                               Typed typed, const Error& error) {
  if (visit.request.stop.stop_requested()) return stopped(visit.viewer);
  typed.trouble = error.message;
  return draft(visit, id, decision, typed, is_our_fault(error) ? kOurFault : kUnprocessable);
}

}  // namespace airlock::page

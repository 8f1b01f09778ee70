#include "present/http/mcp.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/hex.h"
#include "os/random.h"
#include "present/http/gate.h"

namespace airlock::http {

namespace {

constexpr std::string_view kEventsType = "text/event-stream";
constexpr std::string_view kVersionHeader = "mcp-protocol-version";
constexpr std::string_view kMethodHeader = "mcp-method";
constexpr std::string_view kNameHeader = "mcp-name";
constexpr std::string_view kSessionHeader = "mcp-session-id";
constexpr std::size_t kSessionBytes = 16;

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Up to the next `mark`, which is taken away.
std::string_view next_piece(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return without_blanks(piece);
}

// "text/html;q=0": named in order to say that it is not wanted.
bool is_unwanted(std::string_view range) {
  next_piece(range, ';');
  while (!range.empty()) {
    const std::string_view parameter = next_piece(range, ';');
    if (parameter.size() > 2 && lower(parameter.substr(0, 2)) == "q=")
      return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
  }
  return false;
}

// `family`: "text/*", for "text/html".
bool takes(const RequestHead& head, std::string_view type, std::string_view family) {
  for (const Header& one : head.headers) {
    if (one.name != "accept") continue;
    std::string_view rest = one.value;
    while (!rest.empty()) {
      const std::string_view range = next_piece(rest, ',');
      const bool is_named =
          is_media_type(range, type) || is_media_type(range, family) || is_media_type(range, "*/*");
      if (is_named && !is_unwanted(range)) return true;
    }
  }
  return false;
}

std::unexpected<mcp::Fault> mismatch(std::string message) {
  return std::unexpected(mcp::Fault{.code = mcp::code::kHeaderMismatch,
                                    .message = "Header mismatch: " + std::move(message)});
}

// A header's value is text of ASCII; what is none comes as "=?base64?…?=".
bool stands_for(std::string_view header, std::string_view value) {
  constexpr std::string_view kOpen = "=?base64?";
  constexpr std::string_view kClose = "?=";
  if (header.starts_with(kOpen) && header.ends_with(kClose) &&
      header.size() >= kOpen.size() + kClose.size()) {
    header.remove_prefix(kOpen.size());
    header.remove_suffix(kClose.size());
    return header == base64(value);  // there is one way to write it
  }
  return header == value && std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
}

// `value`: what the body has; nothing: it has none, and says so itself.
std::expected<void, mcp::Fault> check_header(const RequestHead& head, std::string_view name,
                                             const std::optional<std::string>& value) {
  const std::string* header = head.header(name);
  if (header == nullptr && !value) return {};
  if (header == nullptr) return mismatch("the header " + std::string(name) + " is missing");
  if (value && stands_for(*header, *value)) return {};
  return mismatch("the header " + std::string(name) + " is not what the body says");
}

// What the header Mcp-Name repeats; null: nothing.
const char* named_by(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : nullptr;
}

// Of a request of the stateless era: the version, then what that version wants.
std::expected<mcp::Era, mcp::Fault> check_stateless(const RequestHead& head,
                                                    const mcp::Message& request) {
  if (auto version = mcp::stateless_version(request)) {
    if (auto same = check_header(head, kVersionHeader, version); !same)
      return std::unexpected(same.error());
  }
  if (auto meta = mcp::check_meta(request); !meta) return std::unexpected(meta.error());
  if (auto same = check_header(head, kMethodHeader, request.method); !same)
    return std::unexpected(same.error());
  if (const char* source = named_by(request.method)) {
    if (auto same = check_header(head, kNameHeader, request.params.text(source)); !same)
      return std::unexpected(same.error());
  }
  return mcp::Era::kStateless;
}

Response fault_response(int status, const mcp::Fault& fault) {
  return json_response(mcp::error_message(fault), status);
}

// The older era knows no status of a request that was read but its answer's: 200.
int status_of(int fault, mcp::Era era) {
  return era == mcp::Era::kStateless && fault == mcp::code::kMethodNotFound ? 404 : 200;
}

Response stream_head() {
  return {.status = 200,
          .content_type = std::string(kEventsType),
          .body = {},
          .more = {{"X-Accel-Buffering", "no"}}};  // a proxy is to hand on events as they come
}

std::string session_of(const RequestHead& head, mcp::Era era) {
  const std::string* said = head.header(kSessionHeader);
  return said == nullptr || era == mcp::Era::kStateless ? std::string() : *said;
}

// A header cannot contain a line end.
std::string key_of(const std::string& session, const std::string& id) {
  return session + '\n' + id;
}

}  // namespace

bool takes_both_forms(const RequestHead& head) {
  return takes(head, kJsonType, "application/*") && takes(head, kEventsType, "text/*");
}

std::expected<mcp::Era, mcp::Fault> check_headers(const RequestHead& head,
                                                  const mcp::Message& message) {
  for (const std::string_view name : {kVersionHeader, kMethodHeader, kNameHeader}) {
    if (head.count(name) > 1)
      return mismatch("the header " + std::string(name) + " stands there twice");
  }
  const bool is_request = message.kind == mcp::MessageKind::kRequest;
  const std::string* version = head.header(kVersionHeader);
  const bool says_stateless = version != nullptr && *version == mcp::kStatelessVersion;
  if (is_request && (says_stateless || mcp::speaks_stateless(message)))
    return check_stateless(head, message);
  if (says_stateless) return mcp::Era::kStateless;
  if (version == nullptr) {
    // It is agreed on by `initialize`, and needs none in what has no answer.
    if (!is_request || message.method == "initialize") return mcp::Era::kHandshake;
    return mismatch("the header " + std::string(kVersionHeader) + " is missing");
  }
  if (std::ranges::find(mcp::kHandshakeVersions, *version) == mcp::kHandshakeVersions.end())
    return std::unexpected(mcp::unsupported_version(*version));
  return mcp::Era::kHandshake;
}

std::string event_text(std::string_view message) {
  return "event: message\ndata: " + std::string(message) + "\n\n";
}

void McpEndpoint::add_routes(RouteTable& routes) {
  routes.add(
      {.method = Method::kPost,
       .path = "/mcp",
       .body = BodyKind::kJson,
       .perform = [this](const Request& request, Answer& answer) { perform(request, answer); }});
}

void McpEndpoint::perform(const Request& request, Answer& answer) {
  if (!takes_both_forms(request.head))
    return answer.send(fault_response(406, {.code = mcp::code::kInvalidRequest,
                                            .message = "Invalid request: Accept is to have both "
                                                       "application/json and text/event-stream"}));
  auto message = mcp::read_message(json_on_one_line(request.body));
  if (!message) return answer.send(fault_response(400, message.error()));
  auto era = check_headers(request.head, *message);
  if (!era) {
    era.error().id = message->id;
    return answer.send(fault_response(400, era.error()));
  }
  const bool begins = *era == mcp::Era::kHandshake && message->method == "initialize";
  const std::string session = session_of(request.head, *era);
  mcp::Conversation conversation{.is_initialized = *era == mcp::Era::kHandshake, .owner = session};
  auto accepted = service_.accept(std::move(*message), conversation);
  if (auto* asked = std::get_if<std::shared_ptr<mcp::Service::Asked>>(&accepted)) {
    if (!begins) return run(**asked, *era, session, answer);
    auto begun = service_.perform(**asked, {}, {});
    Response response = json_response(std::move(begun.text));
    if (begun.fault == 0)
      response.more.push_back({"Mcp-Session-Id", hex_of(os::random_bytes(kSessionBytes))});
    return answer.send(std::move(response));
  }
  if (auto* said = std::get_if<mcp::Service::Answer>(&accepted))
    return answer.send(json_response(std::move(said->text), status_of(said->fault, *era)));
  if (const auto* cancelled = std::get_if<mcp::Service::Cancelled>(&accepted))
    cancel(session, cancelled->id);
  answer.send({.status = 202, .content_type = {}, .body = {}});
}

// What is told on the way does not wait for a client that does not read: it holds a slot.
void McpEndpoint::run(mcp::Service::Asked& asked, mcp::Era era, const std::string& session,
                      Answer& answer) {
  const auto entry = enter(session, asked.id());
  std::stop_source stop = entry->second;
  const std::stop_callback leaves(answer.stop(), [&stop] { stop.request_stop(); });
  bool has_begun = false;
  const mcp::Sink sink = [&](const std::string& message) {
    if (stop.stop_requested() || !answer.has_room()) return;
    if (!has_begun) answer.begin(stream_head());
    has_begun = true;
    answer.write(event_text(message));
  };
  auto done = service_.perform(asked, sink, stop.get_token());
  leave(entry);
  if (answer.stop().stop_requested()) {
    if (!has_begun)
      answer.send(fault_response(
          503, {.message = "Internal error: it was stopped: the server ends", .id = asked.id()}));
  } else if (stop.stop_requested()) {
    // It was cancelled by a message: nothing more is said, not even an answer.
    if (!has_begun) answer.begin(stream_head());
  } else if (has_begun) {
    answer.write(event_text(done.text));
  } else {
    answer.send(json_response(std::move(done.text), status_of(done.fault, era)));
  }
}

McpEndpoint::UnderWay::iterator McpEndpoint::enter(const std::string& session,
                                                   const std::string& id) {
  const std::scoped_lock held(lock_);
  return under_way_.emplace(key_of(session, id), std::stop_source());
}

void McpEndpoint::leave(UnderWay::iterator one) {
  const std::scoped_lock held(lock_);
  under_way_.erase(one);
}

// Ids of clients are small numbers: without a session, anybody's could be meant.
void McpEndpoint::cancel(const std::string& session, const std::string& id) {
  if (session.empty()) return;
  const std::scoped_lock held(lock_);
  const auto [first, last] = under_way_.equal_range(key_of(session, id));
  for (auto one = first; one != last; ++one) one->second.request_stop();
}

}  // namespace airlock::http

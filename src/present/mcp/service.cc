#include "present/mcp/service.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/nearest.h"
#include "present/mcp/explain.h"

namespace airlock::mcp {

namespace {

constexpr std::string_view kCapabilities =
    R"("capabilities":{"tools":{},"resources":{},"prompts":{}})";
constexpr std::string_view kServerInfo =
    R"({"name":"airlock","title":"Airlock","version":")" AIRLOCK_VERSION R"("})";
constexpr std::string_view kInstructions =
    "Airlock runs and judges AI-written Python behind kernel walls. run_python computes: nothing "
    "of "
    "this machine can be reached from it, so try things there. To read fields out of file paths, "
    "first ask infer_rule for a path rule; where a rule is not enough, write def extract(path: "
    "str) "
    "-> dict, mend what check_python and validate_extractor find, and run it with extract. "
    "Approving is for a person: tell them what is ready and how (airlock approve).";

std::unexpected<Fault> wrong_params(std::string message, std::string data = {}) {
  return std::unexpected(Fault{.code = code::kInvalidParams,
                               .message = "Invalid params: " + std::move(message),
                               .data = std::move(data)});
}

std::unexpected<Fault> internal(const Error& error) {
  return std::unexpected(Fault{.message = "Internal error: " + error.message});
}

bool is_whole(std::string_view raw) {
  if (raw.starts_with('-')) raw.remove_prefix(1);
  return !raw.empty() && std::ranges::all_of(raw, is_digit);
}

// Now and then, and each further than the one before, as the protocol wants it.
class ProgressNotes {
 public:
  ProgressNotes(const Message& request, const Sink& sink)
      : token_(request.meta.raw("progressToken")), sink_(sink) {}

  void tell(const serve::PipelineProgress& now) {
    if (token_.empty() || !sink_) return;
    const auto time = Clock::now();
    const bool is_last = now.done == now.total;
    if (told_ && (now.done <= *told_ || (!is_last && time - last_ < kBetween))) return;
    told_ = now.done;
    last_ = time;
    std::string members =
        "\"progressToken\":" + std::string(token_) + ",\"progress\":" + std::to_string(now.done);
    if (now.total > 0) members += ",\"total\":" + std::to_string(now.total);
    members += ",\"message\":\"" + std::to_string(now.done) + " of " + std::to_string(now.total) +
               " paths\"";
    sink_(notification_message("notifications/progress", members));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kBetween = std::chrono::milliseconds(100);
  std::string_view token_;
  const Sink& sink_;
  std::optional<std::size_t> told_;
  Clock::time_point last_;
};

bool has_version(const Message& initialize) {
  return initialize.params.text("protocolVersion").has_value();
}

// A list is one page: whoever has a cursor did not get it from here.
std::expected<void, Fault> refuse_cursor(const Message& request) {
  if (!request.params.has("cursor") || request.params.is_null("cursor")) return {};
  return wrong_params("this list has no page with that cursor");
}

std::string unknown_tool(std::string_view name, std::span<const Tool> tools) {
  std::vector<std::string_view> names;
  for (const Tool& tool : tools) names.push_back(tool.name);
  std::string message = "Unknown tool: " + std::string(name.substr(0, 100));
  if (lower(name).contains("approve")) return message + ". " + std::string(how_to_approve());
  const std::string_view near = nearest_word(name, names);
  return message + (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?");
}

std::string members_in(Era era, const Reply& reply) {
  std::string out;
  out.reserve(reply.members.size() + 256);
  if (era == Era::kStateless) out += "\"resultType\":\"complete\"";
  if (!out.empty() && !reply.members.empty()) out += ',';
  out += reply.members;
  if (era == Era::kHandshake) return out;
  if (reply.freshness)
    out += ",\"ttlMs\":" + std::to_string(reply.freshness->milliseconds) + ",\"cacheScope\":\"" +
           (reply.freshness->is_public ? "public" : "private") + "\"";
  out += ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":";
  out += kServerInfo;
  return out + "}";
}

}  // namespace

struct Service::Method {
  std::string_view name;
  bool is_of_handshake;  // has a place in that era
  bool is_of_stateless;
  bool takes_time;
  MethodReply (Service::*perform)(Asked& asked, const Sink& sink, const std::stop_token& stop);
};

std::span<const Service::Method> Service::methods() {
  static constexpr std::array kMethods = {
      Method{"initialize", true, false, false, &Service::initialize},
      Method{"ping", true, false, false, &Service::ping},
      Method{"server/discover", false, true, false, &Service::discover},
      Method{"tools/list", true, true, false, &Service::list_tools},
      Method{"tools/call", true, true, true, &Service::call_tool},
      Method{"resources/list", true, true, true, &Service::list_resources},
      Method{"resources/templates/list", true, true, false, &Service::list_templates},
      Method{"resources/read", true, true, true, &Service::read},
      Method{"prompts/list", true, true, false, &Service::list_prompts},
      Method{"prompts/get", true, true, true, &Service::get_prompt},
  };
  return kMethods;
}

Service::Service(serve::Resident& resident, const Offer& offer)
    : resident_(resident),
      offer_(offer),
      tools_listed_(tools_as_json(offer.tools)),
      sessions_(resident) {}

Service::~Service() {
  resident_.extractors().forget(&sessions_);
}

Service::Accepted Service::accept(std::string text, Conversation& conversation) {
  auto message = read_message(std::move(text));
  if (!message) return Answer{error_message(message.error()), message.error().code};
  return accept(std::move(*message), conversation);
}

Service::Accepted Service::accept(Message message, Conversation& conversation) {
  if (message.kind == MessageKind::kResponse) return Nothing{};
  if (message.kind == MessageKind::kNotification) {
    if (message.method != "notifications/cancelled") return Nothing{};
    return Cancelled{std::string(message.params.raw("requestId"))};
  }
  const std::string id = message.id;
  auto asked = prepare(std::move(message), conversation);
  if (!asked) {
    asked.error().id = id;
    return Answer{error_message(asked.error()), asked.error().code};
  }
  // Here messages still come in their order: the next one may rely on it.
  if ((*asked)->method_->name == "initialize" && has_version((*asked)->message_))
    conversation.is_initialized = true;
  return std::move(*asked);
}

bool Service::Asked::takes_time() const {
  return method_->takes_time;
}

// The era first, by what the request carries; then its method, which is of that era; then what
// every request has.
std::expected<std::shared_ptr<Service::Asked>, Fault> Service::prepare(Message message,
                                                                       Conversation& conversation) {
  auto asked = std::make_shared<Asked>();
  asked->message_ = std::move(message);
  const Message& request = asked->message_;
  const auto all = methods();
  const auto found = std::ranges::find(all, request.method, &Method::name);
  const bool is_known = found != all.end();
  const bool opens = is_known && found->is_of_handshake && !found->is_of_stateless;
  asked->era_ = !speaks_stateless(request) && (conversation.is_initialized || opens)
                    ? Era::kHandshake
                    : Era::kStateless;
  const auto meta =
      asked->era_ == Era::kStateless ? check_meta(request) : std::expected<void, Fault>();
  const bool is_missing = !meta && meta.error().code == code::kInvalidParams && !is_known;
  if (!meta && !is_missing) return std::unexpected(meta.error());
  if (!is_known ||
      !(asked->era_ == Era::kHandshake ? found->is_of_handshake : found->is_of_stateless))
    return std::unexpected(
        Fault{.code = code::kMethodNotFound, .message = "Method not found: " + request.method});
  asked->method_ = &*found;
  const std::string_view token = request.meta.raw("progressToken");
  if (!token.empty() && token.front() != '"' && !is_whole(token))
    return wrong_params("'progressToken' is to be a text or a whole number");
  if (request.method == "tools/call") {
    if (auto ready = prepare_call(*asked, conversation.owner); !ready)
      return std::unexpected(std::move(ready).error());
  }
  return asked;
}

// Here requests still come in their order: so do the pieces of a session.
std::expected<void, Fault> Service::prepare_call(Asked& asked, const std::string& owner) {
  const JsonMembers& params = asked.message_.params;
  const auto name = params.text("name");
  if (!name) return wrong_params("'name' is to be the name of a tool");
  const auto tool = std::ranges::find(offer_.tools, *name, &Tool::name);
  if (tool == offer_.tools.end())
    return std::unexpected(
        Fault{.code = code::kInvalidParams, .message = unknown_tool(*name, offer_.tools)});
  asked.tool_ = &*tool;
  if (params.has("arguments") && !params.is_null("arguments")) {
    auto arguments = JsonMembers::read(params.raw("arguments"), kMessageDepth);
    if (!arguments) return wrong_params("'arguments' is to be an object");
    asked.arguments_ = std::move(*arguments);
  }
  const auto session = tool->has_sessions ? asked.arguments_.text("session") : std::nullopt;
  constexpr std::size_t kLongestName = 4UL * 200;  // bytes of so many characters
  if (session && !session->empty() && session->size() <= kLongestName)
    asked.turn_.emplace(sessions_.enter_or_make(owner + '\n' + *session));
  return {};
}

Service::Answer Service::perform(Asked& asked, const Sink& sink, const std::stop_token& stop) {
  MethodReply reply;
  try {
    reply = (this->*asked.method_->perform)(asked, sink, stop);
  } catch (const std::exception& bug) {
    reply = std::unexpected(Fault{.message = std::string("Internal error: ") + bug.what()});
  }
  asked.turn_.reset();  // before anybody hears of it: the next piece may begin
  if (reply) return {result_message(asked.id(), members_in(asked.era_, *reply)), 0};
  reply.error().id = asked.id();
  return {error_message(reply.error()), reply.error().code};
}

Service::MethodReply Service::initialize(Asked& asked, const Sink& /*sink*/,
                                         const std::stop_token& /*stop*/) {
  const auto version = asked.message_.params.text("protocolVersion");
  if (!version) return wrong_params("'protocolVersion' is to be a text");
  return Reply{"\"protocolVersion\":\"" + std::string(agreed_version(*version)) + "\"," +
               std::string(kCapabilities) + ",\"serverInfo\":" + std::string(kServerInfo) +
               ",\"instructions\":" + json_string(kInstructions)};
}

Service::MethodReply Service::discover(Asked& /*asked*/, const Sink& /*sink*/,
                                       const std::stop_token& /*stop*/) {
  return Reply{"\"supportedVersions\":" + versions_as_json() + "," + std::string(kCapabilities) +
                   ",\"instructions\":" + json_string(kInstructions),
               kFixed};
}

Service::MethodReply Service::ping(Asked& /*asked*/, const Sink& /*sink*/,
                                   const std::stop_token& /*stop*/) {
  return Reply{};
}

Service::MethodReply Service::list_tools(Asked& asked, const Sink& /*sink*/,
                                         const std::stop_token& /*stop*/) {
  if (auto fine = refuse_cursor(asked.message_); !fine) return std::unexpected(fine.error());
  return Reply{tools_listed_, kFixed};
}

Service::MethodReply Service::call_tool(Asked& asked, const Sink& sink,
                                        const std::stop_token& stop) {
  ProgressNotes notes(asked.message_, sink);
  const serve::ProgressListener on_progress = [&](const serve::PipelineProgress& now) {
    notes.tell(now);
  };
  ToolCall call{.arguments = {.line = asked.message_.text,
                              .id = asked.message_.id,
                              .what = std::string(asked.tool_->name),
                              .members = asked.arguments_},
                .resident = resident_,
                .sessions = sessions_,
                .turn = asked.turn_ ? &*asked.turn_ : nullptr,
                .stop = stop,
                .on_progress = on_progress};
  const auto result = asked.tool_->perform(call);
  if (result) return Reply{call_as_json(*result)};
  if (result.error().kind == ErrorKind::kOurs) return internal(result.error());
  return Reply{failed_call_as_json(result.error())};
}

Service::MethodReply Service::list_resources(Asked& asked, const Sink& /*sink*/,
                                             const std::stop_token& /*stop*/) {
  if (auto fine = refuse_cursor(asked.message_); !fine) return std::unexpected(fine.error());
  auto listed = offer_.resources.list(resident_);
  if (!listed) return internal(listed.error());
  return Reply{std::move(*listed), kOfMoment};
}

Service::MethodReply Service::list_templates(Asked& asked, const Sink& /*sink*/,
                                             const std::stop_token& /*stop*/) {
  if (auto fine = refuse_cursor(asked.message_); !fine) return std::unexpected(fine.error());
  return Reply{offer_.resources.templates(), kFixed};
}

Service::MethodReply Service::read(Asked& asked, const Sink& /*sink*/,
                                   const std::stop_token& /*stop*/) {
  const auto uri = asked.message_.params.text("uri");
  if (!uri) return wrong_params("'uri' is to be a text");
  auto found = offer_.resources.read(*uri, resident_);
  if (!found) return internal(found.error());
  if (*found) return Reply{std::move((*found)->contents), (*found)->freshness};
  return std::unexpected(
      Fault{.code = asked.era_ == Era::kHandshake ? code::kResourceNotFound : code::kInvalidParams,
            .message = "Resource not found",
            .data = "{\"uri\":" + json_string(*uri) + "}"});
}

Service::MethodReply Service::list_prompts(Asked& asked, const Sink& /*sink*/,
                                           const std::stop_token& /*stop*/) {
  if (auto fine = refuse_cursor(asked.message_); !fine) return std::unexpected(fine.error());
  return Reply{prompts_as_json(offer_.prompts), kFixed};
}

Service::MethodReply Service::get_prompt(Asked& asked, const Sink& /*sink*/,
                                         const std::stop_token& /*stop*/) {
  const JsonMembers& params = asked.message_.params;
  const auto name = params.text("name");
  if (!name) return wrong_params("'name' is to be the name of a prompt");
  const bool has_arguments = params.has("arguments") && !params.is_null("arguments");
  const auto arguments = has_arguments ? JsonMembers::read(params.raw("arguments"), kMessageDepth)
                                       : std::optional<JsonMembers>(JsonMembers());
  if (!arguments) return wrong_params("'arguments' is to be an object");
  auto prompt = prompt_as_json(offer_.prompts, *name, *arguments, resident_);
  if (!prompt) return std::unexpected(std::move(prompt).error());
  return Reply{std::move(*prompt)};
}

}  // namespace airlock::mcp

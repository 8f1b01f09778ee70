// The Model Context Protocol without a transport: a message in, what is to be sent out. Both eras
// (era.h), chosen by each message. Whoever has the transport reads messages in their order and
// hands each to accept(), which takes no time. Requests are then performed, many at once by threads
// of the transport's where that takes time, and end when their stop is requested: then nothing is
// to be sent for them any more.
//
// Threads: accept() by one at a time for each Conversation; everything else from any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "present/mcp/era.h"
#include "present/mcp/freshness.h"
#include "present/mcp/message.h"
#include "present/mcp/offer.h"
#include "present/serve/live_sessions.h"
#include "present/serve/resident.h"

namespace airlock::mcp {

// Takes messages to the client that belong to a request under way; from the thread that performs
// it.
using Sink = std::function<void(std::string message)>;

// What a method came to: the members of its result.
struct Reply {
  std::string members;
  std::optional<Freshness> freshness = {};
};

class Service {
 public:
  // A message to send. `fault`: the code of its error, 0 for a result; transports with a status
  // need it.
  struct Answer {
    std::string text;
    int fault = 0;
  };
  struct Nothing {};
  // The request with this id, as it was sent, is not wanted any more.
  struct Cancelled {
    std::string id;
  };
  class Asked;  // a request that is to be performed
  using Accepted = std::variant<Nothing, Answer, Cancelled, std::shared_ptr<Asked>>;

  // `resident` and what `offer` points to outlive it.
  Service(serve::Resident& resident, const Offer& offer);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  Accepted accept(std::string text, Conversation& conversation);
  Accepted accept(Message message, Conversation& conversation);
  // Whether anything is to be sent is the caller's to decide: not after `stop`.
  Answer perform(Asked& asked, const Sink& sink, const std::stop_token& stop);

 private:
  struct Method;
  using MethodReply = std::expected<Reply, Fault>;
  static std::span<const Method> methods();

  std::expected<std::shared_ptr<Asked>, Fault> prepare(Message message, Conversation& conversation);
  MethodReply initialize(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply discover(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply ping(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply list_tools(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply call_tool(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply list_resources(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply list_templates(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply read(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply list_prompts(Asked& asked, const Sink& sink, const std::stop_token& stop);
  MethodReply get_prompt(Asked& asked, const Sink& sink, const std::stop_token& stop);
  std::expected<void, Fault> prepare_call(Asked& asked, const std::string& owner);

  serve::Resident& resident_;
  Offer offer_;
  std::string tools_listed_;
  serve::LiveSessions sessions_;
};

// A request whose kind is known, and whose place among the pieces of its session is taken.
class Service::Asked {
 public:
  const std::string& id() const { return message_.id; }
  std::size_t bytes() const { return message_.text->size(); }
  bool takes_time() const;

 private:
  friend class Service;
  Message message_;
  Era era_ = Era::kStateless;
  const Method* method_ = nullptr;
  // Of tools/call:
  const Tool* tool_ = nullptr;
  JsonMembers arguments_;
  std::optional<serve::LiveSessions::Turn> turn_;
};

}  // namespace airlock::mcp

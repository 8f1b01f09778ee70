// The Model Context Protocol behind an address: `POST /mcp`, what its specification calls
// streamable HTTP. What is said is present/mcp's; here is how a message comes in and goes out.
//
// (1) One request, one message. Nothing is remembered between two: the version is in the header of
//     each, which is all that `initialize` agrees on. So there are no sessions of the protocol to
//     expire. A client of 2025-11-25 is given an id nevertheless, because it cancels by a message
//     of its own: the id says whose request is meant.
// (2) Headers repeat what the body says, for proxies that read no bodies. Whoever disagrees with
//     oneself is refused, so that nobody can show a proxy one thing and do another.
// (3) An answer is one JSON document, unless something is to be told before it: then it is a stream
//     of events, which begins with the first of them.
// (4) A client that leaves has cancelled its request.
#pragma once

#include <expected>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "present/http/answer.h"
#include "present/http/message.h"
#include "present/http/routes.h"
#include "present/mcp/era.h"
#include "present/mcp/message.h"
#include "present/mcp/offer.h"
#include "present/mcp/service.h"
#include "present/serve/resident.h"

namespace airlock::http {

class McpEndpoint {
 public:
  // `resident` and what `offer` points to outlive it.
  McpEndpoint(serve::Resident& resident, const mcp::Offer& offer) : service_(resident, offer) {}

  // Must outlive the table.
  void add_routes(RouteTable& routes);

 private:
  // Requests that can be cancelled by a message, by whose they are and their id.
  using UnderWay = std::multimap<std::string, std::stop_source>;

  void perform(const Request& request, Answer& answer);
  void run(mcp::Service::Asked& asked, mcp::Era era, const std::string& session, Answer& answer);
  UnderWay::iterator enter(const std::string& session, const std::string& id);
  void leave(UnderWay::iterator one);
  void cancel(const std::string& session, const std::string& id);

  mcp::Service service_;
  std::mutex lock_;  // of what follows
  UnderWay under_way_;
};

// Whether the client takes both forms of an answer, as the protocol wants it from every client.
bool takes_both_forms(const RequestHead& head);

// The era in which the message is to be served; a Fault: its headers are missing, disagree with it,
// or name a version that is not spoken.
std::expected<mcp::Era, mcp::Fault> check_headers(const RequestHead& head,
                                                  const mcp::Message& message);

// One message (a line) as an event of a stream.
std::string event_text(std::string_view message);

}  // namespace airlock::http

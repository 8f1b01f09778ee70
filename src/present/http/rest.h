// The commands and sessions as HTTP: the bodies and answers of docs/http.md. What they do is done
// by the pipelines and sessions of present/serve, as for every other door; here is only how a
// request becomes theirs, and which status an answer has.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "present/http/answer.h"
#include "present/http/message.h"
#include "present/http/routes.h"
#include "present/serve/live_sessions.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::http {

// Sessions belong to it, and so to the server: whoever has the token and a session's name uses it.
class Rest {
 public:
  // `resident` outlives it.
  explicit Rest(serve::Resident& resident) : resident_(resident), sessions_(resident) {}
  ~Rest();
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;

  // Must outlive the table.
  void add_routes(RouteTable& routes);

 private:
  void perform(std::string_view what, const Request& request, Answer& answer);
  void extract(const Request& request, Answer& answer);
  void open(const Request& request, Answer& answer);
  void run_alone(const Request& request, Answer& answer);
  void run_in(const Request& request, Answer& answer);
  void close(const Request& request, Answer& answer);
  Result<std::string> run_piece(const serve::Request& asked, const serve::LiveSessions::Turn& turn,
                                const std::stop_token& stop);

  serve::Resident& resident_;
  serve::LiveSessions sessions_;
};

// The answer to a request that failed: 400 where it can be mended by whoever sent it.
Response response_to(const Error& error, const std::stop_token& stop);

// Whether rows are wanted as one JSON document rather than line by line.
bool wants_one_document(const RequestHead& head);

}  // namespace airlock::http

// One client: requests in, answers and events out, over one stream of lines. Requests are done by
// threads of the connection's own, many at once, and answered in the order in which they
// finish; what a session is asked is done in the order of the requests. Sessions belong to the
// connection that opened them, and end with it.
//
// The client is a program of the user's, and may still be wrong, slow or gone: a line that is no
// request is answered with an error; a client that takes no answers loses its connection; one that
// goes away has its pieces ended. Nothing of it reaches another connection.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "present/serve/line_stream.h"
#include "present/serve/live_sessions.h"
#include "present/serve/pipelines.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"
#include "present/serve/session_request.h"
#include "present/serve/task_threads.h"

namespace airlock::serve {

class Connection {
 public:
  // `stop` becomes readable when the server ends. Files may be named by a client who started us,
  // and sees what we see; we end with it, and wait for it as long as it lives.
  Connection(Resident& resident, int in, int out, int stop, FilesMayBeNamed files);

  // Reads requests until the client has gone or the server ends; returns when nothing of this
  // connection is at work any more.
  void serve();

 private:
  // A request that is being done, and how to stop it.
  struct UnderWay {
    std::shared_ptr<const LiveSessions::Turn> turn;  // of a piece
    std::stop_source stop;
    std::size_t bytes = 0;  // of the request
  };

  class PieceEvents;

  void take(Request request);
  void start(Request request);
  bool enter(const Request& request);
  std::string done_line(const Request& request, const std::stop_token& stop);
  Result<Answered> perform(const Request& request, const std::stop_token& stop);
  Result<std::string> open(const Request& request);
  Result<std::string> run(const Request& request, const std::stop_token& stop);
  Result<std::string> close(const Request& request);
  std::shared_ptr<const LiveSessions::Turn> turn_of(const std::string& id);
  Result<std::string> run_piece(const Request& request, const LiveSessions::Turn& turn,
                                const std::stop_token& stop);
  void answer(const Request& request);
  void cancel(const Request& request);
  void cancel_all();
  void finish(const std::string& id);

  Resident& resident_;
  LineStream stream_;
  FilesMayBeNamed files_;
  LiveSessions sessions_;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::map<std::string, UnderWay> under_way_;  // by the requests' ids
  std::size_t at_work_ = 0;                    // tasks of this connection that have not ended
  std::size_t bytes_under_way_ = 0;
  // One for each request that may be under way: none waits for those of another connection.
  TaskThreads threads_;
};

}  // namespace airlock::serve

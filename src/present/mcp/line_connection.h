// The protocol over a pair of descriptors, one message a line: what the specification calls stdio.
// Requests are done by threads of the connection's own, many at once. A client that goes away has
// its pieces ended; for one that takes no answers nothing more is begun.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "present/mcp/service.h"
#include "present/serve/line_stream.h"
#include "present/serve/task_threads.h"

namespace airlock::mcp {

class LineConnection {
 public:
  // `stop` becomes readable when the server ends. `service` outlives it.
  LineConnection(Service& service, int in, int out, int stop);

  // Until the client has gone or the server ends; returns when nothing of it is at work any more.
  void serve();

 private:
  // A request that is being done.
  struct UnderWay {
    std::stop_source stop;
    std::size_t bytes = 0;
  };

  void take(std::string line);
  void start(std::shared_ptr<Service::Asked> asked);
  bool enter(const Service::Asked& asked);
  void perform(Service::Asked& asked, const std::stop_token& stop);
  void cancel(const std::string& id);
  void cancel_all();

  Service& service_;
  serve::LineStream stream_;
  Conversation conversation_;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::map<std::string, UnderWay> under_way_;  // by the requests' ids
  std::size_t at_work_ = 0;                    // tasks that have not ended
  std::size_t bytes_under_way_ = 0;
  serve::TaskThreads threads_;
};

}  // namespace airlock::mcp

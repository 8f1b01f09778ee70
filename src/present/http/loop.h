// The transport: one thread that waits for all clients at once (epoll), reads requests, asks the
// gate, hands them to threads that perform them, and writes what these answer.
//
// (1) The loop waits for nobody: every socket is non-blocking, every wait has an end, and what
//     takes time is performed elsewhere.
// (2) What a client can make us hold is bounded: connections, bytes of a head, of a body, of all
//     bodies together, requests under way, bytes that wait for it.
// (3) A client that goes away while its request is performed is noticed at once, and its request is
//     stopped. (It has gone when it sends its end: whoever wants an answer keeps its half open.)
// (4) When the server ends nothing new is taken; what is under way gets a moment, is then stopped,
//     and its answer is still sent.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "os/wake_up.h"
#include "present/http/access_log.h"
#include "present/http/connection.h"
#include "present/http/gate.h"
#include "present/http/listener.h"
#include "present/http/metrics.h"
#include "present/serve/task_threads.h"

namespace airlock::http {

// Reasons beside each; docs/http.md tells them.
struct LoopLimits {
  // Each holds a descriptor and some memory. When all are taken, who waits longest for its next
  // request makes room: idle clients cannot keep others out.
  std::size_t connections = 1024;
  // Each holds a thread.
  std::size_t under_way = 256;
  // Of all bodies that are being read or performed.
  std::size_t body_bytes = 256UL * 1024 * 1024;
  // Of one connection; the client makes a new one, and may then reach another server.
  std::size_t requests_of_connection = 10'000;
  // From the first byte of a head to its last: nobody needs longer who is not holding us up.
  std::chrono::seconds head{10};
  // Between two requests.
  std::chrono::seconds idle{75};
  // A body has so long, and a second more for each `body_rate` bytes of it that have come.
  std::chrono::seconds body{20};
  std::size_t body_rate = 64UL * 1024;
  // For a client to read the answer to what it still sends.
  std::chrono::seconds linger{2};
  // For requests under way when the server ends, before they are stopped; and then for the rest.
  std::chrono::milliseconds grace{1000};
  std::chrono::seconds end{10};
};

class Loop {
 public:
  // Everything but `listener` outlives it.
  static Result<std::unique_ptr<Loop>> make(Listener listener, Gate& gate, Metrics& metrics,
                                            AccessLog& log, const LoopLimits& limits);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Until `stop` is readable and nothing is under way any more.
  void run(int stop);

  // From any thread.
  std::size_t connections_open() const { return open_; }
  std::size_t requests_under_way() const { return at_work_; }

 private:
  Loop(Listener listener, Gate& gate, Metrics& metrics, AccessLog& log, const LoopLimits& limits,
       Fd poll, os::WakeUp news);

  // What performers tell the loop.
  struct News {
    std::uint64_t id = 0;
    std::size_t released_bytes = 0;
    bool is_over = false;
  };

  void wait(int stop);
  void accept_all();
  void turn_away(int client);
  bool make_room();
  void heed(Connection& connection, std::uint32_t events);
  void hear_news();
  void pump(Connection& connection);
  bool read_some(Connection& connection);
  bool take_head(Connection& connection);
  void count_body(Connection& connection);
  void dispatch(Connection& connection);
  void perform(Connection& connection, std::shared_ptr<Request> request);
  bool send_some(Connection& connection);
  void answer(Connection& connection, Response response);
  void refuse(Connection& connection, Response response);
  void end_answer(Connection& connection);
  void note(Connection& connection, int status);
  void drop(Connection& connection);
  void forget_dropped();
  void update_interest(Connection& connection);
  void look_at_clocks();
  void begin_end();
  int milliseconds_to_wait() const;
  bool is_over() const;

  Listener listener_;
  Gate& gate_;
  Metrics& metrics_;
  AccessLog& log_;
  const LoopLimits limits_;
  Fd poll_;
  os::WakeUp bell_;
  TimePoint now_;
  TimePoint next_look_;
  std::uint64_t next_id_;
  std::map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::vector<std::uint64_t> dropped_;
  std::multimap<TimePoint, std::uint64_t> delayed_;
  std::size_t body_bytes_ = 0;
  bool is_listening_ = true;  // not while there is no descriptor for another client
  bool is_ending_ = false;
  bool is_stopped_ = false;  // requests under way were told to stop
  TimePoint stop_at_;
  TimePoint end_at_;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<std::size_t> at_work_ = 0;
  std::mutex lock_;  // of what follows
  std::vector<News> news_;
  serve::TaskThreads threads_;  // last: they use all of the above
};

}  // namespace airlock::http

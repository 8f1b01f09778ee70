// One client's socket, as the loop sees it: bytes in, bytes out, and where it stands. It knows
// nothing of routes; loop.cc moves it on. Only the loop's thread touches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "present/http/exchange.h"
#include "present/http/gate.h"
#include "present/http/limits.h"
#include "present/http/listener.h"
#include "present/http/request_reader.h"

namespace airlock::http {

enum class Stage : std::uint8_t {
  kReading,    // a request, or the wait for one
  kWorking,    // somebody performs it
  kDelayed,    // its answer is ready, and held back
  kAnswering,  // all of its answer is in `out`
  kLingering,  // we have said all; what still comes is thrown away, so that the answer arrives
};

// What is told of a request when it is over.
struct RequestRecord {
  std::string method;
  std::string path;   // of the table; else as it was sent
  std::string label;  // of the table; empty: there is none
  int status = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  TimePoint began;
};

class Connection {
 public:
  Connection(std::uint64_t number, Accepted accepted, TimePoint now);

  // Reads what is there, up to a bound. False: an error; the client is gone.
  bool fill();
  // Writes what it can. False: the client is gone.
  bool flush(TimePoint now);
  void queue(std::string bytes);
  // Forgets the request that was answered; what was read beyond it stays.
  void begin_next(TimePoint now);
  bool has_room_in() const { return in.size() < kMostAhead; }

  // A client who sends requests ahead of the answers is read so far.
  static constexpr std::size_t kMostAhead = 64UL * 1024;

  const std::uint64_t id;
  Fd socket;
  const std::string peer;    // for people
  const std::string client;  // for the limits
  Stage stage = Stage::kReading;
  std::uint32_t interest = 0;  // what epoll was told
  TimePoint deadline;          // of this stage; a far one where there is none
  TimePoint waits_since;       // for a request
  std::string in;
  bool has_ended = false;   // it sends nothing more
  bool is_dropped = false;  // to be forgotten

  // Of the request.
  RequestReader reader;
  std::optional<Gate::LetIn> let_in;
  std::shared_ptr<Exchange> exchange;
  std::optional<Response> delayed;
  std::optional<RequestRecord> record;
  bool closes = false;  // after this answer
  std::size_t counted_body = 0;
  std::size_t requests = 0;

  std::deque<std::string> out;
  std::size_t out_bytes = 0;

 private:
  std::size_t out_start_ = 0;  // of the first one
};

}  // namespace airlock::http

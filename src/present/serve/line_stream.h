// One JSON document a line, over a pair of descriptors (a socket, or standard input and output).
// Lines that come in are bounded. Lines that go out are queued by any thread, which never waits for
// the peer, and written whole, in their order, by a thread of the stream's own. Whoever is about to
// make more of them asks first whether there is room: a peer that does not read is answered no
// more, after a while it is given up, and it costs nobody's time but its own.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/fd.h"

namespace airlock::serve {

class LineStream {
 public:
  // More in one line is not read.
  static constexpr std::size_t kMostLine = 64UL * 1024 * 1024;

  // A peer that takes nothing for so long is gone; milliseconds.
  static constexpr int kWritePatience = 30'000;
  // For one whose end shows in another way: it may be asleep.
  static constexpr int kEndlessPatience = -1;

  enum class NoLine : std::uint8_t { kClosed, kTooLong };

  // `stop` (a descriptor, or -1) ends the waiting when it becomes readable.
  LineStream(int in, int out, int stop, int write_patience = kWritePatience);
  // Writes what is queued, as long as the peer takes it.
  ~LineStream();
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  // The next line, without its end; blank ones are passed over. By one thread. A peer that takes no
  // lines any more is not read from either: while so much waits for it that every further answer,
  // even one that only refuses a line, would be kept for nobody.
  std::expected<std::string, NoLine> read_line();
  // After kTooLong: the rest of that line is passed over. False: the peer has gone.
  bool skip_line();

  // False: nobody takes it any more, now or ever. From any thread.
  bool write_line(std::string line);
  // Whether the peer keeps up: less than kMostQueued bytes wait for it.
  bool has_room();
  // Waits until it does, or has gone (false), or it was stopped (false).
  bool await_room(const std::stop_token& stop);
  static constexpr std::size_t kMostQueued = 16UL * 1024 * 1024;

 private:
  // As long as no more than this waits, lines are read. Above kMostQueued: a client that has much
  // to read can still cancel, and answer calls.
  static constexpr std::size_t kMostQueuedToRead = 2 * kMostQueued;
  // What keeping a line costs beside its bytes.
  static constexpr std::size_t kLineOverhead = 64;

  ssize_t write_some(std::string_view bytes);
  bool write_all(std::string_view bytes);
  void write_queued();
  bool read_some();
  bool await_reader();
  bool wait_for(int descriptor, short events, int milliseconds) const;

  int in_;
  int out_;
  int stop_;
  int write_patience_;
  std::string buffer_;
  std::size_t start_ = 0;    // where the next line begins
  std::size_t scanned_ = 0;  // up to here there is no line end
  bool is_socket_;
  Fd gone_;          // readable from the moment on when the peer is given up
  std::mutex lock_;  // of what follows
  std::condition_variable_any changed_;
  std::deque<std::string> queue_;  // lines
  std::size_t queued_bytes_ = 0;   // of those, and of the one that is being written
  bool is_gone_ = false;           // the peer
  bool is_over_ = false;
  std::thread writer_;  // last: it uses all of the above
};

}  // namespace airlock::serve

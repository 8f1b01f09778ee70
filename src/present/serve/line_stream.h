// One JSON document a line, over a pair of descriptors (a socket, or standard input and output).
// Lines that come in are bounded; lines that go out are written whole, one at a time, by any
// thread. A peer that does not read costs its own connection after a while, and nobody's memory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <mutex>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace airlock::serve {

class LineStream {
 public:
  // More in one line is not read.
  static constexpr std::size_t kMostLine = 64UL * 1024 * 1024;

  // A peer that takes nothing for so long is gone; milliseconds.
  static constexpr int kWritePatience = 30'000;

  enum class NoLine : std::uint8_t { kClosed, kTooLong };

  // `stop` (a descriptor, or -1) ends the waiting when it becomes readable.
  LineStream(int in, int out, int stop, int write_patience = kWritePatience);

  // The next line, without its end; blank ones are passed over. By one thread. A peer that takes no
  // lines any more is not read from either.
  std::expected<std::string, NoLine> read_line();

  // False: nobody takes it any more, now or ever. From any thread.
  bool write_line(std::string line);

 private:
  ssize_t write_some(std::string_view bytes);
  void write_all(std::string_view bytes);
  bool wait_for(int descriptor, short events, int milliseconds) const;

  int in_;
  int out_;
  int stop_;
  int write_patience_;
  std::string buffer_;
  std::size_t start_ = 0;    // where the next line begins
  std::size_t scanned_ = 0;  // up to here there is no line end
  std::mutex writing_;
  bool is_socket_;
  bool is_gone_ = false;  // the reader; under `writing_`
  Fd gone_;               // readable from then on
};

}  // namespace airlock::serve

// The paths of a bulk job, as a stream: one a line, or NUL-separated, from files one after the
// other or from standard input. Memory does not grow with the input: lines are handed out from one
// buffer. Nothing here waits unless read_more() is called, so one thread can wait for input and for
// cells.
//
// The loop: next() until it gives nothing, then read_more(), until is_finished().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace airlock {

enum class Separator : char { kNewline = '\n', kNul = '\0' };

struct InputLine {
  std::string_view text;  // until the next call of anything
  bool was_cut = false;   // longer than a path can be: only its beginning is here
};

// Movable, one thread.
class PathInput {
 public:
  // Bytes. Far beyond what any file system allows; longer lines are no paths.
  static constexpr std::size_t kMaxPath = 1024 * 1024;

  // Every file must be there and readable; "-" is standard input.
  static Result<PathInput> open(std::vector<std::string> files, Separator separator);

  // Paths that are here already; none has a NUL.
  static PathInput of(std::span<const std::string> paths);

  // A line that is in memory already; nothing: read_more(), or it is the end. A line end that is
  // missing at the end of a file is as good as there; a carriage return before a newline is not
  // part of the path, nor is a byte order mark at the very start of lines.
  std::optional<InputLine> next();
  bool is_finished() const { return is_finished_ && start_ >= buffer_.size(); }

  // One read(), which may wait; poll descriptor() first.
  Result<void> read_more();
  int descriptor() const { return file_.get(); }

  // Of the lines that were handed out; not of what is only read ahead.
  std::uint64_t bytes_taken() const;
  // Nothing when one of the files is a pipe or the like.
  std::optional<std::uint64_t> bytes_in_all() const { return bytes_in_all_; }

 private:
  PathInput(std::vector<std::string> files, Separator separator)
      : files_(std::move(files)), separator_(separator) {}

  Result<void> open_next();
  void end_of_file();
  void leave_out_byte_order_mark();

  std::vector<std::string> files_;
  std::size_t next_file_ = 0;
  Separator separator_;
  Fd file_;
  std::string buffer_;
  std::size_t start_ = 0;    // of the next line
  std::size_t looked_ = 0;   // no separator before this place
  bool skips_rest_ = false;  // of a line that was cut
  bool is_at_start_ = true;  // of the first file that has something in it
  bool is_finished_ = false;
  std::uint64_t bytes_read_ = 0;
  std::optional<std::uint64_t> bytes_in_all_ = 0;
};

}  // namespace airlock

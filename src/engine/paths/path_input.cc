#include "engine/paths/path_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/open_file.h"

namespace airlock {

namespace {

constexpr std::size_t kChunk = 128 * 1024;  // bytes of one read()
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

// All files are opened once to see that they can be, and closed again: a job of hours must not end
// at its second file's name.
Result<PathInput> PathInput::open(std::vector<std::string> files, Separator separator) {
  PathInput input(std::move(files), separator);
  for (const std::string& name : input.files_) {
    struct stat facts{};
    if (::stat(name.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode))
      return bad_request("read " + name + ": it is a folder; name a file with one path a line");
    auto file = TRY(os::open_input(name));
    if (::fstat(file.get(), &facts) != 0) return bad_request_errno("read " + name);
    if (!S_ISREG(facts.st_mode)) {
      input.bytes_in_all_.reset();
    } else if (input.bytes_in_all_) {
      *input.bytes_in_all_ += static_cast<std::uint64_t>(facts.st_size);
    }
  }
  TRY(input.open_next());
  return input;
}

// NUL ends each: whoever hands them over has seen that none has one.
PathInput PathInput::of(std::span<const std::string> paths) {
  PathInput input({}, Separator::kNul);
  for (const std::string& path : paths) {
    input.buffer_ += path;
    input.buffer_ += '\0';
  }
  input.bytes_read_ = input.buffer_.size();
  input.bytes_in_all_ = input.bytes_read_;
  input.is_finished_ = true;
  return input;
}

Result<void> PathInput::open_next() {
  file_.reset();
  if (next_file_ == files_.size()) {
    is_finished_ = true;
    return {};
  }
  auto file = TRY(os::open_input(files_[next_file_++]));
  file_ = std::move(file);
  return {};
}

std::optional<InputLine> PathInput::next() {
  const char separator = static_cast<char>(separator_);
  const std::size_t end = buffer_.find(separator, std::max(start_, looked_));
  if (end == std::string::npos) {
    looked_ = buffer_.size();
    if (looked_ - start_ <= kMaxPath) return std::nullopt;
    // Too long to be a path: hand out its beginning once, let the rest go by.
    if (looked_ - start_ > kMaxPath && !skips_rest_) {
      skips_rest_ = true;
      buffer_.resize(start_ + kMaxPath);
      looked_ = buffer_.size();
      const std::string_view text = std::string_view(buffer_).substr(start_);
      start_ = buffer_.size();
      return InputLine{text, true};
    }
    return std::nullopt;
  }
  const std::size_t from = start_;
  start_ = looked_ = end + 1;
  // This separator ends the line whose beginning was handed out.
  if (skips_rest_) {
    skips_rest_ = false;
    return next();
  }
  std::string_view text = std::string_view(buffer_).substr(from, end - from);
  if (separator_ == Separator::kNewline && text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() > kMaxPath) return InputLine{text.substr(0, kMaxPath), true};
  return InputLine{text, false};
}

std::uint64_t PathInput::bytes_taken() const {
  const std::uint64_t ahead = buffer_.size() - start_;
  return bytes_read_ > ahead ? bytes_read_ - ahead : 0;
}

Result<void> PathInput::read_more() {
  if (is_finished_) return {};
  // What was handed out goes; an incomplete line moves to the front.
  buffer_.erase(0, skips_rest_ ? buffer_.size() : start_);
  looked_ = skips_rest_ ? 0 : looked_ - start_;
  start_ = 0;
  const std::size_t have = buffer_.size();
  buffer_.resize(have + kChunk);
  const ssize_t got = ::read(file_.get(), buffer_.data() + have, kChunk);
  const int why = errno;
  buffer_.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
  if (got > 0) bytes_read_ += static_cast<std::uint64_t>(got);
  leave_out_byte_order_mark();
  if (got > 0 || (got < 0 && (why == EINTR || why == EAGAIN))) return {};
  if (got < 0) {
    errno = why;
    return bad_request_errno("read " + files_[next_file_ - 1]);
  }
  end_of_file();
  return open_next();
}

// The mark may arrive in pieces. It holds no line end, so no line is handed out before it is
// complete.
void PathInput::leave_out_byte_order_mark() {
  if (!is_at_start_ || buffer_.size() < kByteOrderMark.size()) return;
  is_at_start_ = false;
  if (separator_ != Separator::kNewline || bytes_read_ != buffer_.size() ||
      !buffer_.starts_with(kByteOrderMark))
    return;
  buffer_.erase(0, kByteOrderMark.size());
  looked_ = 0;
}

// The last line ends with its file.
void PathInput::end_of_file() {
  const bool is_torn = !buffer_.empty() || skips_rest_;
  if (is_torn) buffer_ += static_cast<char>(separator_);
}

}  // namespace airlock

// A file descriptor that closes itself: the one owner of an open file, socket, pidfd or memfd. It
// moves and is never copied. A default one, or one that was moved from, is closed (-1), so that
// the result of a failed open() can be wrapped first and asked with is_open() afterwards.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <utility>

namespace airlock {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // Gives the number away without closing it: the caller owns it from now on.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    // close() is not repeated after EINTR: on Linux the number is free by then, and may be
    // another's.
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

struct StdioCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using StdioFile = std::unique_ptr<std::FILE, StdioCloser>;

}  // namespace airlock

// Errors as values. An Error is our own trouble (a system call failed, a file cannot be read); a
// refused script is not an Error but a Verdict. Each layer that passes an Error on adds its own
// phrase in front, so that the whole reads as a sentence: "start the vetter: make a socket pair:
// Too many open files".
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace airlock {

struct Error {
  std::string message;

  // The same error, seen from one layer further up.
  Error within(std::string_view doing) && {
    message.insert(0, ": ");
    message.insert(0, doing);
    return std::move(*this);
  }
};

template <typename T>
using Result = std::expected<T, Error>;

// "`doing`: the words of errno". Call it before anything else can change errno.
Error errno_error(std::string_view doing);

inline std::unexpected<Error> fail(std::string message) {
  return std::unexpected(Error{std::move(message)});
}

inline std::unexpected<Error> fail_errno(std::string_view doing) {
  return std::unexpected(errno_error(doing));
}

}  // namespace airlock

// Hands an Error up, or goes on. The only macro of the house.
#define TRY(expression)                                  \
  do {                                                   \
    if (auto tried_ = (expression); !tried_) {           \
      return std::unexpected(std::move(tried_).error()); \
    }                                                    \
  } while (false)

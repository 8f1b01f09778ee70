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

// `result`, and when it is an Error, what was being done before it in words.
template <typename T>
Result<T> within(std::string_view doing, Result<T> result) {
  if (!result) return std::unexpected(std::move(result).error().within(doing));
  return result;
}

}  // namespace airlock

// The value of a Result; a Result without one ends the function that stands here and hands its
// Error up. The only macro of the house. It is a whole statement or a whole initializer (`const
// auto text = TRY(read(file));`), never a part of a larger expression: what else stood there would
// be half done.
#define TRY(...) AIRLOCK_TRY_AS(AIRLOCK_TRY_NAME(__COUNTER__), __VA_ARGS__)
#define AIRLOCK_TRY_NAME(number) AIRLOCK_TRY_JOIN(tried_, number)  // one may stand inside another
#define AIRLOCK_TRY_JOIN(name, number) name##number
#define AIRLOCK_TRY_AS(name, ...)                               \
  __extension__({                                               \
    auto name = (__VA_ARGS__);                                  \
    if (!name) return std::unexpected(std::move(name).error()); \
    *std::move(name);                                           \
  })

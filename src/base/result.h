// Errors as values. An Error says why there is no result and whose doing that is; a script that was
// judged and refused is not an Error but a Verdict. Each layer that passes an Error on adds its own
// phrase in front, so that the whole reads as a sentence: "start the vetter: make a socket pair:
// Too many open files".
// Its kind is set once, by the code nearest to the failure that knows whose fault it is; layers
// further up only fill in a kind that is still unknown. Library code returns Errors and never
// prints them; present/ does that, once.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace airlock {

// Each is an exit code of the program (present/cli/exit_code.h).
enum class ErrorKind : std::uint8_t {
  kOurs,       // nobody has said whose it is: taken for a bug of ours until somebody does
  kRequest,    // what was named cannot be read, found or written, or does not fit together
  kIsolation,  // this host cannot give the walls; nothing untrusted was run without them
  kRefused,    // it was judged, and does not pass
};

struct Error {
  std::string message;
  ErrorKind kind = ErrorKind::kOurs;
  int number = 0;  // the errno that `message` ends with; 0: it was none, or came from elsewhere

  // The same error, seen from one layer further up.
  Error within(std::string_view doing) && {
    message.insert(0, ": ");
    message.insert(0, doing);
    return std::move(*this);
  }
  // The same error, and whose it is unless that was said before.
  Error as(ErrorKind said) && {
    if (kind == ErrorKind::kOurs) kind = said;
    return std::move(*this);
  }
  // The same error, and a line behind it: what came of it, or what to do.
  Error and_line(std::string_view line) && {
    message += '\n';
    message += line;
    return std::move(*this);
  }
};

template <typename T>
using Result = std::expected<T, Error>;

// "`doing`: the words of errno". Call it before anything else can change errno.
Error errno_error(std::string_view doing);

// Ours, as long as nobody says otherwise.
inline std::unexpected<Error> fail(std::string message) {
  return std::unexpected(Error{std::move(message)});
}

inline std::unexpected<Error> fail_errno(std::string_view doing) {
  return std::unexpected(errno_error(doing));
}

inline std::unexpected<Error> bad_request(std::string message) {
  return std::unexpected(Error{std::move(message), ErrorKind::kRequest});
}

inline std::unexpected<Error> bad_request_errno(std::string_view doing) {
  return std::unexpected(errno_error(doing).as(ErrorKind::kRequest));
}

inline std::unexpected<Error> no_isolation(std::string message) {
  return std::unexpected(Error{std::move(message), ErrorKind::kIsolation});
}

inline std::unexpected<Error> refused(std::string message) {
  return std::unexpected(Error{std::move(message), ErrorKind::kRefused});
}

// `result`, and when it is an Error, what was being done before it in words.
template <typename T>
Result<T> within(std::string_view doing, Result<T> result) {
  if (!result) return std::unexpected(std::move(result).error().within(doing));
  return result;
}

// `result`, and when it is an Error, whose it is unless that was said before.
template <typename T>
Result<T> as(ErrorKind kind, Result<T> result) {
  if (!result) return std::unexpected(std::move(result).error().as(kind));
  return result;
}

}  // namespace airlock

// The value of a Result; a Result without one ends the function that stands here and hands its
// Error up. The only macro in the project. It is a whole statement or a whole initializer (`const
// auto text = TRY(read(file));`), never a part of a larger expression: what else stood there would
// be half done. It is built on a statement expression, a GNU extension that g++ and clang share:
// only that can both yield a value and return from the function around it.
#define TRY(...) AIRLOCK_TRY_AS(AIRLOCK_TRY_NAME(__COUNTER__), __VA_ARGS__)
#define AIRLOCK_TRY_NAME(number) AIRLOCK_TRY_JOIN(tried_, number)  // one may stand inside another
#define AIRLOCK_TRY_JOIN(name, number) name##number
#define AIRLOCK_TRY_AS(name, ...)                               \
  __extension__({                                               \
    auto name = (__VA_ARGS__);                                  \
    if (!name) return std::unexpected(std::move(name).error()); \
    *std::move(name);                                           \
  })

#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace airlock {

Error errno_error(std::string_view doing) {
  // Kept first: building strings may allocate, and that may change errno.
  const int number = errno;
  return Error{.message = std::string(doing) + ": " + std::generic_category().message(number),
               .kind = ErrorKind::kOurs,
               .number = number};
}

}  // namespace airlock

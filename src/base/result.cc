#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace airlock {

Error errno_error(std::string_view doing) {
  const int number = errno;
  return Error{std::string(doing) + ": " + std::generic_category().message(number)};
}

}  // namespace airlock

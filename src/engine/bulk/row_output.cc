#include "engine/bulk/row_output.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "os/write_all.h"

namespace airlock {

Result<void> StandardOutput::write(std::string_view rows) {
  const int error = os::write_all(STDOUT_FILENO, rows);
  if (error == EPIPE)
    return bad_request("write the rows: the reader of standard output has gone away");
  if (error != 0)
    return bad_request("write the rows to standard output: " +
                       std::generic_category().message(error));
  return {};
}

}  // namespace airlock

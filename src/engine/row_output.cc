#include "engine/row_output.h"

#include <unistd.h>

#include <cerrno>

#include "os/interrupts.h"

namespace airlock {

Result<void> StandardOutput::write(std::string_view rows) {
  while (!rows.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, rows.data(), rows.size());
    if (written < 0 && errno == EINTR && !os::pending_interrupt()) continue;
    if (written < 0 && errno == EPIPE)
      return fail("write the rows: the reader of standard output has gone away");
    if (written < 0) return fail_errno("write the rows to standard output");
    rows.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace airlock

#include "os/process_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace airlock::os {

namespace {

constexpr rlim_t kKilobyte = 1024;
constexpr rlim_t kMegabyte = 1024 * kKilobyte;

struct LimitRow {
  __rlimit_resource resource;
  std::string_view what;
  std::string_view option;  // of ulimit
  rlim_t unit;              // in which it is told
  std::string_view unit_name;
  rlim_t needed;
  int error;  // of a call that has met it
};

// Each was found by lowering it until a program of ours did not start, and has some room above
// that. Processes are counted for the user, not for us: how many are left nobody knows beforehand.
constexpr std::array kRows = {
    LimitRow{RLIMIT_NOFILE, "open files", "-n", 1, "", 64, EMFILE},
    LimitRow{RLIMIT_NPROC, "processes of this user", "-u", 1, "", 64, EAGAIN},
    LimitRow{RLIMIT_STACK, "stack", "-s", kKilobyte, " KB", kMegabyte, E2BIG},
    LimitRow{RLIMIT_AS, "address space", "-v", kMegabyte, " MB", 256 * kMegabyte, ENOMEM},
    LimitRow{RLIMIT_DATA, "data segment", "-d", kMegabyte, " MB", 256 * kMegabyte, ENOMEM},
    LimitRow{RLIMIT_FSIZE, "size of a file", "-f", kKilobyte, " KB", kMegabyte, EFBIG},
};

std::string amount(const LimitRow& row, rlim_t value) {
  return std::to_string(value / row.unit) + std::string(row.unit_name);
}

}  // namespace

std::vector<std::string> limits_too_low(std::string_view error) {
  std::vector<std::string> low;
  for (const LimitRow& row : kRows) {
    rlimit now{};
    if (::getrlimit(row.resource, &now) != 0 || now.rlim_cur == RLIM_INFINITY) continue;
    // Errors end with the words of errno (base/result.h): that is how the limit is recognized.
    const bool was_met = error.ends_with(std::generic_category().message(row.error));
    if (now.rlim_cur >= row.needed && !was_met) continue;
    low.push_back(std::string(row.what) + ": " + amount(row, now.rlim_cur) + " (ulimit " +
                  std::string(row.option) + "), where " +
                  (now.rlim_cur < row.needed ? "at least " + amount(row, row.needed) : "more") +
                  " are needed");
  }
  return low;
}

// The kernel ignores a limit of 0 when a collector reads cores from a pipe, and obeys 1: it is less
// than any core, and its word for "none at all".
void forbid_core_dumps() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(1, limit.rlim_max);
  ::setrlimit(RLIMIT_CORE, &limit);
}

}  // namespace airlock::os

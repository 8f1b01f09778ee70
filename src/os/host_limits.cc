#include "os/host_limits.h"

#include <sys/resource.h>

#include <array>
#include <string_view>

namespace airlock::os {

namespace {

constexpr rlim_t kKilobyte = 1024;
constexpr rlim_t kMegabyte = 1024 * kKilobyte;

struct Row {
  __rlimit_resource resource;
  std::string_view what;
  std::string_view option;  // of ulimit
  rlim_t unit;              // in which it is told
  std::string_view unit_name;
  rlim_t needed;
};

// Each was found by lowering it until a program of ours did not start, and has some room above that.
// Processes are counted for the user, not for us: how many are left nobody knows beforehand.
constexpr std::array kRows = {
    Row{RLIMIT_NOFILE, "open files", "-n", 1, "", 64},
    Row{RLIMIT_NPROC, "processes of this user", "-u", 1, "", 64},
    Row{RLIMIT_STACK, "stack", "-s", kKilobyte, " KB", kMegabyte},
    Row{RLIMIT_AS, "address space", "-v", kMegabyte, " MB", 256 * kMegabyte},
    Row{RLIMIT_DATA, "data segment", "-d", kMegabyte, " MB", 256 * kMegabyte},
    Row{RLIMIT_FSIZE, "size of a file", "-f", kKilobyte, " KB", kMegabyte},
};

std::string amount(const Row& row, rlim_t value) {
  return std::to_string(value / row.unit) + std::string(row.unit_name);
}

}  // namespace

std::vector<std::string> limits_too_low() {
  std::vector<std::string> low;
  for (const Row& row : kRows) {
    rlimit now{};
    if (::getrlimit(row.resource, &now) != 0 || now.rlim_cur >= row.needed) continue;
    low.push_back(std::string(row.what) + ": " + amount(row, now.rlim_cur) + " (ulimit " +
                  std::string(row.option) + "), at least " + amount(row, row.needed) +
                  " are needed");
  }
  return low;
}

}  // namespace airlock::os

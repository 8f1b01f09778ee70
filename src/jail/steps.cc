#include "jail/steps.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "base/fd.h"

namespace airlock::jail {

Result<void> forbid_new_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno("forbid new privileges");
  return {};
}

// Cleared by fork() and by a program that gains privileges: each process asks for itself.
Result<void> die_with_parent() {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
    return fail_errno("ask to die with the parent");
  return {};
}

Result<void> forbid_dumps() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return fail_errno("forbid dumps and tracing");
  return {};
}

namespace {

Result<void> empty_bounding_set() {
  // The first number that the kernel does not know ends the list, however many there are.
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0;
       ++capability) {
    // Not allowed without CAP_SETPCAP; then there is nothing to drop either, and no-new-privileges
    // keeps it so.
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM)
      return fail_errno("drop a capability");
  }
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
    return fail_errno("clear ambient capabilities");
  return {};
}

Result<void> hold_capabilities(std::uint32_t low) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> held{};
  held[0].effective = held[0].permitted = low;
  if (::syscall(SYS_capset, &header, held.data()) != 0) return fail_errno("drop all capabilities");
  return {};
}

}  // namespace

Result<void> drop_all_capabilities() {
  TRY(empty_bounding_set());
  return hold_capabilities(0);
}

Result<void> keep_power_to_mount() {
  TRY(empty_bounding_set());
  return hold_capabilities(std::uint32_t{1} << CAP_SYS_ADMIN);
}

Result<void> give_up_power_to_mount() {
  return hold_capabilities(0);
}

// Soft and hard limit alike: it cannot be raised again.
Result<void> limit(__rlimit_resource what, rlim_t value, const char* doing) {
  const rlimit both{value, value};
  if (::setrlimit(what, &both) != 0) return fail_errno(doing);
  return {};
}

Result<void> limit_at_most(__rlimit_resource what, rlim_t value, const char* doing) {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return fail_errno(doing);
  return limit(what, std::min({value, now.rlim_cur, now.rlim_max}), doing);
}

Mapped mapped_now() {
  const StdioFile file(std::fopen("/proc/self/statm", "re"));
  unsigned long pages = 0;
  unsigned long data = 0;
  // Fields 1 (size) and 6 (data), in pages.
  // NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers
  if (file == nullptr || std::fscanf(file.get(), "%lu %*u %*u %*u %*u %lu", &pages, &data) != 2)
    return {};
  const auto page = static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  return {data * page, pages * page};
}

}  // namespace airlock::jail

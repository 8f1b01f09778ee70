#include "os/landlock.h"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/fd.h"

namespace airlock::os {

namespace {

// The kernel's own struct, spelled out: the headers of an older distribution lack the later fields.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
};

// Rights that each version knows: version 1 has bits 0 to 12, then refer (2), truncate (3),
// ioctl_dev (5).
std::uint64_t file_rights(int version) {
  int bits = 13;
  if (version >= 2) bits = 14;
  if (version >= 3) bits = 15;
  if (version >= 5) bits = 16;
  return (std::uint64_t{1} << bits) - 1;
}

}  // namespace

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return static_cast<int>(std::max(0L, version));
}

Result<void> landlock_deny_all() {
  const int version = landlock_version();
  RulesetAttributes attributes;
  attributes.handled_access_fs = file_rights(version);
  attributes.handled_access_net = version >= 4 ? 3 : 0;
  const std::size_t size = version >= 4 ? sizeof attributes : sizeof attributes.handled_access_fs;
  const Fd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset.is_open()) return fail_errno("make a Landlock ruleset");
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return fail_errno("apply the Landlock ruleset");
  return {};
}

}  // namespace airlock::os

#include "os/landlock.h"

#include <fcntl.h>
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
  std::uint64_t scoped = 0;
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

// What the kernel of that version expects: it refuses a struct with unknown bits set.
std::size_t size_of_attributes(int version) {
  constexpr std::size_t kField = sizeof(std::uint64_t);
  if (version >= 6) return 3 * kField;
  return version >= 4 ? 2 * kField : kField;
}

Result<void> allow_reading(const Fd& ruleset, const std::string& folder) {
  const Fd opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return fail_errno("open " + folder);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  rule.parent_fd = opened.get();
  if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return fail_errno("allow reading " + folder);
  return {};
}

}  // namespace

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return static_cast<int>(std::max(0L, version));
}

Result<void> landlock_deny_all_but(std::span<const std::string> readable) {
  const int version = landlock_version();
  RulesetAttributes attributes;
  attributes.handled_access_fs = file_rights(version);
  attributes.handled_access_net = version >= 4 ? 3 : 0;
  attributes.scoped = version >= 6 ? 3 : 0;
  const Fd ruleset(static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, size_of_attributes(version), 0)));
  if (!ruleset.is_open()) return fail_errno("make a Landlock ruleset");
  for (const std::string& folder : readable) TRY(allow_reading(ruleset, folder));
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return fail_errno("apply the Landlock ruleset");
  return {};
}

}  // namespace airlock::os

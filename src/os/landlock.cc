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

// No devices, no sockets, no pipes, no links: files and folders.
std::uint64_t rights_in(const MountedFolder& folder, int version) {
  std::uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  if (!folder.is_writable()) return rights;
  rights |= LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
            LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
            LANDLOCK_ACCESS_FS_MAKE_DIR;
  constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;
  return version >= 3 ? rights | kTruncate : rights;
}

// The rule is tied to the opened folder, not to its name.
Result<void> allow(const Fd& ruleset, const MountedFolder& folder, int version) {
  const Fd opened(::open(folder.place.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return fail_errno("open " + folder.place);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights_in(folder, version);
  rule.parent_fd = opened.get();
  if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return fail_errno("allow " + folder.place);
  return {};
}

}  // namespace

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return static_cast<int>(std::max(0L, version));
}

Result<void> landlock_deny_all_but(std::span<const MountedFolder> folders) {
  const int version = landlock_version();
  RulesetAttributes attributes;
  attributes.handled_access_fs = file_rights(version);
  // Bits 0 and 1: bind and connect of TCP sockets; abstract sockets and signals. What is "handled"
  // and has no rule is denied.
  attributes.handled_access_net = version >= 4 ? 3 : 0;
  attributes.scoped = version >= 6 ? 3 : 0;
  const Fd ruleset(static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, size_of_attributes(version), 0)));
  if (!ruleset.is_open()) return fail_errno("make a Landlock ruleset");
  for (const MountedFolder& folder : folders) TRY(allow(ruleset, folder, version));
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return fail_errno("apply the Landlock ruleset");
  return {};
}

}  // namespace airlock::os

#include "jail/walls.h"

#include <algorithm>
#include <array>

namespace airlock::jail {

namespace {

// All namespaces are missing for the same reasons, so they share a remedy.
constexpr std::string_view kAllowNamespaces =
    "Let processes make user namespaces: sysctl user.max_user_namespaces=10000, and where they "
    "exist kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; "
    "in a container, a seccomp profile that allows unshare and mount.";

// In the order of WallId. The texts are printed by `airlock doctor` and compared with
// ARCHITECTURE.md.
constexpr std::array kWalls = {
    Wall{WallId::kOwnProcess, "own-process", Need::kAlways,
         "guest code runs in a process that holds nothing of airlock's; a crash ends that process "
         "alone",
         ""},
    Wall{WallId::kDieWithParent, "die-with-parent", Need::kAlways,
         "nothing of a run outlives it: the kernel kills a cell whose zygote is gone, and a zygote "
         "whose airlock is gone",
         ""},
    Wall{WallId::kEmptyEnvironment, "empty-environment", Need::kAlways,
         "no variable of the host, and so no key in one", ""},
    Wall{WallId::kOwnDescriptors, "own-descriptors", Need::kAlways,
         "no open file or socket of the host: the cell's own socket and /dev/null are all", ""},
    Wall{WallId::kUserNamespace, "user-namespace", Need::kOffered,
         "the cell's user is nobody elsewhere: a privilege won inside is none outside",
         kAllowNamespaces},
    Wall{WallId::kPidNamespace, "pid-namespace", Need::kOffered,
         "other processes cannot be seen, signalled or traced, and all of the chamber dies at once",
         kAllowNamespaces},
    Wall{WallId::kNetNamespace, "net-namespace", Need::kOffered,
         "no network, not even the host's loopback", kAllowNamespaces},
    Wall{WallId::kIpcNamespace, "ipc-namespace", Need::kOffered,
         "no shared memory or message queue of the host", kAllowNamespaces},
    Wall{WallId::kUtsNamespace, "uts-namespace", Need::kOffered, "the host's name stays unknown",
         kAllowNamespaces},
    Wall{WallId::kEmptyRoot, "empty-root", Need::kOffered,
         "there are no files: the root is an empty, read-only folder in memory", kAllowNamespaces},
    Wall{WallId::kNoCapabilities, "no-capabilities", Need::kAlways,
         "none of root's powers, even when root starts airlock", ""},
    Wall{WallId::kNoNewPrivileges, "no-new-privileges", Need::kAlways,
         "no set-user-id program gives any back", ""},
    Wall{WallId::kNoDump, "no-dump", Need::kAlways,
         "the memory of zygote and cells cannot be read by processes of the same user", ""},
    Wall{WallId::kLandlock, "landlock", Need::kOffered,
         "no file or folder can be opened, by any name, even if a root were found",
         "Landlock is not in this kernel, or not switched on: Linux 5.13 or later, built with "
         "CONFIG_SECURITY_LANDLOCK, and 'landlock' in the lsm= list of the boot line."},
    Wall{WallId::kLimits, "limits", Need::kAlways,
         "no files, descriptors or processes beyond those it has; memory and processor time are "
         "counted",
         ""},
    Wall{WallId::kDeadline, "deadline", Need::kAlways,
         "airlock holds the clock and kills from outside: no loop, mask or handler matters", ""},
    Wall{WallId::kSeccomp, "seccomp", Need::kAlways,
         "the kernel answers to memory, clocks and the cell's socket; every other call is denied "
         "and noted",
         "System-call filters are not in this kernel, or the container forbids them: Linux 4.14 or "
         "later, built with CONFIG_SECCOMP_FILTER."},
};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kWalls.size(); ++i)
    if (static_cast<std::size_t>(kWalls[i].id) != i) return false;
  return true;
}
static_assert(rows_are_in_order(), "name_of finds a wall by its place");

bool stands(std::span<const std::string> standing, WallId id) {
  return std::ranges::find(standing, name_of(id)) != standing.end();
}

}  // namespace

std::span<const Wall> all_walls() {
  return kWalls;
}

std::string_view name_of(WallId id) {
  return kWalls[static_cast<std::size_t>(id)].name;
}

std::string_view remedy_of(WallId id) {
  return kWalls[static_cast<std::size_t>(id)].remedy;
}

// No optional wall can make up for a missing one that is always needed.
Tier tier_of(std::span<const std::string> standing) {
  const auto has = [&](const Wall& wall) { return stands(standing, wall.id); };
  const auto is_optional = [](const Wall& wall) { return wall.need == Need::kOffered; };
  if (!std::ranges::all_of(kWalls,
                           [&](const Wall& wall) { return is_optional(wall) || has(wall); })) {
    return Tier::kNone;
  }
  if (std::ranges::all_of(kWalls, has)) return Tier::kFull;
  return stands(standing, WallId::kLandlock) || stands(standing, WallId::kEmptyRoot)
             ? Tier::kReduced
             : Tier::kMinimal;
}

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::kNone:
      return "none";
    case Tier::kMinimal:
      return "minimal";
    case Tier::kReduced:
      return "reduced";
    case Tier::kFull:
      return "full";
  }
  return "none";
}

std::string_view describe(Tier tier) {
  switch (tier) {
    case Tier::kNone:
      return "this host cannot give the isolation: no guest code is run";
    case Tier::kMinimal:
      return "a process of its own, limits and the system-call filter";
    case Tier::kReduced:
      return "the system-call filter, and files behind a second wall; not every wall stands";
    case Tier::kFull:
      return "namespaces, an empty root, Landlock and the system-call filter";
  }
  return "";
}

}  // namespace airlock::jail

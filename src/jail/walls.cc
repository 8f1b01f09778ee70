#include "jail/walls.h"

#include <algorithm>
#include <array>

namespace airlock::jail {

namespace {

constexpr std::string_view kAllowNamespaces =
    "Let processes make user namespaces: sysctl user.max_user_namespaces=10000, and where they "
    "exist kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; "
    "in a container, a seccomp profile that allows unshare and mount.";

constexpr std::array kWalls = {
    Wall{"own-process", Need::kAlways,
         "guest code runs in a process that holds nothing of airlock's; a crash ends that process "
         "alone",
         ""},
    Wall{"die-with-parent", Need::kAlways,
         "nothing of a run outlives it: the kernel kills a cell whose zygote is gone, and a zygote "
         "whose airlock is gone",
         ""},
    Wall{"empty-environment", Need::kAlways, "no variable of the host, and so no key in one", ""},
    Wall{"own-descriptors", Need::kAlways,
         "no open file or socket of the host: the cell's own socket and /dev/null are all", ""},
    Wall{"user-namespace", Need::kOffered,
         "the cell's user is nobody elsewhere: a privilege won inside is none outside",
         kAllowNamespaces},
    Wall{"pid-namespace", Need::kOffered,
         "other processes cannot be seen, signalled or traced, and all of the chamber dies at once",
         kAllowNamespaces},
    Wall{"net-namespace", Need::kOffered, "no network, not even the host's loopback",
         kAllowNamespaces},
    Wall{"ipc-namespace", Need::kOffered, "no shared memory or message queue of the host",
         kAllowNamespaces},
    Wall{"uts-namespace", Need::kOffered, "the host's name stays unknown", kAllowNamespaces},
    Wall{"empty-root", Need::kOffered,
         "there are no files: the root is an empty, read-only folder in memory", kAllowNamespaces},
    Wall{"no-capabilities", Need::kAlways, "none of root's powers, even when root starts airlock",
         ""},
    Wall{"no-new-privileges", Need::kAlways, "no set-user-id program gives any back", ""},
    Wall{"no-dump", Need::kAlways,
         "the memory of zygote and cells cannot be read by processes of the same user", ""},
    Wall{"landlock", Need::kOffered,
         "no file or folder can be opened, by any name, even if a root were found",
         "Landlock is not in this kernel, or not switched on: Linux 5.13 or later, built with "
         "CONFIG_SECURITY_LANDLOCK, and 'landlock' in the lsm= list of the boot line."},
    Wall{"limits", Need::kAlways,
         "no files, descriptors or processes beyond those it has; memory and processor time are "
         "counted",
         ""},
    Wall{"deadline", Need::kAlways,
         "airlock holds the clock and kills from outside: no loop, mask or handler matters", ""},
    Wall{"seccomp", Need::kAlways,
         "the kernel answers to memory, clocks and the cell's socket; every other call is denied "
         "and noted",
         "System-call filters are not in this kernel, or the container forbids them: Linux 4.14 or "
         "later, built with CONFIG_SECCOMP_FILTER."},
};

bool stands(std::span<const std::string> standing, std::string_view name) {
  return std::ranges::find(standing, name) != standing.end();
}

}  // namespace

std::span<const Wall> all_walls() {
  return kWalls;
}

Tier tier_of(std::span<const std::string> standing) {
  const auto has = [&](const Wall& wall) { return stands(standing, wall.name); };
  const auto is_optional = [](const Wall& wall) { return wall.need == Need::kOffered; };
  if (!std::ranges::all_of(kWalls,
                           [&](const Wall& wall) { return is_optional(wall) || has(wall); })) {
    return Tier::kNone;
  }
  if (std::ranges::all_of(kWalls, has)) return Tier::kFull;
  return stands(standing, "landlock") || stands(standing, "empty-root") ? Tier::kReduced
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

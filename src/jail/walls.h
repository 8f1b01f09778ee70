// The one table of walls around guest code: name, whether a run can do without it, what it keeps
// out, and what to change on a host that lacks it. Whoever raises, attacks or reports a wall names
// it by its WallId, so `airlock doctor`, the tier and the documentation cannot disagree with the
// table (a test compares it with ARCHITECTURE.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::jail {

// In the order in which they are reported.
enum class WallId : std::uint8_t {
  kOwnProcess,
  kDieWithParent,
  kEmptyEnvironment,
  kOwnDescriptors,
  kUserNamespace,
  kPidNamespace,
  kNetNamespace,
  kIpcNamespace,
  kUtsNamespace,
  kEmptyRoot,
  kNoCapabilities,
  kNoNewPrivileges,
  kNoDump,
  kLandlock,
  kLimits,
  kDeadline,
  kSeccomp,
};

// Whether a run can do without it.
enum class Need {
  kAlways,   // no run without it, on any host
  kOffered,  // raised wherever the host offers it
};

struct Wall {
  WallId id;
  std::string_view name;  // on the wire, in reports: "empty-root"
  Need need = Need::kAlways;
  std::string_view why;     // what it keeps out
  std::string_view remedy;  // what to change to get it; empty when it is never missing
};

std::span<const Wall> all_walls();

std::string_view name_of(WallId id);
std::string_view remedy_of(WallId id);

// What stands in the place of kEmptyRoot around code that may read folders: a root of its own that
// holds these alone. It is none of the list, which is about cells without files.
inline constexpr std::string_view kOwnRoot = "own-root";

// How much of it stands. Below kMinimal nothing is run.
enum class Tier {
  kNone,
  kMinimal,  // a process of its own, limits and the system-call filter
  kReduced,  // and files behind a second wall: Landlock or an empty root
  kFull,     // every wall of the list
};

Tier tier_of(std::span<const std::string> standing);
std::string_view to_string(Tier tier);
std::string_view describe(Tier tier);

}  // namespace airlock::jail

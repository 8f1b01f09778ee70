// The one table of walls around guest code: name, whether a run can do without it, what it keeps
// out, and what to change on a host that lacks it. Cells report walls by these names; `airlock
// doctor`, the tier and the documentation are derived from the table, so they cannot disagree with
// it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::jail {

// Whether a run can do without it.
enum class Need {
  kAlways,   // no run without it, on any host
  kOffered,  // raised wherever the host offers it
};

struct Wall {
  std::string_view name;
  Need need = Need::kAlways;
  std::string_view why;     // what it keeps out
  std::string_view remedy;  // what to change to get it; empty when it is never missing
};

std::span<const Wall> all_walls();

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

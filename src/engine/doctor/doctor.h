// `airlock doctor` without its output: raises every wall that this host supports, tries to breach
// each one from inside a cell, and reports what happened.
//
// Each attempt (a "crime", jail/crimes.h) gets a fresh cell: after an attack a cell proves nothing
// more. Attempts are our own code, not guest code. A wall counts as held only if the attempt failed
// in the way that the wall predicts; any other answer is "unclear" and is shown as such. A host is
// acceptable if it reaches at least the weakest tier and nothing was breached.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/policy.h"

namespace airlock {

// kLeftToFilter: the kernel lets root do it, and only our system-call filter stands in the way.
enum class Attack { kHeld, kBreached, kUnclear, kLeftToFilter };

// One attempt at one wall.
struct Tried {
  std::string crime;      // "open-file"
  std::string what;       // "open a file of the host"
  bool filter_up = true;  // false: tried in a cell without the system-call filter, to get behind it
  std::string answer;     // "EPERM (Operation not permitted)", "ended by signal 9 (Killed)"
  Attack result = Attack::kUnclear;
};

// A wall, whether it stands in a cell of this host, and how it took each attempt.
struct WallReport {
  std::string name;
  std::string why;
  bool stands = false;
  bool is_needed = false;  // no run without it
  std::string remedy;      // what to change, when it does not stand
  std::vector<Tried> tried;
};

struct Diagnosis {
  std::string tier;  // "full", "reduced", "minimal", "none"
  std::string tier_meaning;
  bool is_acceptable = false;  // at least the weakest tier, and no breach
  std::string trouble;         // why there is no chamber at all
  std::string kernel;
  int landlock_version = 0;
  bool is_root = false;
  std::vector<WallReport> walls;  // none when airlock itself is incomplete: nothing was tried
};

// Takes seconds: some dozen cells are made and attacked. Never fails: trouble is part of the
// diagnosis.
Diagnosis examine_host(const std::string& host_program, const Policy& policy);

}  // namespace airlock

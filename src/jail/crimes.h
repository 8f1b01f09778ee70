// Attacks on the walls ("crimes"), one system call each, made by our own code inside a real cell.
//
// `airlock doctor` asks for one crime per cell, by name, and reads the kernel's answer. Almost
// every call is answered by the seccomp filter first, so the walls behind it are attacked in a cell
// that has all of them but the filter (grant/only_our_code.h). No guest code runs in either cell.
//
// Every zygote also tries those marked kEveryStart before it makes a cell, and ends when one works.
// A crime that succeeds is harmless by construction: commit() returns 0, and the wall is breached.
#pragma once

#include <sys/types.h>

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "jail/walls.h"

namespace airlock::jail {

// Things of the host that a crime reaches for. They exist while the crime is tried.
struct Bait {
  pid_t process = 0;       // the supervisor
  int shared_memory = -1;  // the id of a System V segment
  std::string host_name;   // what the host is called
  std::string file;        // a file that anyone on the host may read
};

enum class Filter { kUp, kDown };

// How a wall shows that it held.
enum class Proof {
  kErrno,     // the call fails with one of the numbers
  kSignal,    // the process is ended by one of them
  kDeadline,  // the supervisor has to end it
};

// Who commits it: the doctor, in a cell; or also every zygote, before it makes its first cell. What
// the doctor would call breached then stops every command.
enum class When { kExamination, kEveryStart };

// Whom the kernel holds to the wall.
enum class HeldUsers { kEveryone, kOrdinaryUsers };

struct Crime {
  std::string_view name;  // "open-file"
  WallId wall{};          // the one that it attacks
  std::string_view what;  // "open a file of the host"
  Filter filter = Filter::kUp;
  Proof proof = Proof::kErrno;
  std::array<int, 3> numbers{};               // 0 fills up
  int (*commit)(const Bait& bait) = nullptr;  // an errno; 0: the wall is breached
  HeldUsers reach = HeldUsers::kEveryone;
  When when = When::kExamination;
};

// A file that every host has and everybody may read.
inline constexpr const char* kBaitFile = "/etc/passwd";

std::span<const Crime> all_crimes();
const Crime* find_crime(std::string_view name);

// Whether `number` (an errno or a signal) is among those that show that the wall held.
bool is_proof(const Crime& crime, int number);

// Commits those of `wall` that belong to every start, here and now. An Error: it is breached.
Result<void> test_wall_at_start(WallId wall);

}  // namespace airlock::jail

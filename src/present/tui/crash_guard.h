// Should the program crash while a screen is up, the terminal is given back first: its settings,
// its normal screen, its cursor. Then the crash goes on as it would have.
#pragma once

#include <string_view>

namespace airlock::tui {

// While one lives. One at a time in a program.
class CrashGuard {
 public:
  // `leave`: what ends the screen, in the terminal's own language.
  CrashGuard(int terminal, std::string_view leave);
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();
};

}  // namespace airlock::tui

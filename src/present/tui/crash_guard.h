// Should the program crash while a screen is up, the terminal is restored first: its settings, its
// normal screen, its cursor. Then the crash goes on as it would have, with its signal and its core
// dump. Without it the user's shell would be left without echo.
#pragma once

#include <string_view>

namespace airlock::tui {

// While one lives. One at a time in a program.
class CrashGuard {
 public:
  // The settings that the terminal has now are those that it gets back.
  explicit CrashGuard(int terminal);
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();

  // What ends the screen, in the terminal's own language.
  static void leave_with(std::string_view bytes);
};

}  // namespace airlock::tui

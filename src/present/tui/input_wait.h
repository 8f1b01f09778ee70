// Waits for whatever a screen can be woken by: keys, the session's worker, a signal, the time.
// Signals that only concern the terminal (another size, stopped and continued by the shell) are
// dealt with here. Used by the loops of wizard and drafts.
#pragma once

#include <optional>

#include "present/tui/signals.h"
#include "present/tui/terminal.h"

namespace airlock::tui {

struct WakeReason {
  bool has_keys = false;
  bool has_wake = false;
  // A signal that ends the screen; SIGHUP when the terminal is gone.
  std::optional<int> ended_by = {};
};

// `wake`: a descriptor to wait for too, or -1. `timeout_ms`: -1 for ever.
WakeReason wait_for_input(Terminal& terminal, Signals& signals, int wake, int timeout_ms);

}  // namespace airlock::tui

// Signals as bytes to read in the loop that shows a screen: a handler only writes its number into a
// pipe. While a Signals lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH are
// its; then they are as they were. One at a time in a program.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"

namespace airlock::tui {

class Signals {
 public:
  static Result<std::unique_ptr<Signals>> open();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

  int descriptor() const;
  // The next one that came; nothing when there is none.
  std::optional<int> take();
  // While another program has the terminal, Ctrl-Z stops this one together with it.
  void let_stop();
  void take_stop();
  // Stops the whole program as Ctrl-Z does, and comes back when it goes on.
  void stop_here();

 private:
  struct State;
  explicit Signals(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace airlock::tui

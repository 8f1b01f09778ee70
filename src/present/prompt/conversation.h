// A person at the prompt: lines become pieces, pieces are run, until Ctrl-D, exit or quit. It is
// meant to feel like `python3 -q`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/resident/rooms.h"
#include "engine/session/session.h"
#include "model/policy.h"
#include "present/prompt/piece_input.h"
#include "present/prompt/piece_runner.h"
#include "present/prompt/terminal_input.h"
#include "present/tui/signals.h"

namespace airlock::prompt {

struct Setting {
  Rooms& rooms;
  Session& session;
  const Policy& policy;
  std::string facts;  // what `?` says about the session besides its names; whole lines
};

class Conversation {
 public:
  // `screen` is the terminal to write to: standard output or standard error.
  Conversation(const Setting& setting, PieceRunner& runner, tui::Signals& signals, int screen);

  // Until its end: 0, or the signal that ended it. An Error of the session.
  Result<int> hold();
  // It ended with sys.exit(), and something else than 0 in it.
  bool was_asked_to_fail() const { return was_asked_to_fail_; }

 private:
  Result<bool> take_line(std::string_view line, LineKind kind);
  Result<bool> answer(std::string_view line);
  Result<bool> run(std::string_view code);
  Result<void> show_answer(std::string_view code);
  Result<void> while_watching(const std::function<Result<void>()>& work);

  const Setting& setting_;
  PieceRunner& runner_;
  tui::Signals& signals_;
  const int screen_;
  TerminalInput terminal_;
  PieceInput piece_;
  int signal_ = 0;
  bool was_asked_to_fail_ = false;
};

}  // namespace airlock::prompt

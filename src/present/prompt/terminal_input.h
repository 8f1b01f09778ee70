// Lines that a person types on the terminal, edited (line_editor.h) where the terminal can move its
// cursor, plain where it cannot (TERM=dumb). The terminal is ours only between take() and
// give_back(), so that a piece that runs in between leaves Ctrl-C, Ctrl-Z and the echo to the
// system. For one thread; signals come through tui::Signals, which outlives it.
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "present/prompt/line_editor.h"
#include "present/prompt/line_view.h"
#include "present/tui/crash_guard.h"
#include "present/tui/signals.h"

namespace airlock::prompt {

enum class InputEnd : std::uint8_t {
  kLine,
  kPastedLine,   // and more of the paste follows
  kInterrupted,  // Ctrl-C
  kEndKey,       // Ctrl-D
  kClosed,       // the terminal is gone
  kToldToEnd,    // SIGTERM, SIGHUP or SIGQUIT
};

struct InputLine {
  InputEnd end = InputEnd::kClosed;
  std::string text;  // of a line
  int signal = 0;    // of kToldToEnd
};

class TerminalInput {
 public:
  // `input` and `output` are terminals.
  TerminalInput(int input, int output, tui::Signals& signals);
  TerminalInput(const TerminalInput&) = delete;
  TerminalInput& operator=(const TerminalInput&) = delete;
  ~TerminalInput() { give_back(); }

  void take();
  void give_back();

  // Waits for it. Between take() and give_back().
  InputLine read_line(std::string_view prompt);

  // Whether more has been typed, or pasted, already.
  bool has_more() const;

 private:
  enum class Heard : std::uint8_t { kBytes, kSignal, kClosed };
  Heard wait();
  InputLine read_edited();
  InputLine read_plain();
  std::optional<InputLine> heed_signals();
  std::optional<InputLine> heed(LineEvent event);
  void suspend();
  void draw();
  void leave_line();
  void write(std::string_view text) const;
  ScreenSize size() const;

  const int input_;
  const int output_;
  tui::Signals& signals_;
  bool is_plain_ = false;
  bool is_taken_ = false;
  termios before_{};
  std::optional<tui::CrashGuard> crash_guard_;  // while it is taken
  LineEditor editor_;
  std::string waiting_;  // read, and not taken by the editor yet
  std::string prompt_;
  std::optional<LineView> drawn_;
};

}  // namespace airlock::prompt

// The terminal, through ncurses and nowhere else. It is taken when a Terminal is opened and given
// back, as it was, when it goes: on every way out. It draws canvases and reads keys; it knows
// nothing of what they mean. For one thread.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "present/tui/draw/canvas.h"
#include "present/tui/draw/keystroke.h"
#include "present/tui/draw/theme.h"

namespace airlock::tui {

struct TerminalOptions {
  Charset charset = Charset::kUtf8;
  Background background = Background::kDark;
  Palette palette = Palette::kMany;  // at most
};

class Terminal {
 public:
  // An Error: stdin or stdout is no terminal, or one that cannot move its cursor.
  static Result<std::unique_ptr<Terminal>> open(const TerminalOptions& options);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  Size size() const;
  void show(const Canvas& canvas);
  // Without waiting; nothing when no key is left.
  std::optional<Keystroke> read_key();
  // It has another size now.
  void resize();
  // Everything is drawn anew next time.
  void forget();
  // For an editor or a shell, and back.
  void hand_over();
  void take_back();

 private:
  struct State;
  explicit Terminal(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace airlock::tui

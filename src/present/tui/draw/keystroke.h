// A key that was pressed, without the library that read it: terminal.cc makes them from ncurses,
// tests make them by hand.
#pragma once

#include <cstdint>

namespace airlock::tui {

enum class Stroke : std::uint8_t {
  kCharacter,
  kEnter,
  kEscape,
  kBackspace,
  kDelete,
  kLeft,
  kRight,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kTab,
  kBackTab,
  kEraseWord,   // Ctrl-W
  kEraseStart,  // Ctrl-U
  kEraseEnd,    // Ctrl-K
  kWordLeft,
  kWordRight,
  kHelp,    // F1; `?` is a character
  kRedraw,  // Ctrl-L
  kPasteBegin,
  kPasteEnd,
  kOther,
};

// `character` counts for kCharacter alone.
struct Keystroke {
  Stroke stroke = Stroke::kOther;
  char32_t character = 0;
};

}  // namespace airlock::tui

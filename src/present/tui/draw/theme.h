// What an ink looks like: on dark and on light backgrounds, with 256 colours, with 8, with none.
// The terminal's own background always stays. Nothing is told by colour alone: signs and words say
// it too.
#pragma once

#include <cstdint>
#include <string_view>

#include "present/tui/draw/canvas.h"

namespace airlock::tui {

enum class Background : std::uint8_t { kDark, kLight };
enum class Palette : std::uint8_t { kNone, kEight, kMany };

struct Look {
  int colour = -1;  // -1: the terminal's own
  bool is_bold = false;
  bool is_dim = false;
  bool is_reversed = false;
  bool is_underlined = false;

  friend bool operator==(const Look&, const Look&) = default;
};

Look look_of(Ink ink, Background background, Palette palette);

// From COLORFGBG ("15;0", "0;default;15"): its last part is the background's number. Dark when it
// says nothing.
Background background_from(std::string_view colorfgbg);

}  // namespace airlock::tui

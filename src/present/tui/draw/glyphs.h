// The signs that the screens themselves use, in two alphabets: Unicode, and ASCII for terminals,
// fonts and screen readers that have nothing else. A sign may be wider in ASCII ("->"), so layouts
// measure signs and never assume one column.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "present/tui/draw/shown_text.h"

namespace airlock::tui {

struct Glyphs {
  Charset charset = Charset::kUtf8;
  std::string_view horizontal;
  std::string_view vertical;
  std::string_view top_left;
  std::string_view top_right;
  std::string_view bottom_left;
  std::string_view bottom_right;
  std::string_view branch;       // of a tree
  std::string_view last_branch;  // of a tree
  std::string_view thumb;        // of a scroll bar
  std::string_view check;
  std::string_view cross;
  std::string_view warning;
  std::string_view running;
  std::string_view waiting;
  std::string_view arrow;
  std::string_view ellipsis;
  std::string_view bullet;
  std::string_view dot;  // between two facts
  std::string_view bar_full;
  std::string_view bar_empty;
  std::string_view kept;
  std::string_view ignored;
  std::string_view up_down;
  std::string_view left_right;
  std::string_view times;
  std::string_view more;  // a line goes on to the right
  std::array<std::string_view, 10> spinner;
  std::size_t spinner_steps = 0;
};

const Glyphs& glyphs_of(Charset charset);

// Words of our own that may hold typographic signs (…, →, ×): those have an ASCII form.
std::string in_charset(std::string_view text, const Glyphs& glyphs);

}  // namespace airlock::tui

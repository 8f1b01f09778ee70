// What a screen is made from, and what it gives back. All of it is plain values: the same scene
// always gives the same picture, which is how screens are tested (tests/screens/golden).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "present/tui/draw/canvas.h"
#include "present/tui/draw/glyphs.h"
#include "present/tui/draw/line_editor.h"
#include "wizard/machine.h"
#include "wizard/wizard_state.h"

namespace airlock::tui {

// Columns and rows below which nothing sensible can be drawn; a smaller terminal is asked to grow.
inline constexpr Size kSmallest = {60, 15};
inline constexpr std::size_t kMostPanes = 3;

struct PaneScroll {
  std::size_t top = 0;
  std::size_t left = 0;
};

// How much there is in a pane and how much of it can be seen.
struct Extent {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t page_rows = 0;
  std::size_t page_columns = 0;
};

// What a person did to the screen and the machine does not know.
struct ScreenView {
  std::size_t focus = 0;  // which pane the arrow keys move
  std::array<PaneScroll, kMostPanes> scroll = {};
  std::size_t tick = 0;  // of the spinner
  bool shows_help = false;
  PaneScroll help_scroll = {};
  LineEditor editor = {};       // the hint, the name
  std::size_t row = 0;          // the pattern under the cursor
  std::vector<bool> keep = {};  // of the patterns
  bool is_pasting = false;
};

// Everything that a picture depends on; `state` outlives it.
struct Scene {
  const wizard::WizardState& state;
  std::vector<wizard::KeyHelp> keys;  // wizard::keys_of(state)
  ScreenView view = {};
  Size size = {80, 24};
  Charset charset = Charset::kUtf8;
};

// What was drawn, and how far each pane could be scrolled: interaction.h needs the latter to act on
// keys.
struct Picture {
  Canvas canvas;
  std::array<Extent, kMostPanes> panes = {};
  std::size_t pane_count = 0;
  Extent help = {};
};

Picture draw(const Scene& scene);

// How many panes the arrow keys can be given to.
std::size_t pane_count(const wizard::WizardState& state);

}  // namespace airlock::tui

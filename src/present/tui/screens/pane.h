// Boxes with text that scrolls, and text that flows from the top of an area to its bottom: what
// screens are built from. All of them draw inside the area that they are given, whatever its size;
// too little room shows less and never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "present/tui/draw/canvas.h"
#include "present/tui/draw/glyphs.h"
#include "present/tui/screens/scene.h"

namespace airlock::tui {

enum class Focus : std::uint8_t { kNo, kYes };

// A box with a title in its upper edge; gives back what is inside. An area without room for the
// edges has none.
Area draw_box(Canvas& canvas, const Area& area, const Glyphs& glyphs, std::string_view title,
              Ink ink = Ink::kBorder);

struct PaneText {
  std::string title;
  std::vector<Line> lines;
};

// With a scroll bar in its right edge and the place in its lower one when there is more than fits.
Extent draw_pane(Canvas& canvas, const Area& area, const Glyphs& glyphs, const PaneText& text,
                 PaneScroll scroll, Focus focus);

// Prose as rows that fit.
std::vector<Line> wrapped(std::string_view text, int columns, Charset charset,
                          Ink ink = Ink::kPlain);

// Writes downwards; what does not fit is left out.
class ScreenFlow {
 public:
  ScreenFlow(Canvas& canvas, const Area& area, const Glyphs& glyphs)
      : canvas_(canvas), rest_(area), glyphs_(glyphs) {}

  void line(const Line& line);
  void paragraph(std::string_view text, Ink ink = Ink::kPlain, int indent = 0);
  // A paragraph behind a sign; its other rows stand below its words.
  void item(const InkSpan& sign, std::string_view text);
  void gap();
  void skip(int rows) { rest_ = rest_.without_first(rows); }
  const Area& rest() const { return rest_; }

 private:
  Canvas& canvas_;
  Area rest_;
  const Glyphs& glyphs_;
};

}  // namespace airlock::tui

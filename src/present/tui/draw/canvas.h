// A screen before it is on a terminal: a grid of cells, each one character wide, with an ink. A
// screen is a function that draws on one, so it can be compared as text, printed into a document,
// or given to a terminal. Nothing can be written outside the grid or outside the area that is
// named, and no text reaches a cell but through shown_text.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "present/tui/draw/shown_text.h"

namespace airlock::tui {

// What a piece of text is; theme.h says what that looks like.
enum class Ink : std::uint8_t {
  kPlain,
  kMuted,
  kStrong,
  kTitle,
  kBorder,
  kFocus,  // the border of the pane that the arrow keys move
  kKey,    // the cap of a key
  kGood,
  kBad,
  kWarning,
  kSelected,  // the row under the cursor
  kField,     // where something is typed
  kKeyword,
  kDefinition,  // a name that is defined, a key of a map
  kString,
  kNumber,
  kComment,
};
inline constexpr std::size_t kInkCount = 17;

struct InkSpan {
  std::string text;
  Ink ink = Ink::kPlain;
};
using Line = std::vector<InkSpan>;

std::size_t columns_of(const Line& line, Charset charset);

struct Size {
  int width = 0;
  int height = 0;

  friend bool operator==(const Size&, const Size&) = default;
};

struct Point {
  int x = 0;
  int y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

// A rectangle of cells. Layout is done by cutting areas; none ever grows beyond the one it came
// from.
struct Area {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;

  int right() const { return left + width; }
  int bottom() const { return top + height; }
  bool is_empty() const { return width <= 0 || height <= 0; }
  Area inset(int columns, int rows) const;
  // Parts of it, never more than there is.
  Area first_rows(int rows) const;
  Area last_rows(int rows) const;
  Area without_first(int rows) const;
  Area without_last(int rows) const;
};

struct CanvasCell {
  std::string text = " ";    // a character with its marks; empty: the right half of the one before
  std::uint8_t columns = 1;  // 0, 1 or 2
  Ink ink = Ink::kPlain;
};

class Canvas {
 public:
  Canvas(Size size, Charset charset);

  Size size() const { return size_; }
  Charset charset() const { return charset_; }
  Area area() const { return {0, 0, size_.width, size_.height}; }
  const CanvasCell& at(Point place) const;

  // One line; gives back the columns that it takes, cut or not. `skip` columns at its beginning
  // are scrolled out.
  int put(const Area& clip, Point place, std::string_view text, Ink ink = Ink::kPlain,
          int skip = 0);
  int put(const Area& clip, Point place, const Line& line, int skip = 0);
  // All of a row of `clip` in one ink.
  void ink_row(const Area& clip, int y, Ink ink);
  void clear(const Area& area, Ink ink = Ink::kPlain);

  void place_cursor(const Area& clip, Point place);
  std::optional<Point> cursor() const { return cursor_; }

  // Rows without spaces at their ends, each with a line end.
  std::string text() const;

 private:
  CanvasCell& cell(int x, int y) {
    return cells_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) +
                  static_cast<std::size_t>(x)];
  }
  void set(int x, int y, std::string text, int columns, Ink ink);
  void blank(int x, int y, Ink ink);

  Size size_;
  Charset charset_;
  std::vector<CanvasCell> cells_;
  std::optional<Point> cursor_ = {};
};

}  // namespace airlock::tui

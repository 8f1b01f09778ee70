// How a line that is being edited stands on the screen: rows of text, and where the cursor is.
// Pure. Rows are broken here, never by the terminal, so that we know where each character is. A
// line that needs more rows than the screen has is shown as one row, around the cursor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::prompt {

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

struct ViewRow {
  std::string text;         // safe to show
  std::size_t columns = 0;  // that it takes
};

struct LineView {
  std::vector<ViewRow> rows;  // never empty
  std::size_t cursor_row = 0;
  std::size_t cursor_column = 0;
};

// `prompt` is ASCII of ours. `cursor` is a byte of `text`.
LineView lay_out(std::string_view prompt, std::string_view text, std::size_t cursor,
                 ScreenSize screen);

// In which row below the first one the cursor stands once the terminal has broken the rows of the
// view anew, because it is narrower now.
std::size_t cursor_row_after_resize(const LineView& view, std::size_t columns);

}  // namespace airlock::prompt

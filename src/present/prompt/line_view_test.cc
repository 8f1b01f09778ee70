// Where each character of a line stands on screens of many widths.
#include "present/prompt/line_view.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace airlock::prompt {
namespace {

std::string drawn(std::string_view text, std::size_t cursor, ScreenSize screen) {
  const LineView view = lay_out(">>> ", text, cursor, screen);
  std::string all;
  for (std::size_t i = 0; i < view.rows.size(); ++i) {
    std::string row = view.rows[i].text;
    if (i == view.cursor_row) row += " @" + std::to_string(view.cursor_column);
    all += row + "\n";
  }
  return all;
}

TEST(LineView, AShortLineIsOneRow) {
  EXPECT_EQ(drawn("x = 1", 5, {20, 5}), ">>> x = 1 @9\n");
  EXPECT_EQ(drawn("", 0, {20, 5}), ">>>  @4\n");
}

TEST(LineView, RowsAreBrokenHere) {
  EXPECT_EQ(drawn("abcdefgh", 8, {10, 5}), ">>> abcdef\ngh @2\n");
  EXPECT_EQ(drawn("abcdef", 6, {10, 5}), ">>> abcdef\n @0\n");
  EXPECT_EQ(drawn("abcdef", 5, {10, 5}), ">>> abcdef @9\n");
  EXPECT_EQ(drawn("abcde東", 8, {10, 5}), ">>> abcde\n東 @2\n");
}

TEST(LineView, WhatATerminalWouldObeyIsSpeltOut) {
  EXPECT_EQ(drawn("\x1b[2J\xff\ta", 7, {40, 5}), ">>> \\x1b[2J\\xff    a @20\n");
}

TEST(LineView, ALineThatIsTooLongIsShownAroundTheCursor) {
  const std::string text(10'000, 'a');
  EXPECT_EQ(drawn(text, 10'000, {20, 4}), ">>> <" + std::string(9, 'a') + " @14\n");
  EXPECT_EQ(drawn(text, 0, {20, 4}), ">>> " + std::string(13, 'a') + "> @4\n");
}

TEST(LineView, TheCursorIsOnTheScreenWhateverIsTyped) {
  const std::string text = "a東\x1b\xff\te\u0301😀" + std::string(50, 'x') + "東東東";
  for (std::size_t columns = 1; columns < 40; ++columns) {
    for (std::size_t cursor = 0; cursor <= text.size(); ++cursor) {
      const LineView view = lay_out("... ", text, cursor, {columns, 4});
      ASSERT_LT(view.cursor_row, view.rows.size());
      ASSERT_LT(view.cursor_column, std::max<std::size_t>(columns, 8));
      for (const ViewRow& row : view.rows)
        ASSERT_LE(row.columns, std::max<std::size_t>(columns, 8));
    }
  }
}

TEST(LineView, ANarrowerTerminalBreaksRowsAnew) {
  LineView view = lay_out(">>> ", std::string(20, 'a'), 20, {40, 24});
  EXPECT_EQ(cursor_row_after_resize(view, 40), 0U);
  EXPECT_EQ(cursor_row_after_resize(view, 10), 2U);
  view = lay_out(">>> ", std::string(40, 'a'), 40, {40, 24});
  EXPECT_EQ(cursor_row_after_resize(view, 20), 2U);
}

}  // namespace
}  // namespace airlock::prompt

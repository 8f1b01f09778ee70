#include "present/tui/draw/theme.h"

#include <array>

namespace airlock::tui {

namespace {

// Colour numbers of the terminal; -1 is its own text colour. Pale tones for dark backgrounds,
// strong ones for light.
struct ThemeRow {
  int dark = -1;         // of 256
  int light = -1;        // of 256
  int dark_eight = -1;   // of 8
  int light_eight = -1;  // of 8
  Look look = {};        // the rest of it; alone when there is no colour
};

constexpr Look kNormal = {};
constexpr Look kBold = {.is_bold = true};
constexpr Look kDim = {.is_dim = true};
constexpr Look kReversed = {.is_reversed = true};
constexpr Look kUnderlined = {.is_underlined = true};

// In the order of Ink.
constexpr std::array<ThemeRow, kInkCount> kRows = {{
    {-1, -1, -1, -1, kNormal},      // plain
    {245, 243, -1, -1, kDim},       // muted
    {-1, -1, -1, -1, kBold},        // strong
    {81, 25, 6, 4, kBold},          // title
    {240, 247, -1, -1, kDim},       // border
    {81, 25, 6, 4, kBold},          // focus
    {222, 130, 3, 5, kBold},        // key
    {114, 28, 2, 2, kNormal},       // good
    {210, 160, 1, 1, kBold},        // bad
    {221, 130, 3, 5, kBold},        // warning
    {-1, -1, -1, -1, kReversed},    // selected
    {-1, -1, -1, -1, kUnderlined},  // field
    {176, 90, 5, 5, kBold},         // keyword
    {117, 25, 6, 4, kNormal},       // definition
    {150, 28, 2, 2, kNormal},       // string
    {215, 130, 3, 1, kNormal},      // number
    {245, 243, -1, -1, kDim},       // comment
}};

}  // namespace

Look look_of(Ink ink, Background background, Palette palette) {
  const ThemeRow& row = kRows[static_cast<std::size_t>(ink)];
  Look look = row.look;
  const bool is_dark = background == Background::kDark;
  if (palette == Palette::kEight) look.colour = is_dark ? row.dark_eight : row.light_eight;
  if (palette == Palette::kMany) {
    look.colour = is_dark ? row.dark : row.light;
    if (look.colour >= 0) look.is_dim = false;  // the colour is pale already
  }
  return look;
}

Background background_from(std::string_view colorfgbg) {
  const std::size_t semicolon = colorfgbg.rfind(';');
  if (semicolon == std::string_view::npos) return Background::kDark;
  const std::string_view number = colorfgbg.substr(semicolon + 1);
  // The light ones of the sixteen colours: 7 and 9 to 15, without 12 (blue), which is too dark.
  return number == "7" || (number >= "9" && number.size() == 1) || number == "10" ||
                 number == "11" || number == "13" || number == "14" || number == "15"
             ? Background::kLight
             : Background::kDark;
}

}  // namespace airlock::tui

#include "present/tui/draw/glyphs.h"

#include <utility>

namespace airlock::tui {

namespace {

// Box drawing, arrows and Braille: one column each in every common terminal font. No emoji, whose
// width terminals disagree about.
constexpr Glyphs kUnicode = {
    .charset = Charset::kUtf8,
    .horizontal = "─",
    .vertical = "│",
    .top_left = "┌",
    .top_right = "┐",
    .bottom_left = "└",
    .bottom_right = "┘",
    .branch = "├─",
    .last_branch = "└─",
    .thumb = "█",
    .check = "✓",
    .cross = "✗",
    .warning = "⚠",
    .running = "▶",
    .waiting = "·",
    .arrow = "→",
    .ellipsis = "…",
    .bullet = "•",
    .dot = "·",
    .bar_full = "█",
    .bar_empty = "░",
    .kept = "[✓]",
    .ignored = "[ ]",
    .up_down = "↑↓",
    .left_right = "←→",
    .times = "×",
    .more = "›",
    .spinner = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
    .spinner_steps = 10,
};

constexpr Glyphs kPlain = {
    .charset = Charset::kAscii,
    .horizontal = "-",
    .vertical = "|",
    .top_left = "+",
    .top_right = "+",
    .bottom_left = "+",
    .bottom_right = "+",
    .branch = "|-",
    .last_branch = "`-",
    .thumb = "#",
    .check = "ok",
    .cross = "x",
    .warning = "!",
    .running = ">",
    .waiting = "-",
    .arrow = "->",
    .ellipsis = "...",
    .bullet = "*",
    .dot = "-",
    .bar_full = "#",
    .bar_empty = ".",
    .kept = "[x]",
    .ignored = "[ ]",
    .up_down = "Up/Down",
    .left_right = "Left/Right",
    .times = "x",
    .more = ">",
    .spinner = {"|", "/", "-", "\\", "", "", "", "", "", ""},
    .spinner_steps = 4,
};

// For in_charset(): signs in the middle of our sentences.
constexpr std::pair<std::string_view, std::string_view> kSpelling[] = {
    {"…", "..."}, {"→", "->"}, {"×", "x"},  {"·", "-"},  {"–", "-"},        {"—", "-"},
    {"✓", "ok"},  {"✗", "x"},  {"⚠", "!"},  {"▶", ">"},  {"“", "\""},       {"”", "\""},
    {"‘", "'"},   {"’", "'"},  {"≥", ">="}, {"≤", "<="}, {"↑↓", "Up/Down"},
};

}  // namespace

const Glyphs& glyphs_of(Charset charset) {
  return charset == Charset::kAscii ? kPlain : kUnicode;
}

std::string in_charset(std::string_view text, const Glyphs& glyphs) {
  std::string out(text);
  if (glyphs.charset == Charset::kUtf8) return out;
  for (const auto& [sign, letters] : kSpelling) {
    for (std::size_t at = out.find(sign); at != std::string::npos; at = out.find(sign, at)) {
      out.replace(at, sign.size(), letters);
      at += letters.size();
    }
  }
  return out;
}

}  // namespace airlock::tui

// Text as a screen measures it: clusters (a character with its combining marks), lines, word wrap
// and cutting, all by columns of a terminal. Every text is foreign until it has gone through here:
// what has no glyph of its own is spelt out as base/printable.h does it, a mark without a letter
// and the fifth mark on one letter too, and with Charset::kAscii all that is not ASCII.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::tui {

enum class Charset : std::uint8_t { kUtf8, kAscii };

struct Cluster {
  std::string text;         // safe to show; several columns of ASCII when it was spelt out
  std::size_t bytes = 0;    // of the original; 0 only at the end of the text
  std::size_t columns = 0;  // never 0 before the end
};

Cluster cluster_at(std::string_view text, std::size_t at, Charset charset);
// Where the cluster before `at` begins; 0 at the beginning.
std::size_t cluster_before(std::string_view text, std::size_t at);

std::size_t columns_of(std::string_view text, Charset charset);

// Safe and on one line.
std::string shown(std::string_view text, Charset charset);

// At most so many columns, with `mark` (an ellipsis) where something was left out.
std::string cut_end(std::string_view text, std::size_t columns, std::string_view mark,
                    Charset charset);
std::string cut_start(std::string_view text, std::size_t columns, std::string_view mark,
                      Charset charset);

// Lines without their ends; tabs become spaces. At most `most` lines of at most 4000 bytes each.
inline constexpr std::size_t kMostLines = 20000;
std::vector<std::string> lines_of(std::string_view text, std::size_t most = kMostLines);

struct TextPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
};
// Rows of one line, broken after spaces where there are some. Spaces at a row's end may hang out of
// it. Every byte is in exactly one row; there is always one.
std::vector<TextPiece> wrap_pieces(std::string_view line, std::size_t columns, Charset charset);
// Several lines, each wrapped; spaces at the ends of rows are gone.
std::vector<std::string> wrap(std::string_view text, std::size_t columns, Charset charset);

}  // namespace airlock::tui

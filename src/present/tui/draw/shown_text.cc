// Everything here walks a text by clusters, from cluster_at(), which decides what a terminal may be
// given: the character itself with its marks, or its spelling in ASCII. So what is measured is what
// is drawn.
#include "present/tui/draw/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::tui {

namespace {

constexpr std::size_t kMostMarks = 4;  // a cell of ncurses holds a letter and four more
constexpr std::size_t kTabColumns = 4;
constexpr std::size_t kLongestLine = 4000;  // bytes; nobody scrolls further to the right

bool is_plain(char byte) {
  return byte >= 0x20 && byte < 0x7F;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, is_plain);
}

// `bytes` of the text as "<U+202E>": for what is no glyph of its own, or not in the alphabet.
Cluster spelt(std::string_view text, std::size_t at, std::size_t bytes) {
  const CodePoint point = decode_utf8(text, at);
  std::string name = fmt::format("<U+{:04X}>", static_cast<unsigned>(point.value));
  const std::size_t columns = name.size();
  return {std::move(name), bytes, columns};
}

// Marks that stand on the letter before them.
void add_marks(Cluster& cluster, std::string_view text, std::size_t at) {
  for (std::size_t marks = 0; marks < kMostMarks; ++marks) {
    const std::size_t next = at + cluster.bytes;
    if (next >= text.size() || is_plain(text[next])) return;
    const Glyph mark = glyph_at(text, next);
    if (mark.bytes == 0 || mark.columns != 0) return;
    cluster.text += mark.text;
    cluster.bytes += mark.bytes;
  }
}

std::string_view without_trailing_spaces(std::string_view row) {
  const std::size_t last = row.find_last_not_of(' ');
  return row.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string expand_tabs(std::string_view line) {
  if (line.find('\t') == std::string_view::npos) return std::string(line);
  std::string out;
  for (const char byte : line) {
    if (byte == '\t') {
      out.append(kTabColumns - out.size() % kTabColumns, ' ');
    } else {
      out += byte;
    }
  }
  return out;
}

}  // namespace

Cluster cluster_at(std::string_view text, std::size_t at, Charset charset) {
  if (at >= text.size()) return {};
  Glyph glyph = glyph_at(text, at);
  const bool is_itself = glyph.text == text.substr(at, glyph.bytes);
  if (is_itself && (glyph.columns == 0 || (charset == Charset::kAscii && !is_ascii(glyph.text)))) {
    return spelt(text, at, glyph.bytes);
  }
  Cluster cluster{std::move(glyph.text), glyph.bytes, glyph.columns};
  if (is_itself && charset == Charset::kUtf8) add_marks(cluster, text, at);
  return cluster;
}

// From the beginning: UTF-8 can be walked backwards, clusters cannot. Lines are short.
std::size_t cluster_before(std::string_view text, std::size_t at) {
  std::size_t begin = 0;
  for (std::size_t next = 0; next < std::min(at, text.size());) {
    begin = next;
    next += cluster_at(text, next, Charset::kUtf8).bytes;
  }
  return begin;
}

std::size_t columns_of(std::string_view text, Charset charset) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Cluster cluster = cluster_at(text, at, charset);
    columns += cluster.columns;
    at += cluster.bytes;
  }
  return columns;
}

std::string shown(std::string_view text, Charset charset) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Cluster cluster = cluster_at(text, at, charset);
    out += cluster.text;
    at += cluster.bytes;
  }
  return out;
}

std::string cut_end(std::string_view text, std::size_t columns, std::string_view mark,
                    Charset charset) {
  if (columns_of(text, charset) <= columns) return shown(text, charset);
  const std::size_t mark_columns = columns_of(mark, charset);
  if (columns < mark_columns) return {};
  std::string out;
  std::size_t used = mark_columns;
  for (std::size_t at = 0; at < text.size();) {
    const Cluster cluster = cluster_at(text, at, charset);
    if (used + cluster.columns > columns) break;
    out += cluster.text;
    used += cluster.columns;
    at += cluster.bytes;
  }
  return out.append(mark);
}

std::string cut_start(std::string_view text, std::size_t columns, std::string_view mark,
                      Charset charset) {
  std::size_t left = columns_of(text, charset);
  if (left <= columns) return shown(text, charset);
  const std::size_t mark_columns = columns_of(mark, charset);
  if (columns < mark_columns) return {};
  std::size_t at = 0;
  // Whole clusters go until the rest and the mark fit.
  while (at < text.size() && left + mark_columns > columns) {
    const Cluster cluster = cluster_at(text, at, charset);
    left -= cluster.columns;
    at += cluster.bytes;
  }
  return std::string(mark).append(shown(text.substr(at), charset));
}

std::vector<std::string> lines_of(std::string_view text, std::size_t most) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(expand_tabs(cut_utf8(line, kLongestLine)));
  }
  return lines;
}

std::vector<TextPiece> wrap_pieces(std::string_view line, std::size_t columns, Charset charset) {
  const std::size_t width = std::max<std::size_t>(columns, 1);
  std::vector<TextPiece> pieces;
  TextPiece row;
  std::size_t used = 0;
  std::size_t break_at = 0;  // after the last space of this row
  for (std::size_t at = 0; at < line.size();) {
    const Cluster cluster = cluster_at(line, at, charset);
    const bool is_space = cluster.text == " ";
    if (!is_space && used + cluster.columns > width && at > row.begin) {
      // After the last space if this row has one; a word that is longer than a row is cut where it
      // is full.
      row.end = break_at > row.begin ? break_at : at;
      pieces.push_back(row);
      row.begin = row.end;
      used = columns_of(line.substr(row.begin, at - row.begin), charset);
    }
    used += cluster.columns;
    at += cluster.bytes;
    if (is_space) break_at = at;
  }
  row.end = line.size();
  pieces.push_back(row);
  return pieces;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns, Charset charset) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(text)) {
    for (const TextPiece& piece : wrap_pieces(line, columns, charset)) {
      const std::string_view row =
          std::string_view(line).substr(piece.begin, piece.end - piece.begin);
      rows.push_back(shown(without_trailing_spaces(row), charset));
    }
  }
  return rows;
}

}  // namespace airlock::tui

#include "present/report/check_place.h"

#include <algorithm>

#include "base/utf8.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// One less than the greatest: a caller may add one.
std::uint32_t as_number(std::size_t count) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, UINT32_MAX - 1));
}

}  // namespace

std::size_t character_start(std::string_view line, std::size_t byte) {
  const auto is_continuation = [&](std::size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
  };
  // No character of UTF-8 has more than three continuation bytes; in bytes that are no UTF-8 this
  // must not walk far.
  for (int steps = 0; steps < 3 && byte > 0 && is_continuation(byte); ++steps) --byte;
  return byte;
}

// Finds the starts of lines one by one, as far as they are asked for; each byte is read once.
bool TextLines::reach(std::uint32_t number) {
  while (starts_.size() < number && !read_to_end_) {
    std::size_t at = starts_.back();
    while (at < text_.size() && text_[at] != '\n' && text_[at] != '\r') ++at;
    at += text_.substr(at, 2) == "\r\n" ? 2 : 1;
    if (at < text_.size()) {
      starts_.push_back(at);
    } else {
      read_to_end_ = true;
    }
  }
  return number >= 1 && number <= starts_.size();
}

std::uint32_t TextLines::count() {
  reach(UINT32_MAX);
  return static_cast<std::uint32_t>(starts_.size());
}

std::string_view TextLines::line(std::uint32_t number) {
  if (number == 0) number = 1;
  const std::size_t index = (reach(number) ? number : count()) - 1;
  const std::size_t begin = starts_[index];
  // A line ends where the next one begins; its own end is cut off below.
  const bool is_last = !reach(static_cast<std::uint32_t>(index + 2));
  const std::size_t end = is_last ? text_.size() : starts_[index + 1];
  std::string_view found = text_.substr(begin, end - begin);
  if (found.ends_with('\n')) found.remove_suffix(1);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string_view TextLines::between(const Place& place) {
  const std::size_t begin = starts_[place.line - 1] + place.column;
  return text_.substr(begin, starts_[place.end_line - 1] + place.end_column - begin);
}

Place TextLines::fit(Place place) {
  const auto fit_one = [&](std::uint32_t& line_number, std::uint32_t& column) {
    if (line_number == 0) line_number = 1;
    if (!reach(line_number)) {
      line_number = count();
      column = UINT32_MAX;
    }
    column = std::min(column, as_number(line(line_number).size()));
  };
  fit_one(place.line, place.column);
  fit_one(place.end_line, place.end_column);
  if (place.end_line < place.line ||
      (place.end_line == place.line && place.end_column < place.column)) {
    place.end_line = place.line;
    place.end_column = place.column;
  }
  return place;
}

Place place_on_disk(const CheckedFile& file, const Place& place) {
  Place raw = file.verdict.lines.to_raw(place);
  // With a map of lines, to_raw() has the mark in its columns already; without one the file was
  // judged as it stands, but for the mark.
  const bool mark_was_taken = file.verdict.lines.lines.empty() && !file.verdict.code.empty() &&
                              file.raw.starts_with(kByteOrderMark) &&
                              !file.verdict.code.starts_with(kByteOrderMark);
  const auto give_back = [](std::uint32_t line, std::uint32_t& column) {
    const auto size = static_cast<std::uint32_t>(kByteOrderMark.size());
    if (line == 1 && column < UINT32_MAX - size) column += size;
  };
  if (mark_was_taken) {
    give_back(raw.line, raw.column);
    give_back(raw.end_line, raw.end_column);
  }
  return raw;
}

CharacterPlace CharacterCounter::count(const Place& place) {
  return {place.line, column(start_, place.line, place.column), place.end_line,
          column(end_, place.end_line, place.end_column)};
}

std::uint32_t CharacterCounter::column(Mark& mark, std::uint32_t line, std::uint32_t byte) {
  const std::string_view text = lines_.line(line);
  // Findings are sorted by their start, so this happens once a line; ends may go back, and then the
  // line is counted again from its start.
  if (mark.line != line || mark.byte > byte) {
    mark = {line, 0, 0};
    if (line == 1 && text.starts_with(kByteOrderMark)) {
      mark.byte = static_cast<std::uint32_t>(kByteOrderMark.size());
    }
  }
  byte = static_cast<std::uint32_t>(character_start(text, byte));
  if (byte > mark.byte) {
    mark.characters += as_number(count_code_points(text.substr(mark.byte, byte - mark.byte)));
    mark.byte = byte;
  }
  return mark.characters + 1;
}

}  // namespace airlock::cli

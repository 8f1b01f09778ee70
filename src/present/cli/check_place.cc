#include "present/cli/check_place.h"

#include <algorithm>

#include "base/utf8.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::uint32_t as_number(std::size_t count) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, UINT32_MAX - 1));
}

}  // namespace

std::size_t character_start(std::string_view line, std::size_t byte) {
  const auto is_continuation = [&](std::size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
  };
  for (int steps = 0; steps < 3 && byte > 0 && is_continuation(byte); ++steps) --byte;
  return byte;
}

TextLines::TextLines(std::string_view text) : text_(text), starts_{0} {
  std::size_t at = text.find_first_of("\r\n");
  while (at != std::string_view::npos) {
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
    if (at >= text.size()) break;
    starts_.push_back(at);
    at = text.find_first_of("\r\n", at);
  }
}

std::string_view TextLines::line(std::uint32_t number) const {
  const std::size_t index = std::clamp<std::uint32_t>(number, 1, count()) - 1;
  const std::size_t begin = starts_[index];
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] : text_.size();
  std::string_view found = text_.substr(begin, end - begin);
  if (found.ends_with('\n')) found.remove_suffix(1);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::size_t TextLines::offset(std::uint32_t line_number, std::uint32_t column) const {
  return starts_[line_number - 1] + column;
}

std::string_view TextLines::between(const Place& place) const {
  const std::size_t begin = offset(place.line, place.column);
  return text_.substr(begin, offset(place.end_line, place.end_column) - begin);
}

Place TextLines::fit(Place place) const {
  const auto fit_one = [&](std::uint32_t& line_number, std::uint32_t& column) {
    if (line_number == 0) line_number = 1;
    if (line_number > count()) {
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

std::uint32_t CharacterCounter::column(Mark& mark, std::uint32_t line, std::uint32_t byte) const {
  const std::string_view text = lines_.line(line);
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

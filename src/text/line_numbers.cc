// Code never starts its lines with numbers that count up, so a gutter is known by the
// counting: nine of ten written lines begin with a number, and each number is one more than that of
// the line above. What stands behind the number is either a sign (`:`, `|`, `.`, `)`) or only white
// space.
//
// Behind the gutter the code's own indentation starts. How wide the gutter is: with right-aligned
// numbers or a sign, one space behind it is the gutter's when every line has it; with left-aligned
// numbers the code starts in one column, which shows when nothing but digits and spaces stands in
// front of that column on any line.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "text/decorations.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

struct NumberMark {
  std::uint64_t number = 0;
  std::size_t digits_end = 0;
  std::size_t end = 0;  // behind the sign, or behind the digits
  bool bare = false;    // the number is all there is
};

std::optional<NumberMark> read_mark(std::string_view line) {
  const std::size_t begin = indentation(line);
  std::size_t at = begin;
  NumberMark mark;
  // Nine digits fit any line number and cannot overflow.
  while (at < line.size() && is_digit(line[at]) && at - begin < 9) {
    mark.number = mark.number * 10 + static_cast<std::uint64_t>(line[at++] - '0');
  }
  if (at == begin) return std::nullopt;
  mark.digits_end = mark.end = at;
  const std::size_t sign = at + indentation(line.substr(at));
  const std::string_view rest = line.substr(sign);
  mark.bare = rest.empty();
  if (rest.starts_with("\xE2\x94\x82")) {  // the box-drawing line
    mark.end = sign + 3;
  } else if (rest.starts_with('|') || rest.starts_with(':') ||
             (sign == at && (rest.starts_with('.') || rest.starts_with(')')))) {
    mark.end = sign + 1;
  } else if (!mark.bare && sign == at) {
    return std::nullopt;  // `2x`, `3+4`: no gutter
  }
  mark.bare = mark.bare || trim(line.substr(mark.end)).empty();
  return mark;
}

bool counts_up(PageView page) {
  std::size_t written = 0;
  std::size_t marked = 0;
  std::size_t steps = 0;
  std::optional<std::uint64_t> before;
  std::uint64_t blank = 0;
  for (const PageLine& line : page) {
    if (trim(line.text).empty()) {
      ++blank;
      continue;
    }
    ++written;
    const auto mark = read_mark(line.text);
    if (!mark) continue;
    ++marked;
    // Editors number blank lines too, some chat pages do not.
    steps += before && (mark->number == *before + 1 || mark->number == *before + 1 + blank);
    before = mark->number;
    blank = 0;
  }
  // Nine of ten: one line may be wrapped or lost.
  return marked >= 2 && marked * 10 >= written * 9 && steps * 10 >= (marked - 1) * 9;
}

// The column of the code when left-aligned numbers share one; 0 when they do not.
std::size_t shared_column(PageView page) {
  std::size_t widest = 0;
  std::size_t narrowest = SIZE_MAX;
  for (const PageLine& line : page) {
    const auto mark = read_mark(line.text);
    if (!mark) continue;
    if (mark->end != mark->digits_end) return 0;
    widest = std::max(widest, mark->digits_end);
    narrowest = std::min(narrowest, mark->digits_end);
  }
  if (narrowest >= widest) return 0;
  std::size_t column = SIZE_MAX;
  for (const PageLine& line : page) {
    const auto mark = read_mark(line.text);
    if (!mark || mark->bare) continue;
    column = std::min(column, mark->end + indentation(line.text.substr(mark->end)));
  }
  return column != SIZE_MAX && column > widest ? column : 0;
}

// Blanks that every line has behind its mark: they belong to the gutter.
std::size_t shared_spaces(PageView page) {
  std::size_t spaces = SIZE_MAX;
  for (const PageLine& line : page) {
    const auto mark = read_mark(line.text);
    if (!mark || mark->bare) continue;
    spaces = std::min(spaces, indentation(line.text.substr(mark->end)));
  }
  return spaces == SIZE_MAX ? 0 : spaces;
}

}  // namespace

bool remove_line_numbers(PageReading& reading) {
  const std::size_t first = first_written(reading.page);
  if (first == reading.page.size() || !read_mark(reading.page[first].text)) return false;
  if (!counts_up(reading.page)) return false;
  const std::size_t column = shared_column(reading.page);
  const std::size_t spaces = shared_spaces(reading.page);
  const Page before = reading.page;
  for (PageLine& line : reading.page) {
    const auto mark = read_mark(line.text);
    if (!mark) continue;
    const std::size_t width = mark->bare   ? line.text.size()
                              : column > 0 ? column
                                           : mark->end + spaces;
    line = cut_front(line, width);
  }
  reading.changes.push_back({RuleCode::kDecorationRemoved, before[first].raw.line, "1",
                             fmt::format("Removed the line numbers in front of the code ({})",
                                         name_lines(PageView(before).subspan(first))),
                             "", Severity::kNote});
  return true;
}

}  // namespace airlock::text

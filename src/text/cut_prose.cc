// Only lines that are surely prose are cut. Between prose and code there may be lines that
// are neither, such as `improt re`: were they cut, a file with a slip in its first line would pass
// as a file without that line. So one doubtful line above the code keeps everything above it.
#include <fmt/format.h>

#include "text/decorations.h"
#include "text/line_scan.h"
#include "text/prose.h"

namespace airlock::text {

namespace {

bool is_comment(std::string_view line) {
  return trim_left(line).starts_with('#');
}

// Where the code starts: its first sure line, with the comments right above it. page.size() when
// there is none, 0 when something above it may be code too
// (comments alone may be: an encoding declaration is one).
std::size_t find_start(PageView page) {
  std::size_t first = 0;
  while (first < page.size() && !is_code_line(page[first].text)) ++first;
  if (first == page.size()) return first;
  while (first > 0 && is_comment(page[first - 1].text)) --first;
  bool prose = false;
  for (const PageLine& line : page.first(first)) {
    if (trim(line.text).empty()) continue;
    if (!is_prose_line(line.text)) return 0;
    prose = prose || !is_comment(line.text);
  }
  return prose ? first : 0;
}

// Behind the last line that may be code. Indented prose goes only below prose that is not.
std::size_t find_end(PageView page, std::size_t start, std::size_t base) {
  std::size_t end = page.size();
  for (std::size_t i = page.size(); i > start; --i) {
    const std::string_view line = page[i - 1].text;
    if (trim(line).empty()) continue;
    if (!is_prose_line(line)) break;
    if (indentation(line) <= base && !is_comment(line)) end = i - 1;
  }
  return end;
}

// Only below the definition of extract, and only at the margin of the code: inside a function a
// line that reads like prose is in a docstring.
std::size_t find_first_prose(PageView page, std::size_t start, std::size_t end, std::size_t base) {
  bool defined = false;
  for (std::size_t i = start; i < end; ++i) {
    const std::string_view line = page[i].text;
    defined = defined || defines_extract(line);
    if (defined && indentation(line) <= base && !is_comment(line) && is_prose_line(line)) return i;
  }
  return end;
}

// Lines [start, end) of the page, with a note that names what was cut on both sides.
PageReading keep(const PageReading& reading, std::size_t start, std::size_t end) {
  const PageView page = reading.page;
  PageReading out{Page(page.begin() + static_cast<std::ptrdiff_t>(start),
                       page.begin() + static_cast<std::ptrdiff_t>(end)),
                  reading.changes};
  std::string where;
  std::uint32_t line = 0;
  for (const PageView part : {page.first(start), page.subspan(end)}) {
    if (is_blank_page(part)) continue;
    if (line == 0) line = part[first_written(part)].raw.line;
    where += (where.empty() ? "" : ", ") + name_lines(part.subspan(first_written(part)));
  }
  out.changes.push_back({RuleCode::kProseRemoved, line, "",
                         fmt::format("Removed the text around the code ({})", where), "",
                         Severity::kNote});
  remove_decorations(out);
  return out;
}

}  // namespace

// The longer reading first: cutting less is the safer guess.
std::vector<PageReading> cut_prose(const PageReading& reading) {
  const PageView page = reading.page;
  const std::size_t start = find_start(page);
  if (start == page.size()) return {};
  const std::size_t base = indentation(page[start].text);
  const std::size_t end = find_end(page, start, base);
  const std::size_t sooner = find_first_prose(page, start, end, base);
  std::vector<PageReading> out;
  const auto cuts = [&](std::size_t to) {
    return !is_blank_page(page.first(start)) || !is_blank_page(page.subspan(to));
  };
  if (cuts(end)) out.push_back(keep(reading, start, end));
  if (sooner < end && cuts(sooner)) out.push_back(keep(reading, start, sooner));
  return out;
}

}  // namespace airlock::text

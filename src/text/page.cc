#include "text/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/line_scan.h"

namespace airlock::text {

Page split_page(const CodeCandidate& decoded) {
  Page page;
  append_lines(page, decoded.code, {});
  for (std::size_t i = 0; i < page.size(); ++i) {
    const Place raw = decoded.lines.to_raw({.line = static_cast<std::uint32_t>(i + 1)});
    page[i].raw = {raw.line, static_cast<std::int32_t>(raw.column)};
  }
  return page;
}

void append_lines(Page& page, std::string_view text, RawLine raw) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    page.push_back({text.substr(0, end), raw});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string join(PageView page) {
  std::size_t size = 0;
  for (const PageLine& line : page) size += line.text.size() + 1;
  std::string out;
  out.reserve(size);
  for (const PageLine& line : page) {
    out += line.text;
    out += '\n';
  }
  return out;
}

// An empty map stands for "every line where it stood", and saves its readers the lookup.
CodeCandidate to_candidate(const PageReading& reading) {
  CodeCandidate out{join(reading.page), {}, reading.changes};
  bool moved = false;
  for (std::size_t i = 0; i < reading.page.size(); ++i) {
    const RawLine& raw = reading.page[i].raw;
    moved = moved || raw.line != i + 1 || raw.column != 0;
  }
  if (!moved) return out;
  out.lines.lines.reserve(reading.page.size());
  for (const PageLine& line : reading.page) out.lines.lines.push_back(line.raw);
  return out;
}

PageLine cut_front(const PageLine& line, std::size_t bytes) {
  bytes = std::min(bytes, line.text.size());
  return {line.text.substr(bytes),
          {line.raw.line, line.raw.column + static_cast<std::int32_t>(bytes)}};
}

std::size_t first_written(PageView page) {
  std::size_t at = 0;
  while (at < page.size() && trim(page[at].text).empty()) ++at;
  return at;
}

bool is_blank_page(PageView page) {
  return first_written(page) == page.size();
}

bool defines_extract(std::string_view line) {
  const auto eat_word = [&](std::string_view word) {
    if (!starts_with_word(line, word)) return false;
    line = trim_left(line.substr(word.size()));
    return true;
  };
  line = trim_left(line);
  eat_word("async");
  return eat_word("def") && eat_word("extract") && line.starts_with('(');
}

bool holds_extract(PageView page) {
  return std::ranges::any_of(page, [](const PageLine& line) { return defines_extract(line.text); });
}

std::uint32_t first_raw_line(PageView page) {
  return page.empty() ? 1 : page.front().raw.line;
}

std::uint32_t last_raw_line(PageView page) {
  return page.empty() ? 1 : page.back().raw.line;
}

std::string name_lines(std::uint32_t first, std::uint32_t last) {
  if (first == last) return fmt::format("line {}", first);
  return fmt::format("lines {} to {}", first, last);
}

std::string name_lines(PageView page) {
  return name_lines(first_raw_line(page), last_raw_line(page));
}

}  // namespace airlock::text

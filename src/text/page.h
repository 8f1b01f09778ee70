// A text as lines that remember where they came from. Every step of cleaning takes a page and gives
// a page, so no step has to know what the ones before it cut away.
//
// Lines are views: into the decoded text, which the caller keeps, or into a TextStore for text that
// had to be made anew (a JSON string without its escapes). So a page is cheap to copy, and must not
// outlive either. Cutting in front of a line adds to its raw column.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/line_map.h"
#include "text/cleaning.h"

namespace airlock::text {

struct PageLine {
  std::string_view text;  // without its line end
  RawLine raw;
};

using Page = std::vector<PageLine>;
using PageView = std::span<const PageLine>;
using TextStore = std::deque<std::string>;  // never moves what it holds

// A page and what was done to get it.
struct PageReading {
  Page page;
  std::vector<CleaningChange> changes;
};

// The lines keep views into `decoded.code`.
Page split_page(const CodeCandidate& decoded);

// Adds the lines of `text`; a last line without its line end is a line too.
void append_lines(Page& page, std::string_view text, RawLine raw);

// Every line ends in LF; the line map is left empty when nothing moved.
CodeCandidate to_candidate(const PageReading& reading);

std::string join(PageView page);

// The same line without its first `bytes` bytes.
PageLine cut_front(const PageLine& line, std::size_t bytes);

bool is_blank_page(PageView page);

// Index of the first line that is not blank; page.size() when there is none.
std::size_t first_written(PageView page);

// A line such as `def extract(` or `async def extract (`, at any indentation; `def extract_all(` is
// another function.
bool defines_extract(std::string_view line);
bool holds_extract(PageView page);

std::uint32_t first_raw_line(PageView page);
std::uint32_t last_raw_line(PageView page);

// "line 3" or "lines 3 to 9".
std::string name_lines(std::uint32_t first, std::uint32_t last);
std::string name_lines(PageView page);

}  // namespace airlock::text

// A diff is known by its two file lines, wherever they stand: prose may be above them. HTML is
// known by its first tag alone, since a tag further down may be a string of the code.
#include "text/other_forms.h"

#include <fmt/format.h>

#include "text/line_scan.h"

namespace airlock::text {

namespace {

bool is_hunk_header(std::string_view line) {
  return line.starts_with("@@ -") || line == "@@" || line.starts_with("@@ ");
}

bool starts_edit(std::string_view line) {
  return line.starts_with("diff --git ") || line.starts_with("*** Begin Patch") ||
         line.starts_with("<<<<<<< SEARCH");
}

}  // namespace

bool is_diff(PageView page) {
  for (std::size_t i = 0; i < page.size(); ++i) {
    const std::string_view line = page[i].text;
    if (starts_edit(line)) return true;
    const bool old_file = line.starts_with("--- ");
    if (old_file && i + 1 < page.size() && page[i + 1].text.starts_with("+++ ")) return true;
  }
  const std::size_t first = first_written(page);
  return first < page.size() && is_hunk_header(page[first].text);
}

bool is_html(PageView page) {
  const std::size_t first = first_written(page);
  if (first == page.size()) return false;
  const std::string_view text = trim_left(page[first].text);
  return starts_ignoring_case(text, "<!doctype html") || starts_ignoring_case(text, "<html");
}

// No attempt is made to apply a diff: the file that it belongs to is not known.
Unrecoverable a_diff(PageView page) {
  return {RuleCode::kNotPython,
          first_raw_line(page),
          0,
          "diff",
          "The answer is a diff: it cannot be judged as the program that it describes",
          "Ask for the whole file instead of a diff"};
}

Unrecoverable an_html_page(PageView page) {
  return {RuleCode::kNotPython,
          first_raw_line(page),
          0,
          "HTML",
          "The answer is a page of HTML, not Python",
          "Ask for the Python file as plain text"};
}

Unrecoverable no_code(std::uint32_t raw_line, std::string_view what) {
  return {RuleCode::kNoCode,
          raw_line,
          0,
          "",
          what.empty() ? "No code found in the answer"
                       : fmt::format("No code found in the answer: {}", what),
          "Answer with one Python code block that defines extract(path)"};
}

}  // namespace airlock::text

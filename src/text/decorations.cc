// A mark counts when all lines bear it, or when taking it away uncovers `def extract` where
// there was none: a doctest in a docstring or a comparison that starts a line is left alone.
#include "text/decorations.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/line_scan.h"
#include "text/prose.h"

namespace airlock::text {

namespace {

// Bytes of a quote mark and the one space behind it; 0 when there is none. `>>>` is a prompt.
std::size_t quote_width(std::string_view line) {
  const std::size_t at = indentation(line);
  const std::string_view text = line.substr(at);
  // Markdown takes four spaces and more for code, so a mark there is no quote mark.
  if (at > 3 || !text.starts_with('>') || text.starts_with(">>>")) return 0;
  return at + (text.starts_with("> ") ? 2 : 1);
}

// Bytes of a prompt of the interactive interpreter and the one space behind it; 0: there is none.
std::size_t prompt_width(std::string_view line) {
  const std::size_t at = indentation(line);
  const std::string_view text = line.substr(at);
  if (!text.starts_with(">>>") && !text.starts_with("...")) return 0;
  if (text.size() == 3) return at + 3;
  return text[3] == ' ' ? at + 4 : 0;
}

void note(PageReading& reading, PageView marked, std::string item, std::string_view what) {
  reading.changes.push_back({RuleCode::kDecorationRemoved, first_raw_line(marked), std::move(item),
                             fmt::format("{} ({})", what, name_lines(marked)), "",
                             Severity::kNote});
}

void note_prose(PageReading& reading, PageView before, PageView after) {
  std::string where;
  std::uint32_t line = 0;
  for (const PageView part : {before, after}) {
    if (is_blank_page(part)) continue;
    if (line == 0) line = first_raw_line(part);
    where += (where.empty() ? "" : ", ") + name_lines(part);
  }
  if (line == 0) return;
  reading.changes.push_back({RuleCode::kProseRemoved, line, "",
                             fmt::format("Removed the text around the code ({})", where), "",
                             Severity::kNote});
}

// The run of quoted lines that holds the code; empty when none does.
PageView find_quoted_run(PageView page) {
  for (std::size_t i = 0; i < page.size(); ++i) {
    std::size_t end = i;
    bool found = false;
    while (end < page.size() && quote_width(page[end].text) > 0) {
      found = found || defines_extract(cut_front(page[end], quote_width(page[end].text)).text);
      ++end;
    }
    if (found) return page.subspan(i, end - i);
    i = std::max(i, end);
  }
  return {};
}

}  // namespace

// All lines, or, in an answer without any other extract, the quoted run that holds one.
bool remove_quote_marks(PageReading& reading, Where where) {
  PageView quoted = reading.page;
  const bool all = !is_blank_page(quoted) && std::ranges::all_of(quoted, [](const PageLine& line) {
    return trim(line.text).empty() || quote_width(line.text) > 0;
  });
  if (!all) {
    if (where == Where::kInsideFence || holds_extract(reading.page)) return false;
    quoted = find_quoted_run(reading.page);
  }
  if (quoted.empty()) return false;
  Page page;
  for (const PageLine& line : quoted) page.push_back(cut_front(line, quote_width(line.text)));
  note(reading, quoted, ">", "Removed the quote marks '>' in front of the lines");
  const PageView whole = reading.page;
  const auto first = static_cast<std::size_t>(quoted.data() - whole.data());
  note_prose(reading, whole.first(first), whole.subspan(first + quoted.size()));
  reading.page = std::move(page);
  return true;
}

bool remove_prompts(PageReading& reading) {
  const std::size_t first = first_written(reading.page);
  if (first == reading.page.size()) return false;
  Page page;
  std::size_t dropped = 0;
  for (const PageLine& line : reading.page) {
    const std::size_t width = prompt_width(line.text);
    if (width > 0) page.push_back(cut_front(line, width));
    if (width == 0 && !trim(line.text).empty()) ++dropped;
  }
  const bool starts = trim_left(reading.page[first].text).starts_with(">>>") &&
                      prompt_width(reading.page[first].text) > 0;
  // The two signs of the comment at the top: the text begins with a prompt, or the code shows.
  const bool uncovers = holds_extract(page) && !holds_extract(reading.page);
  if (page.empty() || (!starts && !uncovers)) return false;
  note(reading, page, ">>>",
       dropped == 0 ? "Removed the interpreter's prompts"
                    : fmt::format("Removed the interpreter's prompts and {} line{} without one",
                                  dropped, dropped == 1 ? "" : "s"));
  reading.page = std::move(page);
  return true;
}

// Only above the first line of code, and only when something is left below them.
bool remove_chat_buttons(PageReading& reading) {
  const std::size_t first = first_written(reading.page);
  std::size_t end = first;
  while (end < reading.page.size() &&
         (trim(reading.page[end].text).empty() || is_chat_button(reading.page[end].text))) {
    ++end;
  }
  if (end == reading.page.size() || end == first || !is_chat_button(reading.page[first].text))
    return false;
  const PageView buttons = PageView(reading.page).subspan(first, end - first);
  const std::string name(trim(buttons.front().text));
  reading.changes.push_back(
      {RuleCode::kProseRemoved, first_raw_line(buttons), name,
       fmt::format("Removed a chat page's words above the code ({}, from '{}' on)",
                   name_lines(buttons), name),
       "", Severity::kNote});
  reading.page.erase(reading.page.begin(), reading.page.begin() + static_cast<std::ptrdiff_t>(end));
  return true;
}

bool remove_indentation(PageReading& reading) {
  const std::size_t first = first_written(reading.page);
  if (first == reading.page.size()) return false;
  // The longest beginning that all lines share, byte for byte: tabs and spaces are not the same.
  std::string_view common = reading.page[first].text;
  common = common.substr(0, indentation(common));
  for (const PageLine& line : reading.page) {
    if (common.empty()) return false;
    if (trim(line.text).empty()) continue;
    const auto differs = std::ranges::mismatch(common, line.text);
    common = common.substr(0, static_cast<std::size_t>(differs.in1 - common.begin()));
  }
  if (common.empty()) return false;
  const std::size_t width = common.size();
  for (PageLine& line : reading.page)
    line = cut_front(line, std::min(width, indentation(line.text)));
  note(reading, PageView(reading.page).subspan(first), "",
       fmt::format("Removed the indentation of {} that every line had", width));
  return true;
}

// From the outside in: line numbers may stand behind a prompt, the code's indentation behind both.
void remove_decorations(PageReading& reading) {
  remove_prompts(reading);
  remove_line_numbers(reading);
  remove_chat_buttons(reading);
  remove_indentation(reading);
}

}  // namespace airlock::text

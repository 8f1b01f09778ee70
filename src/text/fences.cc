// As in CommonMark, a fence is three or more ` or ~; it ends at a line of at least as many
// of the same marks and nothing else, indented at most three more than its opening; its content
// loses the opening's indentation. So a longer fence may hold a shorter one, and marks inside an
// indented docstring end nothing.
//
// Where models differ from CommonMark:
//
// - the opening may be indented further, or stand behind a list item's bullet or a sentence
// - code may start on the opening line (```python import re) or end on the closing one (x = 1```)
// - one line may be a whole block (```def f(): pass```)
// - a fence that nothing closes ends at a line that starts or ends with its marks, or with the text
//
// Only a fence without a proper end is searched a second time, and there are at most 200 fences:
// linear in the text.
#include "text/fences.h"

#include <algorithm>
#include <array>

#include "text/line_scan.h"
#include "text/prose.h"

namespace airlock::text {

namespace {

// Looking for the end of each is linear in the text, so their number has to be bounded.
constexpr std::size_t kMostFences = 200;

std::size_t run_length(std::string_view text, std::size_t at, char mark) {
  std::size_t end = at;
  while (end < text.size() && text[end] == mark) ++end;
  return end - at;
}

// The bytes of "- ", "12. " and their like, with the spaces around them.
std::size_t bullet_width(std::string_view line) {
  std::size_t at = indentation(line);
  const std::size_t begin = at;
  if (at < line.size() && std::string_view("-*+").find(line[at]) != std::string_view::npos) {
    ++at;
  } else {
    while (at < line.size() && is_digit(line[at]) && at - begin < 4) ++at;
    if (at == begin || at >= line.size() || (line[at] != '.' && line[at] != ')')) return begin;
    ++at;
  }
  const std::size_t spaces = indentation(line.substr(at));
  return spaces == 0 ? begin : at + spaces;
}

// The language of an info string: "python", "{.python .numberLines}", "python:extractor.py",
// "py,linenos".
std::string_view tag_of(std::string_view info) {
  while (!info.empty() && (info.front() == '{' || info.front() == '.')) info.remove_prefix(1);
  return info.substr(0, info.find_first_of(" \t,:;{}=[("));
}

// Whether code starts in the info string, and where: behind the language or in its place.
std::optional<std::size_t> code_in_info(std::string_view info) {
  const auto starts = [](std::string_view text) {
    constexpr std::array<std::string_view, 6> kStarts = {"import ", "from ",  "def ",
                                                         "class ",  "async ", "@"};
    return is_code_line(text) && std::ranges::any_of(kStarts, [&](std::string_view word) {
             return text.starts_with(word);
           });
  };
  if (starts(info)) return 0;
  if (kind_of_tag(tag_of(info)) != BlockKind::kPython) return std::nullopt;
  const std::size_t end = std::min(info.find_first_of(" \t"), info.size());
  const std::string_view rest = trim_left(info.substr(end));
  if (!starts(rest)) return std::nullopt;
  return info.size() - rest.size();
}

// What stands at `at`: the marks, the info string, and code that may start in it.
FenceOpening describe(std::string_view line, std::size_t at, char mark) {
  FenceOpening opening{.mark = mark, .length = run_length(line, at, mark), .indent = at};
  opening.info = trim(line.substr(at + opening.length));
  opening.kind = kind_of_tag(tag_of(opening.info));
  if (const auto code = code_in_info(opening.info)) {
    opening.code_column = static_cast<std::size_t>(opening.info.data() - line.data()) + *code;
    opening.info = opening.info.substr(0, *code);
    opening.kind = BlockKind::kPython;
  }
  return opening;
}

// "Here is the code: ```python": only with Python's own tag, and no other mark on the line.
std::optional<FenceOpening> open_behind_sentence(std::string_view line) {
  const std::size_t at = line.find("```");
  if (at == line.npos || line.substr(0, at).find('`') != line.npos) return std::nullopt;
  // Signs of code in front of the marks: they stand in a string or a comment.
  if (line.find_first_of("\"'#=(") < at) return std::nullopt;
  FenceOpening opening = describe(line, at, '`');
  opening.indent = 0;  // where a sentence ends says nothing about the lines below it
  if (opening.kind != BlockKind::kPython || opening.info != tag_of(opening.info))
    return std::nullopt;
  return opening;
}

// ```def f(): pass``` alone on its line.
std::optional<Fence> one_line_block(const PageLine& line, std::size_t index) {
  const std::string_view text = trim(line.text);
  const std::size_t length = run_length(text, 0, '`');
  if (length < 3 || text.size() < 2 * length || !text.ends_with(text.substr(0, length)))
    return std::nullopt;
  const std::string_view inside = trim(text.substr(length, text.size() - 2 * length));
  const auto code = code_in_info(inside);
  if (!code || inside.find("```") != inside.npos) return std::nullopt;
  const std::string_view kept = inside.substr(*code);
  Fence fence{.first = index, .last = index, .closed = true};
  fence.opening = {
      .length = length, .info = trim(inside.substr(0, *code)), .kind = BlockKind::kPython};
  PageLine content = cut_front(line, static_cast<std::size_t>(kept.data() - line.text.data()));
  content.text = kept;
  fence.content.push_back(content);
  return fence;
}

// Where a fence that nothing closes properly ends after all.
struct LenientEnd {
  std::size_t index = 0;    // of the line that ends it
  std::string_view code;    // what stands in front of the marks on that line
  bool next_fence = false;  // that line opens another fence and is not ours
};

std::optional<LenientEnd> find_lenient_end(PageView page, std::size_t first,
                                           const FenceOpening& opening) {
  const std::string marks(opening.length, opening.mark);
  for (std::size_t i = first + 1; i < page.size(); ++i) {
    const std::string_view text = trim_right(page[i].text);
    if (indentation(text) <= opening.indent + 3 && trim_left(text).starts_with(marks)) {
      return LenientEnd{i, {}, open_fence(text).has_value()};
    }
    if (!text.ends_with(marks)) continue;
    const std::string_view code = text.substr(0, text.size() - marks.size());
    if (code.find(opening.mark) == code.npos) return LenientEnd{i, code};
  }
  return std::nullopt;
}

// The proper end is searched first through the whole text; only without one does a lenient end
// count.
Fence read_fence(PageView page, std::size_t first, const FenceOpening& opening) {
  Fence fence{.opening = opening, .first = first, .last = page.size() - 1};
  if (opening.code_column > 0) fence.content.push_back(cut_front(page[first], opening.code_column));
  std::size_t end = first + 1;
  while (end < page.size() && !closes_fence(page[end].text, opening)) ++end;
  fence.closed = end < page.size();
  std::optional<LenientEnd> lenient_end;
  if (!fence.closed) lenient_end = find_lenient_end(page, first, opening);
  if (lenient_end) end = lenient_end->index;
  const auto keep = [&](const PageLine& line) {
    fence.content.push_back(cut_front(line, std::min(opening.indent, indentation(line.text))));
  };
  for (std::size_t i = first + 1; i < end; ++i) keep(page[i]);
  if (lenient_end && !lenient_end->code.empty()) keep({lenient_end->code, page[end].raw});
  fence.closed = fence.closed || lenient_end;
  if (end < page.size()) fence.last = lenient_end && lenient_end->next_fence ? end - 1 : end;
  return fence;
}

}  // namespace

std::optional<FenceOpening> open_fence(std::string_view line) {
  for (const std::size_t at : {indentation(line), bullet_width(line)}) {
    if (at >= line.size() || (line[at] != '`' && line[at] != '~')) continue;
    const FenceOpening opening = describe(line, at, line[at]);
    if (opening.length < 3) continue;
    // Marks inside the info string: an inline code span, not a fence.
    if (opening.mark == '`' && line.substr(at + opening.length).find('`') != line.npos) continue;
    return opening;
  }
  return open_behind_sentence(line);
}

bool closes_fence(std::string_view line, const FenceOpening& opening) {
  const std::size_t at = indentation(line);
  // Further in, the marks belong to the content: an indented docstring that shows Markdown.
  if (at > opening.indent + 3) return false;
  const std::size_t length = run_length(line, at, opening.mark);
  return length >= opening.length && trim(line.substr(at + length)).empty();
}

std::vector<Fence> find_fences(PageView page) {
  std::vector<Fence> fences;
  for (std::size_t i = 0; i < page.size() && fences.size() < kMostFences; ++i) {
    if (auto whole = one_line_block(page[i], i)) {
      fences.push_back(std::move(*whole));
    } else if (const auto opening = open_fence(page[i].text)) {
      fences.push_back(read_fence(page, i, *opening));
      i = fences.back().last;
    }
  }
  return fences;
}

}  // namespace airlock::text

// Which string is the code: one that defines extract, under a name such as "code" if there
// is a choice; else the one under the best such name; else, for a bare string or list, one whose
// lines look like code. The rest of the object (an explanation, a confidence) is dropped.
//
// A JSON string has no line ends of its own, so every line of the code stands on the raw line of
// its opening quote; in a list of lines each has its own. Models also send strings with raw line
// ends; where those are the only ones, each line keeps its place.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/json_strings.h"
#include "text/line_scan.h"
#include "text/prose.h"
#include "text/wrappers.h"

namespace airlock::text {

namespace {

// Best first.
constexpr std::array<std::string_view, 18> kKeys = {
    "code",           "python",  "python_code", "source",   "source_code", "extractor",
    "extractor_code", "program", "script",      "function", "content",     "answer",
    "text",           "output",  "response",    "result",   "body",        "file"};

// 0 for a name that says nothing.
std::size_t rank(std::string_view key) {
  const std::string name = lower(key.substr(0, 32));
  const auto found = std::ranges::find(kKeys, name);
  // The first name gets the largest number; a name that is not found gets 0.
  return static_cast<std::size_t>(kKeys.end() - found);
}

struct StringSource {
  std::string text;                   // what was parsed
  std::vector<std::size_t> raw_ends;  // offsets in it behind which the next raw line starts
};

StringSource strict_source(PageView page) {
  StringSource source{join(page), {}};
  for (std::size_t i = 0; i < source.text.size(); ++i) {
    if (source.text[i] == '\n') source.raw_ends.push_back(i);
  }
  return source;
}

// The same after repair_json(). Bytes that were added shift all offsets behind them, so the raw
// line ends are walked along with them.
StringSource mended_source(PageView page) {
  const std::string strict = join(page);
  std::vector<std::size_t> added;
  StringSource source{repair_json(strict, added), {}};
  std::size_t next = 0;
  std::size_t at = 0;
  for (const char c : strict) {
    if (next < added.size() && added[next] == at) {
      ++next;
      ++at;
    }
    if (c == '\n') source.raw_ends.push_back(at);
    ++at;
  }
  return source;
}

// Which line of the page the offset lies on, counted from 0.
std::size_t page_index(const StringSource& source, std::size_t offset) {
  const auto found = std::ranges::lower_bound(source.raw_ends, offset);
  return static_cast<std::size_t>(found - source.raw_ends.begin());
}

std::string without_returns(std::string_view value) {
  std::string out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\r') out += value[i];
    if (value[i] == '\r' && value.substr(i + 1, 1) != "\n") out += '\n';
  }
  return out;
}

// The value's lines, each with the raw line that it came from.
void append_part(Page& page, const JsonString& part, const StringSource& source, PageView raw,
                 TextStore& store) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string value = without_returns(part.value);
  if (value.starts_with(kByteOrderMark)) value.erase(0, kByteOrderMark.size());
  store.push_back(std::move(value));
  const std::size_t first = std::min(page_index(source, part.start), raw.size() - 1);
  const std::size_t before = page.size();
  append_lines(page, store.back(), {raw[first].raw.line, 0});
  if (page.size() == before) page.push_back({{}, {raw[first].raw.line, 0}});
}

// A string with raw line ends and no others: as many raw lines as lines.
void spread_lines(Page& page, const JsonString& part, const StringSource& source, PageView raw) {
  const std::size_t first = page_index(source, part.start);
  const std::string_view text = source.text;
  std::size_t end = part.start + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  const std::size_t last = page_index(source, std::min(end, text.size()));
  const std::size_t lines = last - first + 1;
  if (lines == 1 || (lines != page.size() && lines != page.size() + 1) || last >= raw.size())
    return;
  for (std::size_t i = 0; i < page.size(); ++i) page[i].raw.line = raw[first + i].raw.line;
}

bool looks_like_code(const JsonItem& item) {
  Page page;
  for (const JsonString& part : item.parts) append_lines(page, part.value, {});
  return std::ranges::any_of(page, [](const PageLine& line) {
    const std::string_view text = trim(line.text);
    return is_code_line(text) || text.starts_with("```") || text.starts_with('{');
  });
}

bool item_defines_extract(const JsonItem& item) {
  Page page;
  for (const JsonString& part : item.parts) append_lines(page, part.value, {});
  return holds_extract(page);
}

std::size_t size_of(const JsonItem& item) {
  std::size_t size = 0;
  for (const JsonString& part : item.parts) size += part.value.size();
  return size;
}

const JsonItem* choose(const std::vector<JsonItem>& items) {
  // Compared from left to right: it defines extract, its name, its length.
  using Score = std::array<std::size_t, 3>;
  const JsonItem* best = nullptr;
  Score best_score{};
  for (const JsonItem& item : items) {
    const std::size_t holds = item_defines_extract(item);
    const bool bare = item.key.empty() && looks_like_code(item);
    if (holds == 0 && rank(item.key) == 0 && !bare) continue;
    const Score score = {holds, rank(item.key), size_of(item)};
    if (best != nullptr && score <= best_score) continue;
    best = &item;
    best_score = score;
  }
  return best;
}

bool holds_nul(const JsonItem& item) {
  return std::ranges::any_of(item.parts, [](const JsonString& part) {
    return part.value.find('\0') != std::string::npos;
  });
}

// Starts and ends as a JSON object, list or string does.
bool has_json_ends(PageView page) {
  const std::size_t first = first_written(page);
  if (first == page.size()) return false;
  std::size_t last = page.size() - 1;
  while (trim(page[last].text).empty()) --last;
  const char begin = trim(page[first].text).front();
  const char end = trim(page[last].text).back();
  // A docstring, not JSON.
  if (trim(page[first].text).starts_with("\"\"\"")) return false;
  return (begin == '{' && end == '}') || (begin == '[' && end == ']') ||
         (begin == '"' && end == '"');
}

std::string describe(const JsonItem& item, std::uint32_t line) {
  const std::string_view form = item.parts.size() > 1 ? "list of lines" : "string";
  if (item.key.empty())
    return fmt::format("Took the code out of the JSON {} on line {}", form, line);
  return fmt::format("Took the code out of the JSON {} \"{}\" on line {}", form,
                     std::string(cut_utf8(item.key, 40)), line);
}

// A NUL byte could only come from an escape; it is refused elsewhere, where it has a place.
bool take(PageReading& reading, TextStore& store, const StringSource& source) {
  const std::vector<JsonItem> items = collect_json_strings(source.text);
  const JsonItem* item = choose(items);
  if (item == nullptr || holds_nul(*item)) return false;
  Page page;
  for (const JsonString& part : item->parts) append_part(page, part, source, reading.page, store);
  if (item->parts.size() == 1) spread_lines(page, item->parts.front(), source, reading.page);
  const std::uint32_t line = first_raw_line(page);
  reading.changes.push_back({RuleCode::kWrapperRemoved, line,
                             item->key.empty() ? "JSON" : std::string(cut_utf8(item->key, 40)),
                             describe(*item, line), "", Severity::kNote});
  reading.page = std::move(page);
  return true;
}

}  // namespace

bool remove_json(PageReading& reading, TextStore& store) {
  if (!has_json_ends(reading.page)) return false;
  return take(reading, store, strict_source(reading.page)) ||
         take(reading, store, mended_source(reading.page));
}

bool remove_escapes(PageReading& reading, TextStore& store) {
  const std::size_t first = first_written(reading.page);
  if (first == reading.page.size() || !is_blank_page(PageView(reading.page).subspan(first + 1)))
    return false;
  const std::string_view text = trim(reading.page[first].text);
  if (text.find("\\n") == text.npos || text.starts_with('{') || text.starts_with('"')) return false;
  // Made into a JSON string, so that the same code undoes the escapes.
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted += '\\';
    quoted += text[i];
  }
  quoted += '"';
  store.push_back(std::move(quoted));
  PageReading wrapped{{{store.back(), {reading.page[first].raw.line, 0}}}, {}};
  if (!take(wrapped, store, mended_source(wrapped.page))) return false;
  if (!holds_extract(wrapped.page)) return false;
  reading.page = std::move(wrapped.page);
  reading.changes.push_back(
      {RuleCode::kWrapperRemoved, first_raw_line(reading.page), "\\n",
       fmt::format("Changed the escapes \\n on line {} to line ends", first_raw_line(reading.page)),
       "", Severity::kNote});
  return true;
}

}  // namespace airlock::text

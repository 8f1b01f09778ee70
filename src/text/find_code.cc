// An answer is unwrapped from the outside in, one layer at a time and at most eight:
// reasoning, JSON, tags, quote marks. What is left is either fenced, and a block is chosen, or not,
// and the prose around the code is cut. Each way gives readings in the order of their likelihood;
// the caller's parser has the last word.
#include <algorithm>
#include <string>

#include "text/blocks.h"
#include "text/cleaning.h"
#include "text/decorations.h"
#include "text/fences.h"
#include "text/json_strings.h"
#include "text/line_scan.h"
#include "text/other_forms.h"
#include "text/page.h"
#include "text/prose.h"
#include "text/wrappers.h"

namespace airlock::text {

namespace {

// Layers around an answer, and readings that are offered to the parser: bounds for hostile text,
// more than real answers have.
constexpr int kMostWrappers = 8;
constexpr std::size_t kMostCandidates = 8;

// JSON with prose around it: from the first line that starts with a brace to the last that ends
// with one.
bool remove_json_in_prose(PageReading& reading, TextStore& store) {
  if (holds_extract(reading.page) || !find_fences(reading.page).empty()) return false;
  std::size_t first = 0;
  std::size_t end = reading.page.size();
  while (first < end && !trim(reading.page[first].text).starts_with('{')) ++first;
  while (end > first && !trim(reading.page[end - 1].text).ends_with('}')) --end;
  if (first == end || end - first == reading.page.size()) return false;
  const auto at = [&](std::size_t i) {
    return reading.page.begin() + static_cast<std::ptrdiff_t>(i);
  };
  PageReading inside{Page(at(first), at(end)), reading.changes};
  if (!remove_json(inside, store)) return false;
  inside.changes.push_back({RuleCode::kProseRemoved, first_raw_line(reading.page), "",
                            "Removed the text around the JSON that holds the code", "",
                            Severity::kNote});
  reading = std::move(inside);
  return true;
}

// The order matters: reasoning may hold anything, so it goes first; a quote mark hides tags and
// JSON; escapes are the weakest sign and come last.
bool unwrap_layer(PageReading& reading, TextStore& store) {
  return remove_thinking(reading) || remove_json(reading, store) ||
         remove_quote_marks(reading, Where::kWholeAnswer) ||
         remove_tags(reading, Where::kWholeAnswer) || remove_json_in_prose(reading, store) ||
         remove_escapes(reading, store);
}

// A fence inside a fence: models wrap a whole Markdown answer in ```markdown.
bool starts_with_fence(PageView page) {
  const std::size_t first = first_written(page);
  return first < page.size() && open_fence(page[first].text).has_value();
}

class CodeExtractor {
 public:
  explicit CodeExtractor(const CodeCandidate& decoded)
      : reading_{split_page(decoded), decoded.changes} {}

  Extraction run() {
    const std::size_t changes = reading_.changes.size();
    for (int layer = 0; layer < kMostWrappers && unwrap_layer(reading_, store_); ++layer) {
    }
    read(reading_.changes.size() > changes);
    return std::move(out_);
  }

 private:
  void read(bool unwrapped) {
    if (is_blank_page(reading_.page)) return give_up(no_code(1));
    if (is_html(reading_.page)) return give_up(an_html_page(reading_.page));
    if (auto fenced = read_fenced(reading_, store_)) return read_blocks(std::move(*fenced));
    if (is_diff(reading_.page)) return give_up(a_diff(reading_.page));
    read_bare(unwrapped);
  }

  // A chosen block may be Markdown that holds the real fence.
  void read_blocks(FencedAnswer answer) {
    for (int layer = 0; layer < kMostWrappers && !answer.readings.empty(); ++layer) {
      const bool nested =
          answer.kind == BlockKind::kMarkdown || starts_with_fence(answer.readings.front().page);
      if (!nested) break;
      const PageReading outer = std::move(answer.readings.front());
      auto inner = read_fenced(outer, store_);
      if (!inner) {
        answer.readings.front() = outer;
        break;
      }
      answer = std::move(*inner);
    }
    if (!answer.unrecoverable.empty()) return give_up(std::move(answer.unrecoverable.front()));
    for (const PageReading& reading : answer.readings) add(reading);
    for (const PageReading& reading : cut_prose(answer.readings.front())) add(reading);
    for (const PageReading& reading : read_stray_fences(reading_)) add(reading);
  }

  // No fences, or none that hold the code.
  void read_bare(bool unwrapped) {
    for (const PageReading& reading : read_stray_fences(reading_)) {
      for (const PageReading& shorter : cut_prose(reading)) add(shorter);
      add(reading);
    }
    const std::size_t changes = reading_.changes.size();
    remove_decorations(reading_);
    if (is_prose(reading_.page) || is_shell_session(reading_.page)) {
      const std::size_t first = first_written(reading_.page);
      return give_up(no_code(first < reading_.page.size() ? reading_.page[first].raw.line : 1));
    }
    if (is_json(join(reading_.page))) {
      return give_up(no_code(first_raw_line(reading_.page), "it is JSON without code in it"));
    }
    for (const PageReading& reading : cut_prose(reading_)) add(reading);
    // A page that nothing was taken from is the text that the caller has parsed in vain already.
    if (unwrapped || reading_.changes.size() > changes) add(reading_);
  }

  void add(const PageReading& reading) {
    if (out_.candidates.size() >= kMostCandidates || is_blank_page(reading.page)) return;
    CodeCandidate candidate = to_candidate(reading);
    // Layers are taken from the outside in, but a reader goes from top to bottom.
    std::ranges::stable_sort(candidate.changes, {}, &CleaningChange::raw_line);
    const auto same = [&](const CodeCandidate& other) { return other.code == candidate.code; };
    if (std::ranges::none_of(out_.candidates, same))
      out_.candidates.push_back(std::move(candidate));
  }

  void give_up(Unrecoverable why) {
    out_.candidates.clear();
    out_.unrecoverable.push_back(std::move(why));
  }

  TextStore store_;
  PageReading reading_;
  Extraction out_;
};

// "Sorry." or "None - done" is an expression for Python, and no program.
bool is_lone_word(std::string_view text) {
  return text.size() < 100 && std::ranges::all_of(
                                  text,
                                  [](char c) {
                                    return is_name_byte(c) || is_blank(c) || c == '.' || c == ',' ||
                                           c == '!' || c == '-';
                                  });
}

}  // namespace

Extraction extract_code(const CodeCandidate& decoded) {
  return CodeExtractor(decoded).run();
}

bool looks_wrapped(std::string_view text) {
  const auto is_space = [](char c) { return is_blank(c) || c == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.empty()) return false;
  const char first = text.front();
  const char last = text.back();
  const bool has_json_ends = (first == '{' && last == '}') || (first == '[' && last == ']') ||
                             (first == '"' && last == '"');
  if (!has_json_ends) return is_lone_word(text);
  // Where bytes were added does not matter here.
  std::vector<std::size_t> added;
  return is_json(text) || is_json(repair_json(text, added));
}

}  // namespace airlock::text

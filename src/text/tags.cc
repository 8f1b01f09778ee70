// A section starts at a line that starts with a known tag and runs to the next closing tag
// of that name at the start or end of a line, or to the end of the text. Lines inside fences are
// skipped: a tag there is code. Of several sections the last one that defines extract is kept, else
// the longest. Nested tags are taken away one layer at a time by the caller.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/fences.h"
#include "text/line_scan.h"
#include "text/wrappers.h"

namespace airlock::text {

namespace {

constexpr std::array<std::string_view, 16> kSectionTags = {
    "answer", "code",  "python", "pre",          "output",   "solution", "extractor", "response",
    "result", "final", "source", "final_answer", "artifact", "program",  "file",      "function"};
// Lower-case, as starts_ignoring_case() wants it.
constexpr std::string_view kData = "<![cdata[";

struct Opening {
  std::string tag;      // "<code>", "<![CDATA["; empty: none
  std::string closing;  // "</code>"
  std::size_t end = 0;  // behind the tag
};

Opening opening_tag(std::string_view line) {
  const std::size_t at = indentation(line);
  const std::string_view text = line.substr(at);
  if (!text.starts_with('<')) return {};
  if (starts_ignoring_case(text, kData)) return {"<![CDATA[", "]]>", at + kData.size()};
  const std::string name = lower(text.substr(1, skip_name(text, 1) - 1));
  if (std::ranges::find(kSectionTags, name) == kSectionTags.end()) return {};
  const std::size_t end = text.find('>');
  // <code/> has nothing inside.
  if (end == text.npos || text.substr(0, end).ends_with('/')) return {};
  // Attributes may follow a blank; <code-block> is another tag.
  const char behind = text[name.size() + 1];
  if (behind != '>' && !is_blank(behind)) return {};
  return {"<" + name + ">", "</" + name + ">", at + end + 1};
}

// Where the closing tag stands in the line: at its start or at its end, npos when at neither.
std::size_t find_closing(std::string_view line, std::string_view closing) {
  const std::string_view text = trim_right(line);
  const std::size_t start = indentation(text);
  if (starts_ignoring_case(text.substr(start), closing)) return start;
  if (text.size() < closing.size()) return line.npos;
  const std::size_t at = text.size() - closing.size();
  if (starts_ignoring_case(text.substr(at), closing)) return at;
  // Several closing tags on one line: "}</code></pre>".
  if (!text.ends_with('>')) return line.npos;
  for (std::size_t i = text.find("</"); i != text.npos; i = text.find("</", i + 2)) {
    if (starts_ignoring_case(text.substr(i), closing)) return i;
  }
  return line.npos;
}

struct Section {
  std::string tag;
  Page content;
  std::size_t first = 0;
  std::size_t last = 0;
  bool closed = false;
};

class TagWalk {
 public:
  explicit TagWalk(PageView page) : page_(page), fences_(find_fences(page)) {}

  std::vector<Section> run() {
    std::vector<Section> sections;
    for (std::size_t i = 0; i < page_.size(); ++i) {
      if (skip_fence(i)) continue;
      const Opening opening = opening_tag(page_[i].text);
      if (opening.tag.empty()) continue;
      sections.push_back(read_section(i, opening));
      i = sections.back().last;
    }
    return sections;
  }

  bool has_fences() const { return !fences_.empty(); }

 private:
  // Moves `i` to the last line of the fence that it is in.
  bool skip_fence(std::size_t& i) {
    while (next_ < fences_.size() && fences_[next_].last < i) ++next_;
    if (next_ == fences_.size() || fences_[next_].first > i) return false;
    i = fences_[next_].last;
    return true;
  }

  Section read_section(std::size_t first, const Opening& opening) {
    Section section{opening.tag, {}, first, page_.size() - 1, false};
    PageLine line = cut_front(page_[first], opening.end);
    for (std::size_t i = first;;) {
      const std::size_t at = find_closing(line.text, opening.closing);
      if (at != line.text.npos) {
        line.text = line.text.substr(0, at);
        section.last = i;
        section.closed = true;
      }
      // The lines of the two tags count only when something else stands on them.
      const bool edge = i == first || section.closed;
      if (!edge || !trim(line.text).empty()) section.content.push_back(line);
      if (section.closed || ++i >= page_.size()) break;
      // A fence inside the section is copied whole: a closing tag in it is code.
      for (std::size_t inside = i; skip_fence(inside) && i <= inside; ++i) {
        section.content.push_back(page_[i]);
      }
      if (i >= page_.size()) break;
      line = page_[i];
    }
    return section;
  }

  PageView page_;
  std::vector<Fence> fences_;
  std::size_t next_ = 0;
};

const Section* choose(const std::vector<Section>& sections) {
  const Section* best = nullptr;
  for (const Section& section : sections) {
    if (holds_extract(section.content)) best = &section;
  }
  if (best != nullptr) return best;
  for (const Section& section : sections) {
    if (best == nullptr || section.content.size() > best->content.size()) best = &section;
  }
  return best;
}

// The section becomes the page; what is cut on both sides is named in a note.
void keep(PageReading& reading, const Section& section) {
  const PageView page = reading.page;
  const std::uint32_t first = page[section.first].raw.line;
  const std::uint32_t last = page[section.last].raw.line;
  const std::string& tag = section.tag;
  reading.changes.push_back(
      {RuleCode::kWrapperRemoved, first, tag,
       section.closed
           ? fmt::format("Removed the tags {} around the code ({})", tag, name_lines(first, last))
           : fmt::format(
                 "Removed the tag {} on line {}; nothing closes it, the answer may be cut off", tag,
                 first),
       "", Severity::kNote});
  std::vector<std::string> outside;
  const auto look = [&](PageView part) {
    if (!is_blank_page(part)) outside.push_back(name_lines(part));
  };
  look(page.first(section.first));
  look(page.subspan(section.last + 1));
  if (!outside.empty()) {
    const std::uint32_t line =
        is_blank_page(page.first(section.first)) ? last + 1 : first_raw_line(page);
    reading.changes.push_back(
        {RuleCode::kProseRemoved, line, "",
         fmt::format("Removed the text around the code ({})", fmt::join(outside, ", ")), "",
         Severity::kNote});
  }
  reading.page = Page(section.content);
}

}  // namespace

bool remove_tags(PageReading& reading, Where where) {
  if (where == Where::kInsideFence) {
    const std::size_t first = first_written(reading.page);
    if (first == reading.page.size() || opening_tag(reading.page[first].text).tag.empty())
      return false;
  }
  TagWalk walk(reading.page);
  const std::vector<Section> sections = walk.run();
  const Section* section = choose(sections);
  if (section == nullptr || is_blank_page(section->content)) return false;
  // Beside fences, or below a definition of its own, a tag in the prose is no wrapper.
  if (!holds_extract(section->content) && (walk.has_fences() || holds_extract(reading.page)))
    return false;
  const Section kept = *section;
  keep(reading, kept);
  return true;
}

}  // namespace airlock::text

// Three states, line by line: outside, inside a fence, inside reasoning. A fence that
// starts inside reasoning is a draft and goes with it; a tag inside a fence is code and stays. An
// opening tag counts only at the start of a line and a lone closing tag only at the start or end of
// one: `re.sub("<think>", ...)` is code too.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/fences.h"
#include "text/line_scan.h"
#include "text/wrappers.h"

namespace airlock::text {

namespace {

constexpr std::array<std::string_view, 7> kThinkingTags = {
    "think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"};

struct ThinkingTag {
  std::string_view name;  // empty: no tag here
  std::size_t end = 0;    // behind the tag
};

ThinkingTag opening_thinking_tag(std::string_view line) {
  const std::size_t at = indentation(line);
  if (at >= line.size() || line[at] != '<') return {};
  for (const std::string_view name : kThinkingTags) {
    const std::string_view rest = line.substr(at + 1);
    if (starts_ignoring_case(rest, name) && rest.substr(name.size()).starts_with('>')) {
      return {name, at + name.size() + 2};
    }
  }
  return {};
}

// Behind the first `</name>` in the line; npos when there is none.
std::size_t end_of_closing(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find("</"); at != line.npos; at = line.find("</", at + 1)) {
    const std::string_view rest = line.substr(at + 2);
    if (starts_ignoring_case(rest, name) && rest.substr(name.size()).starts_with('>')) {
      return at + name.size() + 3;
    }
  }
  return line.npos;
}

ThinkingTag lone_closing_tag(std::string_view line) {
  if (line.find("</") == line.npos) return {};
  for (const std::string_view name : kThinkingTags) {
    const std::size_t end = end_of_closing(line, name);
    if (end == line.npos) continue;
    const bool at_start = end == indentation(line) + name.size() + 3;
    if (at_start || trim(line.substr(end)).empty()) return {name, end};
  }
  return {};
}

class ThinkingWalk {
 public:
  explicit ThinkingWalk(PageReading& reading) : reading_(reading) {}

  bool run() {
    for (const PageLine& line : reading_.page) read_line(line);
    if (!tag_.empty()) keep_unclosed();
    if (changes_.empty()) return false;
    reading_.page = std::move(kept_);
    reading_.changes.insert(reading_.changes.end(), changes_.begin(), changes_.end());
    return true;
  }

 private:
  // What stands behind a tag may open a fence or another tag. Each turn may look at the whole rest
  // of the line, so a line gets a few turns and no more.
  void read_line(PageLine line) {
    for (int turn = 0; turn < kMostTags; ++turn) {
      const std::size_t end = read(line);
      if (end == line.text.size() || trim(line.text.substr(end)).empty()) return;
      line = cut_front(line, end);
    }
    kept_.push_back(line);
  }

  // Gives where the rest of the line starts that is still to be read.
  std::size_t read(const PageLine& line) {
    if (!tag_.empty()) return read_inside(line);
    if (fence_) {
      if (closes_fence(line.text, *fence_)) fence_.reset();
      return keep(line);
    }
    if (const ThinkingTag tag = opening_thinking_tag(line.text); !tag.name.empty())
      return open(line, tag);
    if (const ThinkingTag tag = lone_closing_tag(line.text); !tag.name.empty())
      return drop_all(line, tag);
    fence_ = open_fence(line.text);
    return keep(line);
  }

  std::size_t keep(const PageLine& line) {
    kept_.push_back(line);
    return line.text.size();
  }

  std::size_t open(const PageLine& line, const ThinkingTag& tag) {
    tag_ = tag.name;
    first_line_ = line.raw.line;
    inside_.clear();
    return tag.end;
  }

  // Up to the closing tag of the same name; what follows it on the line is still to be read.
  std::size_t read_inside(const PageLine& line) {
    const std::size_t end = end_of_closing(line.text, tag_);
    if (end == line.text.npos) {
      inside_.push_back(line);
      return line.text.size();
    }
    note(tag_, fmt::format("Removed the reasoning in <{}> ({})", tag_,
                           name_lines(first_line_, line.raw.line)));
    tag_ = {};
    return end;
  }

  // Some providers cut off the opening tag: then all above the closing one was reasoning.
  std::size_t drop_all(const PageLine& line, const ThinkingTag& tag) {
    first_line_ = kept_.empty() ? line.raw.line : first_raw_line(kept_);
    note(tag.name, fmt::format("Removed the reasoning in front of </{}> ({})", tag.name,
                               name_lines(first_line_, line.raw.line)));
    kept_.clear();
    return tag.end;
  }

  // Nobody can say where the reasoning would have ended. Kept, with a warning: dropping it would
  // lose the answer of a model that forgot the tag.
  void keep_unclosed() {
    note(tag_, fmt::format("Removed the tag <{}> on line {}; nothing closes it, so what follows "
                           "was read as the answer",
                           tag_, first_line_));
    changes_.back().severity = Severity::kWarning;
    kept_.insert(kept_.end(), inside_.begin(), inside_.end());
  }

  void note(std::string_view name, std::string message) {
    if (changes_.size() >= kMostNotes) return;
    changes_.push_back({RuleCode::kThinkingRemoved, first_line_, fmt::format("<{}>", name),
                        std::move(message), "", Severity::kNote});
  }

  // Notes for one answer, and tags on one line.
  static constexpr std::size_t kMostNotes = 20;
  static constexpr int kMostTags = 8;

  PageReading& reading_;
  Page kept_;
  Page inside_;
  std::string_view tag_;
  std::optional<FenceOpening> fence_;
  std::uint32_t first_line_ = 1;
  std::vector<CleaningChange> changes_;
};

}  // namespace

bool remove_thinking(PageReading& reading) {
  return ThinkingWalk(reading).run();
}

}  // namespace airlock::text

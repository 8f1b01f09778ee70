// The program is the last block that defines extract, as it would be if the blocks were run
// in order; a block tagged as another language only when no other defines it. When none does, the
// largest Python block is, so that the finding can say what is missing in it. Blocks above the
// program that define what it mentions and does not bind are put in front. Whatever is kept is
// judged and is what runs; whatever is not kept is named in a note.
#include "text/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "text/decorations.h"
#include "text/fences.h"
#include "text/line_scan.h"
#include "text/other_forms.h"
#include "text/prose.h"
#include "text/python_names.h"
#include "text/wrappers.h"

namespace airlock::text {

namespace {

// Wrappers inside a fence, one around the other, before we stop looking: the text may be hostile.
constexpr int kMostLayers = 4;

struct Block {
  const Fence* fence = nullptr;
  BlockKind kind = BlockKind::kUntagged;
  PageReading inside;  // only its own changes
  bool defines = false;

  bool may_be_python() const { return kind == BlockKind::kPython || kind == BlockKind::kUntagged; }
};

bool has_code(PageView page) {
  return std::ranges::any_of(page, [](const PageLine& line) { return is_code_line(line.text); });
}

// Tags, quotes or JSON inside a fence. Taken away only when code comes to light; otherwise the
// block may be a JSON sample or an HTML snippet, and stays as it was.
bool unwrap(PageReading& reading, TextStore& store) {
  PageReading before = reading;
  bool found = false;
  for (int layer = 0; layer < kMostLayers; ++layer) {
    if (!remove_tags(reading, Where::kInsideFence) &&
        !remove_quote_marks(reading, Where::kInsideFence) && !remove_json(reading, store)) {
      break;
    }
    found = true;
  }
  if (found && has_code(reading.page)) return true;
  reading = std::move(before);
  return false;
}

// What was inside a wrapper and is code counts as Python, whatever the fence's tag says.
Block prepare(const Fence& fence, TextStore& store) {
  Block block{&fence, fence.opening.kind, {fence.content, {}}, false};
  if (unwrap(block.inside, store)) block.kind = BlockKind::kPython;
  remove_decorations(block.inside);
  if (block.may_be_python() && is_diff(block.inside.page)) block.kind = BlockKind::kDiff;
  block.defines = holds_extract(block.inside.page);
  return block;
}

// `python`: only among blocks that are tagged as Python or not tagged; otherwise among the others.
const Block* last_definition(const std::vector<Block>& blocks, bool python) {
  const Block* found = nullptr;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::kDiff || block.may_be_python() != python) continue;
    if (block.defines) found = &block;
  }
  return found;
}

std::size_t written_bytes(const Block& block) {
  std::size_t size = 0;
  for (const PageLine& line : block.inside.page) size += line.text.size();
  return size;
}

// An untagged block needs at least one line that is surely code: it may be anything.
const Block* largest(const std::vector<Block>& blocks, BlockKind kind) {
  const Block* found = nullptr;
  for (const Block& block : blocks) {
    const PageView page = block.inside.page;
    if (block.kind != kind || is_blank_page(page) || is_prose(page) || is_shell_session(page))
      continue;
    if (is_html(page) || (kind == BlockKind::kUntagged && !has_code(page))) continue;
    if (found == nullptr || written_bytes(block) > written_bytes(*found)) found = &block;
  }
  return found;
}

class BlockChooser {
 public:
  BlockChooser(const PageReading& reading, const std::vector<Fence>& fences, TextStore& store)
      : reading_(reading) {
    for (const Fence& fence : fences) blocks_.push_back(prepare(fence, store));
    std::size_t next = 0;
    for (std::size_t i = 0; i < reading.page.size(); ++i) {
      if (next < fences.size() && i == fences[next].first) {
        i = fences[next++].last;
      } else {
        outside_.push_back(reading.page[i]);
      }
    }
  }

  // The order of these questions is the rule that the top of this file tells.
  std::optional<FencedAnswer> run() {
    chosen_ = last_definition(blocks_, true);
    if (chosen_ == nullptr && holds_extract(outside_)) return std::nullopt;
    if (chosen_ == nullptr) chosen_ = last_definition(blocks_, false);
    if (chosen_ == nullptr) chosen_ = largest(blocks_, BlockKind::kPython);
    if (chosen_ == nullptr) chosen_ = largest(blocks_, BlockKind::kUntagged);
    if (chosen_ == nullptr && has_code(outside_)) return std::nullopt;
    if (chosen_ == nullptr) return FencedAnswer{{}, {nothing_chosen()}, {}};
    FencedAnswer answer{{}, {}, chosen_->kind};
    const std::vector<const Block*> helpers = find_helpers();
    answer.readings.push_back(assemble(helpers));
    // Second choice without the helpers, in case that they do not parse together.
    if (!helpers.empty()) answer.readings.push_back(assemble({}));
    return answer;
  }

 private:
  PageView lines_of(const Block& block) const {
    return PageView(reading_.page)
        .subspan(block.fence->first, block.fence->last - block.fence->first + 1);
  }

  // What the answer is instead: a diff or a page of HTML if there is one, else the plainest words.
  Unrecoverable nothing_chosen() const {
    bool shell = false;
    for (const Block& block : blocks_) {
      if (block.kind == BlockKind::kDiff) return a_diff(lines_of(block));
      if (is_html(block.inside.page)) return an_html_page(lines_of(block));
      shell = shell || block.kind == BlockKind::kShell || is_shell_session(block.inside.page);
    }
    const std::uint32_t line = first_raw_line(lines_of(blocks_.front()));
    if (std::ranges::all_of(blocks_,
                            [](const Block& block) { return is_blank_page(block.inside.page); })) {
      return no_code(line, "the code block is empty");
    }
    return no_code(line, shell ? "there are only shell commands" : "no code block holds Python");
  }

  // From the chosen block upwards, so that a helper's own helpers are found too.
  std::vector<const Block*> find_helpers() {
    std::vector<const Block*> helpers;
    const std::string code = join(chosen_->inside.page);
    NameUse wanted = collect_names(code);
    std::deque<std::string> kept;  // the names are views into it
    // The blocks above the chosen one, nearest first.
    for (const Block* block = chosen_; block-- != blocks_.data();) {
      if (!block->may_be_python() || block->defines || !has_code(block->inside.page)) continue;
      kept.push_back(join(block->inside.page));
      NameUse names = collect_names(kept.back());
      if (!wanted.needs(names)) continue;
      helpers.insert(helpers.begin(), block);
      wanted.mentioned.merge(names.mentioned);
      wanted.bound.merge(names.defined);
    }
    return helpers;
  }

  PageReading assemble(const std::vector<const Block*>& helpers) const {
    PageReading out{{}, reading_.changes};
    for (const Block* block : helpers) add(out, *block);
    add(out, *chosen_);
    note_choice(out, helpers);
    note_prose(out);
    return out;
  }

  void add(PageReading& out, const Block& block) const {
    const PageView lines = lines_of(block);
    const FenceOpening& opening = block.fence->opening;
    std::string fence(std::min<std::size_t>(opening.length, 16), opening.mark);
    // For the note only; a fence line may be as long as the sender likes.
    fence += cut_utf8(opening.info.substr(0, opening.info.find(' ')), 40);
    std::string message = block.fence->closed
                              ? fmt::format("Removed the Markdown fence {} around the code ({})",
                                            fence, name_lines(lines))
                              : fmt::format(
                                    "Removed the Markdown fence {} on line {}; nothing closes it, "
                                    "so the code runs to the end "
                                    "(line {})",
                                    fence, first_raw_line(lines), last_raw_line(lines));
    out.changes.push_back(
        {RuleCode::kFenceRemoved, first_raw_line(lines), fence, std::move(message),
         block.fence->closed ? "" : "See whether the end of the answer was cut off",
         Severity::kNote});
    out.changes.insert(out.changes.end(), block.inside.changes.begin(), block.inside.changes.end());
    out.page.insert(out.page.end(), block.inside.page.begin(), block.inside.page.end());
  }

  // Other blocks that define extract make it a warning: perhaps another one was meant.
  void note_choice(PageReading& out, const std::vector<const Block*>& helpers) const {
    std::size_t written = 0;
    std::vector<std::string> rivals;
    for (const Block& block : blocks_) {
      written += !is_blank_page(block.inside.page);
      if (&block != chosen_ && block.defines && block.kind != BlockKind::kDiff &&
          rivals.size() < 10) {
        rivals.push_back(name_lines(lines_of(block)));
      }
    }
    if (written < 2) return;
    const PageView lines = lines_of(*chosen_);
    std::string message =
        fmt::format("Chose one of {} code blocks ({}): ", written, name_lines(lines));
    message += !chosen_->defines ? "the largest, as none defines extract"
               : rivals.empty()  ? "the one that defines extract"
                                 : fmt::format("the last one that defines extract; others do on {}",
                                               fmt::join(rivals, ", "));
    for (const Block* block : helpers) {
      message += fmt::format("; put {} in front, which it needs", name_lines(lines_of(*block)));
    }
    out.changes.push_back({RuleCode::kBlockChosen, first_raw_line(lines), "", std::move(message),
                           rivals.empty() ? "" : "Answer with one code block",
                           rivals.empty() ? Severity::kNote : Severity::kWarning});
  }

  void note_prose(PageReading& out) const {
    const std::size_t first = first_written(outside_);
    if (first == outside_.size()) return;
    std::size_t last = outside_.size() - 1;
    while (trim(outside_[last].text).empty()) --last;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        outside_, [](const PageLine& line) { return !trim(line.text).empty(); }));
    const std::uint32_t from = outside_[first].raw.line;
    const std::uint32_t to = outside_[last].raw.line;
    out.changes.push_back(
        {RuleCode::kProseRemoved, from, "",
         count == 1 ? fmt::format("Removed one line of text outside the code (line {})", from)
                    : fmt::format("Removed {} lines of text outside the code (between {} and {})",
                                  count, from, to),
         "", Severity::kNote});
  }

  const PageReading& reading_;
  std::vector<Block> blocks_;
  Page outside_;
  const Block* chosen_ = nullptr;
};

}  // namespace

std::optional<FencedAnswer> read_fenced(const PageReading& reading, TextStore& store) {
  const std::vector<Fence> fences = find_fences(reading.page);
  if (fences.empty()) return std::nullopt;
  return BlockChooser(reading, fences, store).run();
}

}  // namespace airlock::text

// Markdown's fenced code blocks, read more leniently than CommonMark does: models forget closing
// fences, indent them, or put code on the same line. fences.cc lists what is taken beyond the
// standard. All views are into the page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/page.h"

namespace airlock::text {

enum class BlockKind : std::uint8_t { kPython, kUntagged, kJson, kMarkdown, kDiff, kShell, kOther };

// The opening line of a fence.
struct FenceOpening {
  char mark = '`';
  std::size_t length = 3;  // of the marks
  // Bytes in front of the marks: spaces, a list item's bullet; 0 behind a sentence.
  std::size_t indent = 0;
  std::string_view info{};  // behind the marks, trimmed
  BlockKind kind = BlockKind::kUntagged;
  std::size_t code_column = 0;  // where code starts on the opening line itself; 0: it does not
};

struct Fence {
  FenceOpening opening{};
  std::size_t first = 0;  // index of the opening line
  std::size_t last = 0;   // index of the closing line; of the last line when nothing closes it
  bool closed = false;
  Page content{};  // without the fence's indentation
};

std::optional<FenceOpening> open_fence(std::string_view line);
bool closes_fence(std::string_view line, const FenceOpening& opening);

// In the order of the text; at most 200, what follows them is not looked at.
std::vector<Fence> find_fences(PageView page);

BlockKind kind_of_tag(std::string_view tag);

}  // namespace airlock::text

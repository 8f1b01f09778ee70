// When the definition of extract stands outside every fence, either there is a closing
// fence without its opening one (the code is above it), or the code itself holds a fence at its
// margin, in a docstring, and the outer fence was taken to end there (the code is between the first
// fence and the last). A later fence with a tag of its own speaks against the second. Both are
// guesses, offered for the parser to judge.
#include <fmt/format.h>

#include "base/utf8.h"
#include "text/blocks.h"
#include "text/decorations.h"
#include "text/fences.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

// Lines [first, end); `fence` is the line that the note points to.
PageReading cut(const PageReading& reading, std::size_t first, std::size_t end, std::size_t fence,
                std::string_view message) {
  const PageView page = reading.page;
  PageReading out{Page(page.begin() + static_cast<std::ptrdiff_t>(first),
                       page.begin() + static_cast<std::ptrdiff_t>(end)),
                  reading.changes};
  const std::uint32_t line = page[fence].raw.line;
  out.changes.push_back({RuleCode::kFenceRemoved, line,
                         std::string(cut_utf8(trim(page[fence].text), 40)),
                         fmt::format(fmt::runtime(message), line), "", Severity::kNote});
  remove_decorations(out);
  return out;
}

std::size_t first_definition(PageView page) {
  std::size_t at = 0;
  while (at < page.size() && !defines_extract(page[at].text)) ++at;
  return at;
}

}  // namespace

// The two guesses of the top of this file, in turn.
std::vector<PageReading> read_stray_fences(const PageReading& reading) {
  const std::vector<Fence> fences = find_fences(reading.page);
  if (fences.empty()) return {};
  const std::size_t definition = first_definition(reading.page);
  const Fence& first = fences.front();
  if (definition < first.first) {
    // With a tag it opens a block; a closing fence has none.
    if (!first.opening.info.empty() || first.opening.indent > 3) return {};
    return {cut(reading, 0, first.first, first.first,
                "Removed the closing fence on line {}, which nothing opens, and what follows it")};
  }
  for (const Fence& fence : fences) {
    if (&fence != &first && !fence.opening.info.empty()) return {};
  }
  std::size_t last = reading.page.size();
  for (std::size_t i = first.first + 1; i < reading.page.size(); ++i) {
    if (closes_fence(reading.page[i].text, first.opening)) last = i;
  }
  if (definition > last) return {};
  return {cut(reading, first.first + 1, last, first.first,
              "Removed the Markdown fence that starts on line {}, and kept the fences inside it")};
}

}  // namespace airlock::text

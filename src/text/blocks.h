// Which of an answer's fenced blocks is the program. A model may send several: the code, its test,
// the command to run it, an older version. find_code.cc asks; blocks.cc says how the choice is
// made. Nothing is dropped silently: every choice ends up as a change in the readings.
#pragma once

#include <optional>
#include <vector>

#include "text/fences.h"
#include "text/page.h"

namespace airlock::text {

struct FencedAnswer {
  std::vector<PageReading> readings;         // most likely first
  std::vector<Unrecoverable> unrecoverable;  // at most one, in place of readings
  BlockKind kind = BlockKind::kUntagged;     // of the block that was chosen
};

// Nothing: the page has no fences, or its code stands outside them.
std::optional<FencedAnswer> read_fenced(const PageReading& reading, TextStore& store);

// Fences that do not fit together around code that stands outside them: a closing fence that
// nothing opens, a fence that ends too early because its code holds one.
std::vector<PageReading> read_stray_fences(const PageReading& reading);

}  // namespace airlock::text

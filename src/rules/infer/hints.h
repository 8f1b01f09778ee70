// What a person says about their paths, in their own words: "segment(-3) = mission_id", "the second
// folder is the mission", and words that ask for more than a rule can do. Called by
// engine/paths/infer_paths with the user's hint.
//
// Understood by patterns, not by a model: what fits none is ignored, and `was_understood` says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/infer.h"

namespace airlock::rules {

// Both lists may be filled: a hint may name fields and ask for more than a rule can do.
struct ParsedHint {
  std::vector<NameHint> names;
  // Words that only Python can answer: compute, lookup, if …
  std::vector<std::string> python_words;
  bool was_understood = false;
};

ParsedHint read_hint(std::string_view text);

}  // namespace airlock::rules

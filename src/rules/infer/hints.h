// What a person says about their paths: "segment(-3) = mission_id", "the second folder is the
// mission", and words that ask for more than a rule can do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/infer.h"

namespace airlock::rules {

struct ParsedHint {
  std::vector<NameHint> names;
  // Words that only Python can answer: compute, lookup, if …
  std::vector<std::string> python_words;
  bool was_understood = false;
};

ParsedHint read_hint(std::string_view text);

}  // namespace airlock::rules

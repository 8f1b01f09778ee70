// `airlock rules test` without its screen: how many paths each rule explains, and the first ones
// that none does, with the reason. A path counts for the first rule that matches it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/paths/path_input.h"
#include "rules/match/matcher.h"

namespace airlock {

struct RuleTest {
  struct OneRule {
    std::string name;
    std::uint64_t matched = 0;
  };
  struct Unmatched {
    std::string path;
    std::string why;
  };
  std::uint64_t paths = 0;
  std::uint64_t matched = 0;
  std::vector<OneRule> rules;
  std::vector<Unmatched> unmatched;  // the first ones
};

Result<RuleTest> test_rules(const rules::Matcher& matcher, PathInput& input, std::size_t shown);

}  // namespace airlock

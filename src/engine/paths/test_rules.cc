#include "engine/paths/test_rules.h"

namespace airlock {

Result<RuleTest> test_rules(const rules::Matcher& matcher, PathInput& input, std::size_t shown) {
  RuleTest test;
  for (const rules::PathRule& rule : matcher.rules()) test.rules.push_back({rule.name});
  rules::Match match;
  while (!input.is_finished()) {
    while (const auto line = input.next()) {
      if (line->text.empty()) continue;
      ++test.paths;
      if (matcher.match(line->text, match)) {
        ++test.matched;
        ++test.rules[static_cast<std::size_t>(match.rule - matcher.rules().data())].matched;
      } else if (test.unmatched.size() < shown) {
        test.unmatched.push_back({std::string(line->text), matcher.describe_mismatch(match)});
      }
    }
    TRY(input.read_more());
  }
  return test;
}

}  // namespace airlock

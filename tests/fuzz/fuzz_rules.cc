// A rule file and a path, both hostile, split at the first NUL. What must hold:
// (1) reading ends, and every problem has a place and says something in UTF-8;
// (2) what reads back matches any path without trouble, and says why when it does not match;
// (3) the glob agrees with our other implementation, which simulates all places at once;
// (4) a pattern that is matched in one pass gives what RE2 gives.
#include <re2/re2.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/glob.h"
#include "base/utf8.h"
#include "require.h"
#include "rules/file/rule_file.h"
#include "rules/match/matcher.h"
#include "rules/match/one_pass.h"

namespace {

using namespace airlock;  // NOLINT: a test

void read_and_match(std::string_view yaml, std::string_view path) {
  auto read = rules::read_rule_file(yaml);
  if (!read) {
    fuzz::require(!read.error().empty());
    for (const rules::RuleFileProblem& problem : read.error()) {
      fuzz::require(problem.line >= 1 && problem.column >= 1 && !problem.message.empty());
      fuzz::require(!find_invalid_utf8(problem.message));
    }
    return;
  }
  const rules::Matcher matcher(std::move(*read));
  rules::Match match;
  if (matcher.match(path, match)) {
    fuzz::require(match.values.size() == match.rule->fields.size());
    for (const rules::TagCondition& one : match.rule->tag_conditions)
      one.condition.holds(match.values);
  } else {
    fuzz::require(!matcher.describe_mismatch(match).empty());
  }
}

void compare_globs(std::string_view pattern, std::string_view path) {
  const auto ours = rules::PathGlob::parse(pattern);
  const auto other = Glob::parse(pattern);
  if (!ours || !other || !pattern.contains('/') || rules::root_length(pattern) != 0) return;
  // Segments of nothing and brackets with a slash are read differently on purpose.
  if (pattern.contains("//") || pattern.ends_with('/') || pattern.contains('[') ||
      pattern.contains('{') || pattern.contains('\\'))
    return;
  rules::SplitPath split;
  split.split(path);
  if (split.size() == 0 || split.rel_path() != path) return;
  fuzz::require(ours->matches(split) == other->matches(path));
}

void compare_patterns(std::string_view pattern, std::string_view text) {
  if (text.size() > 200 || find_invalid_utf8(text)) return;
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 automaton(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!automaton.ok()) return;
  const auto one_pass = rules::OnePass::parse(pattern, 0);
  if (!one_pass) return;
  re2::StringPiece whole;
  const bool is_found =
      automaton.Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, &whole, 1);
  const auto found = one_pass->find(text);
  fuzz::require(found.has_value() == is_found);
  if (is_found) fuzz::require(*found == std::string_view(whole.data(), whole.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(input.find('\0'), input.size());
  const std::string_view first = input.substr(0, split);
  const std::string_view second =
      split < input.size() ? input.substr(split + 1) : std::string_view();
  read_and_match(first, second);
  compare_globs(first.substr(0, 200), second.substr(0, 500));
  compare_patterns(first.substr(0, 200), second);
  return 0;
}

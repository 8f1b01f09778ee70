// A Python extractor → the rule that gives the same answers, if there is one: `airlock distill`
// without its output. A rule is faster and cannot do harm, so it is worth having where code is not
// needed.
//
// The code is a black box: its answers on sample paths are compared with what segments and patterns
// give, on some of the paths; the rest are held out and say whether the rule really is the same.
// Nothing is run here, the answers are given.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/compare/compare_rules.h"

namespace airlock {

// What the extractor said about one path.
struct SampleRow {
  std::string path;
  bool ok = false;
  std::vector<std::pair<std::string, std::string>> fields;  // name, JSON
  RowParts parts() const;
  std::string data;  // as it was written
};

// A field of the extractor's answers, and the entry of `extract:` that gives the same values. When
// `is_found` is false, only `name` and `why_not` mean something.
struct DistilledField {
  std::string name;
  std::string from;
  std::string pattern;
  std::string type;
  std::string normalize;
  std::string fallback;  // JSON; empty: none
  bool is_found = false;
  std::string why_not;
};

// One for code that does the same with every path; several, with globs, for code that branches.
struct DistilledRule {
  std::string name;
  std::string glob;  // empty: every path
  std::vector<DistilledField> fields;
};

// Rules may be there without being complete: then they give some of the fields.
struct Distillation {
  bool is_complete = false;  // every field was found
  std::vector<DistilledField> fields;
  std::vector<DistilledRule> rules;
  std::string yaml;  // of the fields that were found
  std::uint64_t learnt_from = 0;
  Comparison held_out;  // of paths that were not learnt from
};

// An Error when there is nothing to learn from.
Result<Distillation> distill(const std::vector<SampleRow>& rows);

}  // namespace airlock

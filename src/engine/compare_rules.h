// A rule and a Python extractor on the same paths: where they agree, field by field, and where they
// first do not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/row_parts.h"
#include "rules/matcher.h"

namespace airlock {

struct FieldAgreement {
  std::uint64_t equal = 0;
  std::uint64_t different = 0;
  std::uint64_t only_rule = 0;
  std::uint64_t only_python = 0;

  std::uint64_t rows() const { return equal + different + only_rule + only_python; }
};

struct Difference {
  std::string path;
  std::string field;  // empty: only one of the two has a row
  std::string rule;   // JSON, or why there is none
  std::string python;
};

struct Comparison {
  std::uint64_t paths = 0;
  std::uint64_t equal_rows = 0;
  std::uint64_t both_ok = 0;
  std::uint64_t only_rule_ok = 0;
  std::uint64_t only_python_ok = 0;
  std::map<std::string, FieldAgreement> fields;
  std::vector<Difference> differences;  // the first ones
};

// Fed with one row of the extractor after the other. A null and a field that is not there are the
// same.
class Comparer {
 public:
  Comparer(const rules::Matcher& matcher, std::size_t shown) : matcher_(matcher), shown_(shown) {}

  void see(const RowParts& row);
  const Comparison& result() const { return result_; }

 private:
  void see_fields(const RowParts& row);
  void note(const RowParts& row, std::string field, std::string rule, std::string python);

  const rules::Matcher& matcher_;
  std::size_t shown_;
  rules::Match match_;
  Comparison result_;
};

}  // namespace airlock

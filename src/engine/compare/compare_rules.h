// Compares two extractors on the same paths (a rule and a program, or two versions of one), field
// by field: counts of agreement, and the first differences. "Left" and "right" are the two, in the
// order in which the user named them.
//
// Answers are taken one pair at a time and not kept, so memory does not grow with the number of
// paths. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bulk/row_parts.h"
#include "rules/match/matcher.h"

namespace airlock {

// In how many rows the two agree about one field. Rows in which neither has it do not count.
struct FieldAgreement {
  std::uint64_t equal = 0;
  std::uint64_t different = 0;
  std::uint64_t only_left = 0;
  std::uint64_t only_right = 0;

  std::uint64_t rows() const { return equal + different + only_left + only_right; }
};

// One field of one path in which the two differ.
struct Difference {
  std::string path;
  std::string field;  // empty: only one of the two has a row
  std::string left;   // JSON, or why there is none
  std::string right;
};

// Counts are of paths. `equal_rows` includes those for which neither has an answer.
struct Comparison {
  std::uint64_t paths = 0;
  std::uint64_t equal_rows = 0;
  std::uint64_t both_ok = 0;
  std::uint64_t only_left_ok = 0;
  std::uint64_t only_right_ok = 0;
  std::map<std::string, FieldAgreement> fields;
  std::vector<Difference> differences;  // the first ones
};

// What one of the two said about a path.
struct Answer {
  bool ok = false;
  std::map<std::string, std::string> fields = {};  // JSON; without those that are null
  std::string why_not = {};
};

// Stands in a Difference for a field that one of the two does not have.
inline constexpr std::string_view kNothing = "nothing";
// Stands in a Difference for all fields, when only one of the two has an answer.
inline constexpr std::string_view kARow = "a row";

// From a row of a bulk job.
Answer answer_of(const RowParts& row);

// Fed with two answers for one path after the other. A null and a field that is not there are the
// same; two failures are, whatever their reasons.
class AnswerPairs {
 public:
  explicit AnswerPairs(std::size_t shown) : shown_(shown) {}

  void add(const std::string& path, const Answer& left, const Answer& right);
  const Comparison& result() const { return result_; }

 private:
  void add_fields(const std::string& path, const Answer& left, const Answer& right);
  void note(const std::string& path, std::string field, std::string left, std::string right);

  std::size_t shown_;
  Comparison result_;
};

// A rule, left, and one row of an extractor after the other, right.
class Comparer {
 public:
  Comparer(const rules::Matcher& matcher, std::size_t shown) : matcher_(matcher), pairs_(shown) {}

  void add(const RowParts& row);
  const Comparison& result() const { return pairs_.result(); }

 private:
  const rules::Matcher& matcher_;
  rules::Match match_;
  AnswerPairs pairs_;
};

}  // namespace airlock

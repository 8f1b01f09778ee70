// The conditions of tags: `mission_id < 100`, `date.year = 2024 and not (client = "ABC" or priority
// >= 2)`. Parsed once, with the rule, into a list of steps in postfix order, so that asking costs a
// walk over them and no allocation. Immutable after parse(), shared by threads.
//
//   or         = and { ("or" | "||") and }
//   and        = not { ("and" | "&&") not }
//   not        = "not" not | "(" or ")" | comparison
//   comparison = field [ "." part ] ( = != < <= > >= ) value | boolean-field
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/match/field_value.h"

namespace airlock::rules {

// What a condition may speak of: the fields of its rule.
struct ConditionField {
  std::string_view name;
  ValueType type;
};

// What is wrong, and the byte of the text where it shows.
struct ConditionError {
  std::size_t at = 0;  // in the text
  std::string message;
};

class Condition {
 public:
  // Every name must be one of `fields`, and both sides of a comparison of one kind.
  static std::expected<Condition, ConditionError> parse(std::string_view text,
                                                        std::span<const ConditionField> fields);

  // `values` in the order of the fields. A comparison with null is false, `x = null` aside.
  bool holds(std::span<const FieldValue> values) const;

 private:
  friend class ConditionReader;
  // compare() relies on this order.
  enum class TimePart : std::uint8_t { kWhole, kYear, kMonth, kDay, kHour, kMinute, kQuarter };
  enum class Operator : std::uint8_t { kEqual, kUnequal, kLess, kAtMost, kGreater, kAtLeast };
  // A comparison pushes its answer; `not` changes the last one, `and` and `or` join the last two.
  struct Step {
    enum class Kind : std::uint8_t { kCompare, kNot, kAnd, kOr } kind = Kind::kCompare;
    Operator how = Operator::kEqual;
    TimePart part = TimePart::kWhole;
    std::size_t field = 0;
    FieldValue wanted;  // its text is in `texts_`
    std::size_t text = 0;
  };

  bool compare(const Step& step, const FieldValue& value) const;

  std::vector<Step> steps_;
  std::vector<std::string> texts_;
};

}  // namespace airlock::rules

// Aligns the values of one position: what is the same in all of them is a literal, what differs is
// a slot. mission_042_a.csv and mission_107_b.csv give "mission_", a slot of numbers, "_", a slot
// of letters, ".csv". column_plan.h makes fields of the slots.
//
// Pure. The pieces borrow from the values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/token_class.h"

namespace airlock::rules {

// A stretch of text that is the same everywhere, or a slot with its value for each path. Which
// members count depends on `kind`.
struct LayoutPiece {
  enum class Kind { kLiteral, kSlot };
  Kind kind = Kind::kLiteral;
  std::string literal;                   // of a literal, delimiters included
  std::vector<std::string_view> values;  // of a slot, one for each path
  TokenClass what = TokenClass::kText;
  std::string word_before;   // the constant word right in front of a slot: mission in mission_042
  std::string key;           // the name in front of a =, or of a - between _ (sub-01_task-rest)
  bool is_assigned = false;  // the key has a =
  std::string name;          // what two letters with numbers say together: S01E02
  std::string pattern;       // of a slot that no delimiter ends: the letters of train2017
  bool is_repeated = false;  // a folder above gives it
  bool is_free = false;      // several words, or none in particular
};

// Literals and slots alternate; together they spell every value.
std::vector<LayoutPiece> align_values(std::span<const std::string_view> values);

// How many different values there are.
std::size_t count_distinct(std::span<const std::string_view> values);

}  // namespace airlock::rules

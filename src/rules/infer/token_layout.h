// Aligns the values of one position: what is the same in all of them is a literal, what differs is
// a slot.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/token_class.h"

namespace airlock::rules {

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

std::size_t count_distinct(std::span<const std::string_view> values);

}  // namespace airlock::rules

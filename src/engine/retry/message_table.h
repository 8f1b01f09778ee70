// The sentences that CPython 3.11, its modules and airlock itself say about a failure, and the
// names that they use. Data; who reads it is engine/interpreter_messages.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace airlock {

// What stands in the gap of a sentence.
enum class Filler : std::uint8_t {
  kValue,   // {value}: 'Q1', 12, None, or a text without quotes
  kType,    // {type}: NoneType, datetime.date
  kName,    // {name}: group, Reader.parse
  kNames,   // {names}: 'a', 'b', and 'c'
  kNumber,  // {number}
  kPlace,   // {place}: ['fields'][3]; may be empty
  kCalls,   // {calls}: openat at line 4, socket
  kWord,    // {word}: one of fixed_words(); with another it is another sentence
};
Filler filler_named(std::string_view name);

// The ones that say more come before the ones that say less.
std::span<const std::string_view> known_sentences();
std::span<const std::string_view> fixed_words();
std::span<const std::string_view> known_exceptions();
std::span<const std::string_view> known_type_names();

}  // namespace airlock

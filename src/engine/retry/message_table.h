// The sentences that CPython 3.11, its modules and airlock itself say about a failure, and the
// names that they use. Data only; interpreter_messages.cc reads it. Everything listed here may
// leave the machine, so a row is added only for words that no program can choose.
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
// By the word between its braces.
Filler filler_named(std::string_view name);

// The ones that say more come before the ones that say less.
std::span<const std::string_view> known_sentences();
// What {word} may be: endings of plurals, operators, names of codecs.
std::span<const std::string_view> fixed_words();
// Types of exceptions by their bare names.
std::span<const std::string_view> known_exceptions();
// Types of values, as the interpreter names them in messages.
std::span<const std::string_view> known_type_names();

}  // namespace airlock

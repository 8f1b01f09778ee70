// A JSON document as a row of 64-bit words, in document order: what simdjson's parser leaves behind
// (its doc/tape.md), held without simdjson's headers. The top byte of a word says what it is, the
// other 56 bits are its payload:
//
//   document := 'r' value 'r'              the first 'r' holds the index after the last word
//   value    := '{' (string value)* '}'    '{' holds the index after its '}', in the low 32 bits
//             | '[' value* ']'             as '{'
//             | string                     '"': an offset into the strings
//             | 'l' word | 'u' word        an integer: signed, or unsigned when only that fits
//             | 'd' word                   a finite double
//             | 't' | 'f' | 'n'
//   strings  := (length: 32 bits, bytes in UTF-8, a zero byte)*
//
// Owns its memory; moves, never copies; reading it from several threads is fine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace airlock {

class JsonTape {
 public:
  JsonTape() = default;
  // Both as simdjson wrote them: a well-formed document.
  JsonTape(std::unique_ptr<std::uint64_t[]> words, std::unique_ptr<std::uint8_t[]> strings)
      : words_(std::move(words)), strings_(std::move(strings)) {}

  static constexpr std::size_t kRoot = 1;  // where the document's value begins

  // `at` below is always the index of a word at which a value begins; a tape that simdjson wrote is
  // well-formed, so nothing is checked again. integer(), natural() and number() read the word
  // behind the one that says the type.
  bool is_empty() const { return words_ == nullptr; }
  // One past the last word of the root value.
  std::size_t end() const { return payload(0) - 1; }

  char type(std::size_t at) const { return static_cast<char>(words_[at] >> 56); }
  std::string_view string(std::size_t at) const {
    const std::uint8_t* begin = strings_.get() + payload(at);
    std::uint32_t length = 0;
    std::memcpy(&length, begin, sizeof length);
    return {reinterpret_cast<const char*>(begin) + sizeof length, length};
  }
  std::int64_t integer(std::size_t at) const { return static_cast<std::int64_t>(words_[at + 1]); }
  std::uint64_t natural(std::size_t at) const { return words_[at + 1]; }
  double number(std::size_t at) const { return std::bit_cast<double>(words_[at + 1]); }

  // The word after the whole value that begins at `at`.
  std::size_t after(std::size_t at) const {
    switch (type(at)) {
      case '{':
      case '[':
        return payload(at) & 0xFFFFFFFFU;
      case 'l':
      case 'u':
      case 'd':
        return at + 2;
      default:
        return at + 1;
    }
  }

 private:
  std::uint64_t payload(std::size_t at) const { return words_[at] & 0x00FFFFFFFFFFFFFFU; }

  std::unique_ptr<std::uint64_t[]> words_;
  std::unique_ptr<std::uint8_t[]> strings_;
};

// A value of a tape, for whoever wants to look something up. Borrows the tape.
class JsonView {
 public:
  JsonView(const JsonTape& tape, std::size_t at) : tape_(&tape), at_(at) {}

  bool is_object() const { return tape_->type(at_) == '{'; }
  bool is_array() const { return tape_->type(at_) == '['; }
  std::optional<std::string_view> text() const {
    if (tape_->type(at_) != '"') return std::nullopt;
    return tape_->string(at_);
  }
  std::optional<std::int64_t> integer() const {
    if (tape_->type(at_) != 'l') return std::nullopt;
    return tape_->integer(at_);
  }
  // The value under `name`, when this is an object that has one. Looks at one key after the other.
  std::optional<JsonView> member(std::string_view name) const;

  // visit(JsonView) for each element of an array.
  template <typename Visit>
  void for_each_item(Visit visit) const {
    if (!is_array()) return;
    for (std::size_t at = at_ + 1; tape_->type(at) != ']'; at = tape_->after(at))
      visit(JsonView(*tape_, at));
  }

 private:
  const JsonTape* tape_;
  std::size_t at_;
};

}  // namespace airlock

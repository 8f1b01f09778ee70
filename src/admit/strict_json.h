// What a cell calls JSON is JSON, as strictly as the inner door reads it: one value, well formed,
// in UTF-8, on one line, no key twice in one object, no number that is none (NaN, 1e999), nothing
// behind it, and not deeper than we ask for. Only then is it repeated to anyone.
//
// Other than the door it judges no names and keeps whole numbers of any size: results of a program
// are its own, and Python's numbers have no end. A reader of its own rather than simdjson, because
// it runs for every row of a bulk job and only has to say yes or no.
//
// One pass, no recursion, memory by the number of keys. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

// Keeps its memory from one text to the next. Not for two threads at once.
class StrictJson {
 public:
  // `depth`: containers inside each other.
  explicit StrictJson(std::size_t depth) : depth_(depth) {}

  bool is_object(std::string_view text);
  bool is_value(std::string_view text);

 private:
  struct Key {
    std::uint64_t digest = 0;
    std::string_view text;  // without escapes
  };
  // An open container. Its keys stand in `keys_` from `first_key` on.
  struct Frame {
    bool is_object = false;
    std::size_t first_key = 0;
  };

  void begin(std::string_view text);
  bool scan();
  bool value();
  bool open(bool is_object);
  bool close();
  bool key();
  bool word(std::string_view wanted);
  bool digits();
  bool number();
  bool string();
  bool escape();
  int hex4();
  bool has_duplicate_keys(std::size_t first);

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // No line breaks: an answer is one line, and rows are separated by them.
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  const std::size_t depth_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool wants_value_ = false;
  bool is_escaped_ = false;            // the string that was read last has escapes
  std::vector<Frame> frames_;          // the open containers, the outermost first
  std::vector<Key> keys_;              // of all open objects
  std::deque<std::string> unescaped_;  // keys that had escapes
};

// What the inside of a string stands for that was accepted.
std::string unescape_json(std::string_view text);

}  // namespace airlock

// A line of text while it is being typed. The cursor stands between clusters, never inside one. The
// text is always valid UTF-8 and holds only characters that can be seen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "present/tui/draw/keystroke.h"

namespace airlock::tui {

class LineEditor {
 public:
  LineEditor() = default;
  // `most`: characters (code points) that it takes. A text that is longer or not UTF-8 is mended.
  LineEditor(std::string_view text, std::size_t most);

  // False: the key means nothing here.
  bool press(const Keystroke& key);

  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // in bytes
  std::size_t length() const;                     // in characters
  std::size_t most() const { return most_; }

 private:
  bool edit(const Keystroke& key);
  void snap();
  void insert(char32_t character);
  void erase(std::size_t begin, std::size_t end);
  std::size_t word_before() const;
  std::size_t word_after() const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::size_t most_ = 0;
};

}  // namespace airlock::tui

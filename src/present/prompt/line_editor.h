// One line that a person edits, with a history of lines: bytes of a terminal in, a text and a
// cursor out. Pure: it draws nothing and reads nothing (line_view.h, terminal_input.h). Keys are
// those of every shell: arrows, Home, End, Ctrl-A E B F D H K U W Y P N, Alt-B F D.
//
// What is typed may be any bytes: those that are no UTF-8 stay as they are, one character each, so
// that whoever judges the line can say so. A paste that the terminal marks as one (bracketed paste)
// is text whatever is in it: no key of it does anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::prompt {

enum class LineEvent : std::uint8_t {
  kNone,         // all bytes are taken
  kEntered,      // Enter
  kPasted,       // the end of a line inside a paste
  kInterrupted,  // Ctrl-C
  kEnded,        // Ctrl-D on an empty line
  kSuspended,    // Ctrl-Z
  kCleared,      // Ctrl-L: the screen is to be cleared
};

class LineEditor {
 public:
  static constexpr std::size_t kMostBytes = 16UL * 1024 * 1024;  // of a line; more is not taken
  static constexpr std::size_t kMostHistory = 1000;              // lines

  struct Step {
    LineEvent event = LineEvent::kNone;
    std::size_t taken = 0;  // bytes
  };
  // Takes bytes up to the first one that asks the caller for something.
  Step feed(std::string_view bytes);

  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // bytes before it

  // The line, which is in the history from now on; the next one is empty.
  std::string take();
  void clear();

 private:
  LineEvent take_byte(char byte);
  LineEvent take_control(char byte);
  void take_escape(char byte);
  void obey_sequence();
  void obey_letter(char key);
  void obey_number(std::string_view number);
  LineEvent take_pasted(char byte);

  void insert(std::string_view bytes);
  void erase(std::size_t from, std::size_t to);
  void kill(std::size_t from, std::size_t to);
  void move_in_history(int by);
  std::size_t word_left() const;
  std::size_t word_right() const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::string killed_;    // by Ctrl-K, U, W
  std::string sequence_;  // of an escape sequence under way, with its ESC
  bool is_pasting_ = false;
  bool was_return_ = false;  // the byte before, in a paste: of \r\n the \n is no line of its own
  std::vector<std::string> history_;
  std::size_t place_ = 0;  // in the history; its size: the new line
  std::string draft_;      // the new line, while another one is looked at
};

// Where the character before (behind) `at` begins (ends); marks without a width of their own belong
// to the character before them.
std::size_t character_before(std::string_view text, std::size_t at);
std::size_t character_behind(std::string_view text, std::size_t at);

}  // namespace airlock::prompt

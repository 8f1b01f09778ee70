// Where a finding stands, in numbers that can be trusted. A verdict comes from another process: its
// lines and columns may be anything. Everything that prints goes through here, so no presenter can
// index past a line or a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/check_report.h"

namespace airlock::cli {

// A byte inside a character stands for that character: the byte at which it starts.
std::size_t character_start(std::string_view line, std::size_t byte);

// The lines of a text by number; borrows the text. LF, CR LF and lone CR end a line, as in Python.
// The text is read as far as the lines asked for: a refused file may be far larger than any
// program.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text), starts_{0} {}

  // At least 1: an empty text has one empty line. A line end at the very end starts no other.
  std::uint32_t count();
  // Without its line end. Any number: 0 is read as 1, and past the end as the last.
  std::string_view line(std::uint32_t number);
  // From the start of the place to its end, line ends included. `place` must be fitted.
  std::string_view between(const Place& place);

  // The nearest place that exists: inside the text, the end not before the start.
  Place fit(Place place);

 private:
  // Whether there is such a line; all up to it are known afterwards.
  bool reach(std::uint32_t number);

  std::string_view text_;
  std::vector<std::size_t> starts_;
  bool read_to_end_ = false;
};

// The place in the file on disk, bytes from 0, not yet fitted. A byte-order mark that cleaning took
// is counted again.
Place place_on_disk(const CheckedFile& file, const Place& place);

// A place as editors count: lines and characters (code points) from 1, the end exclusive.
struct CharacterPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;

  friend bool operator==(const CharacterPlace&, const CharacterPlace&) = default;
};

// Counts characters of one text. Findings come sorted, and a line may be a megabyte long: each
// count goes on from the one before it, so many findings on one long line cost one pass. A
// byte-order mark is no character.
class CharacterCounter {
 public:
  explicit CharacterCounter(TextLines& lines) : lines_(lines) {}

  // `place` must be fitted.
  CharacterPlace count(const Place& place);

 private:
  struct Mark {
    std::uint32_t line = 0;
    std::uint32_t byte = 0;
    std::uint32_t characters = 0;
  };
  std::uint32_t column(Mark& mark, std::uint32_t line, std::uint32_t byte);

  TextLines& lines_;
  Mark start_;
  Mark end_;
};

}  // namespace airlock::cli

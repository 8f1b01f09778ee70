// Names of files by pattern: * and ? within a segment, ** over segments, [a-z] and [!a-z], {a,b}.
// Used for the inputs that a probe declares, for ignore files and for rules about paths.
//
// Patterns come from models and from strangers' repositories, so a pattern must not be able to cost
// exponential time. It is compiled once to a non-deterministic automaton whose states (called
// places) are all followed at the same time, 64 to a machine word: time is bounded by length of
// pattern times length of name, there is no backtracking, and braces are alternatives in the
// automaton, never copies of the pattern. A Glob is a value; matching from several threads is fine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob_pattern.h"
#include "base/result.h"

namespace airlock {

// {a,b}c → ac, bc; inner ones as well; braces in brackets are left alone. An Error for a brace that
// is not closed, and for more than 256. For rules/match, which looks at the forms one by one.
Result<std::vector<std::string>> expand_braces(std::string_view pattern);

class Glob {
 public:
  // An Error says what is wrong with the pattern. Braces may stand for at most 256 forms.
  static Result<Glob> parse(std::string_view pattern, Braces braces = Braces::kAlternatives);

  // The whole of `path`, which has no leading slash.
  bool matches(std::string_view path) const;

 private:
  friend class GlobCompiler;
  using Word = std::uint64_t;
  struct Jump {
    std::uint32_t from, to;  // without reading a byte; always forward
  };

  Glob() = default;
  // `places` and all that jumps lead to from them.
  void close(Word* places) const;
  // The places after one more byte; `next` is overwritten.
  void step(const Word* now, Word* next, unsigned char byte) const;

  // What every path that fits begins and ends with: most paths are told apart by that alone.
  std::string prefix_;
  std::string suffix_;
  // Bytes that no part of the pattern tells apart are of one class.
  std::array<std::uint8_t, 256> class_of_{};
  std::size_t words_ = 0;             // for one bit a place
  std::vector<Word> goes_on_;         // by class: places that such a byte leads to the next from
  std::vector<Word> stays_in_name_;   // places that every byte but a slash leads back to
  std::vector<Word> stays_anywhere_;  // places that every byte leads back to
  std::vector<Word> jumps_from_;      // places that have a jump
  std::vector<Word> ends_;            // places at which the whole pattern has been read
  std::vector<Jump> jumps_;           // sorted by `from`
  bool has_jumps_ = false;
};

}  // namespace airlock

// Globs over a path that is split already. Time grows with pattern times path and no faster: on a
// misfit only the last star is tried again further right. That is enough, because what stands
// between two stars can always be placed as far left as it fits. Matching allocates nothing.
//
// Beside base/glob.h for two reasons: a rule's path is split once for all patterns, and each is
// then a few comparisons of segments, at millions of paths a second; and a mismatch can be
// explained by its segment. Braces are expanded by base/glob.h, and a test holds the two to the
// same answers.
//
// A pattern without a slash is about the file's name, in any folder. One with a slash begins at the
// root, with or without a slash of its own. {archive/,} makes a segment optional.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/match/split_path.h"

namespace airlock::rules {

// One segment of a pattern: literals, ?, sets and stars. It works on bytes, not characters: ? takes
// one byte of UTF-8. Immutable after parse().
class SegmentGlob {
 public:
  static Result<SegmentGlob> parse(std::string_view pattern);
  bool matches(std::string_view segment) const;
  bool is_any() const { return kind_ == Kind::kAny; }
  const std::string& text() const { return text_; }

 private:
  // How it is matched, cheapest first: equal to a literal, anything at all (*), one byte for each
  // step (no star), a literal head and tail around one star (a*b), or the general case.
  enum class Kind : std::uint8_t { kLiteral, kAny, kFixed, kAround, kStars };
  struct Step {
    enum class Kind : std::uint8_t { kByte, kOne, kSet, kStar } kind = Kind::kByte;
    char byte = 0;
    std::uint16_t set = 0;  // in sets_
  };

  bool takes(const Step& step, char byte) const;
  bool matches_fixed(std::string_view segment) const;
  bool matches_stars(std::string_view segment) const;

  Kind kind_ = Kind::kLiteral;
  std::string text_;     // as it was written
  std::string literal_;  // of kLiteral
  // The literal bytes at the beginning and at the end; of kAround these are all there is.
  std::string head_;
  std::string tail_;
  std::vector<Step> steps_;
  std::vector<std::bitset<256>> sets_;
};

// Why a path does not fit: the segment of the pattern, and of the path, that stand against each
// other.
struct GlobMismatch {
  std::string wanted;   // empty: it is about the number of segments
  std::string found;    // empty: there is no such segment
  std::string message;  // a whole sentence
};

// A whole pattern, braces expanded. A path matches if any of the alternatives does. Immutable after
// parse() and shared by threads.
class PathGlob {
 public:
  static Result<PathGlob> parse(std::string_view pattern);

  bool matches(const SplitPath& path) const;
  GlobMismatch mismatch(const SplitPath& path) const;
  const std::string& text() const { return text_; }
  // The length of all alternatives that its braces expand to, in bytes.
  std::size_t bytes_of_forms() const { return bytes_of_forms_; }

 private:
  // One pattern without braces, cut at its ** into runs of segments.
  struct GlobAlternative {
    // Without **: all of it in `front`. With one: `front` stands before it and `back` after it.
    // With more: what stands between two of them is a run of `middle`.
    std::vector<SegmentGlob> front;
    std::vector<SegmentGlob> back;
    std::vector<std::vector<SegmentGlob>> middle;  // between two **
    std::size_t least_deep = 0;  // segments that a ** at the very end must hold: 1, else 0
    bool is_deep = false;        // has a **
  };

  static Result<GlobAlternative> compile(std::string_view pattern);
  static bool matches(const GlobAlternative& form, const SplitPath& path);
  static GlobMismatch mismatch(const GlobAlternative& form, const SplitPath& path);

  std::string text_;
  std::vector<GlobAlternative> forms_;
  std::size_t bytes_of_forms_ = 0;
};

}  // namespace airlock::rules

// Names of files by pattern: * and ? within a segment, ** over segments, [a-z] and [!a-z], {a,b}.
// Matched without backtracking: time grows with pattern times name, whatever they hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace airlock {

// {a,b}c → ac, bc; inner ones as well. An Error for a brace that is not closed, and for more than
// 256.
Result<std::vector<std::string>> expand_braces(std::string_view pattern);

class Glob {
 public:
  // An Error says what is wrong with the pattern. Braces may multiply it into at most 256 forms.
  static Result<Glob> parse(std::string_view pattern);

  // The whole of `path`, which has no leading slash.
  bool matches(std::string_view path) const;

 private:
  enum class Kind : std::uint8_t {
    kByte,       // this one
    kAny,        // one, but no slash
    kSet,        // one of a set, but no slash
    kStar,       // any number, but no slash
    kDeepEnter,  // the next two together: any number of whole segments
    kDeepInside,
    kRest,  // everything, at least one byte
  };
  struct Step {
    Kind kind = Kind::kByte;
    char byte = 0;
    bool is_negated = false;
    std::string set = {};  // pairs: from, to
  };
  struct Form {
    std::vector<Step> steps;
    // What every path that fits begins and ends with: most paths are told apart by that alone.
    std::string prefix = {};
    std::string suffix = {};
  };

  static Result<Form> compile(std::string_view pattern);
  static bool takes(const Step& step, char byte);
  static Form with_ends(std::vector<Step> steps);
  static bool matches(const std::vector<Step>& form, std::string_view path);

  std::vector<Form> forms_;
};

}  // namespace airlock

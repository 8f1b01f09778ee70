// What .gitignore files leave out, by git's rules: the last line that fits decides, a nearer file
// over a farther one; "!" takes back, a trailing slash means folders, a slash inside ties the line
// to its folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"

namespace airlock::probe {

// Ignore files are untrusted. These limits hold for all rules in force at one place of a
// repository: those of its own folder and of all folders above. What goes beyond them is not used,
// and reported.
inline constexpr std::size_t kLargestIgnoreFile = std::size_t{256} * 1024;
inline constexpr std::size_t kMostIgnoreBytes = std::size_t{1024} * 1024;
inline constexpr std::size_t kMostIgnorePatterns = 10'000;

// The lines of one .gitignore.
class IgnoreRules {
 public:
  // At most `most` patterns. Lines that make no pattern are passed over, as git does; a line that
  // git would use and that is too long or too many is left out, and counted.
  static IgnoreRules parse(std::string_view text, std::size_t most = kMostIgnorePatterns);

  enum class IgnoreVerdict { kNothing, kIgnore, kKeep };
  // `path` is relative to the folder that the file stands in.
  IgnoreVerdict judge(std::string_view path, bool is_folder) const;
  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }
  std::size_t left_out() const { return left_out_; }

 private:
  // One pattern; `keeps` is a line with "!".
  struct IgnoreLine {
    Glob glob;
    bool keeps = false;
    bool is_for_folders = false;
    bool is_for_names = false;  // no slash inside: fits the last segment, wherever it is
  };
  std::vector<IgnoreLine> lines_;
  std::size_t left_out_ = 0;
};

}  // namespace airlock::probe

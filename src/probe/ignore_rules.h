// What .gitignore files leave out, by git's rules: the last line that fits decides, a nearer file
// over a farther one; "!" takes back, a trailing slash means folders, a slash inside ties the line
// to its folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"

namespace airlock::probe {

// The lines of one .gitignore.
class IgnoreRules {
 public:
  // Lines that make no pattern are passed over, as git does.
  static IgnoreRules parse(std::string_view text);

  enum class Says { kNothing, kIgnore, kKeep };
  // `path` is relative to the folder that the file stands in.
  Says judge(std::string_view path, bool is_folder) const;
  bool empty() const { return lines_.empty(); }

 private:
  struct Line {
    Glob glob;
    bool keeps = false;
    bool is_for_folders = false;
    bool is_for_names = false;  // no slash inside: fits the last segment, wherever it is
  };
  std::vector<Line> lines_;
};

}  // namespace airlock::probe

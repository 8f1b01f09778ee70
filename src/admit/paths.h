// Absolute paths become relative ones: the repository's root first, then the folders that name a
// user or a machine (/home/ann/, C:\Users\Ann\, \\server\share\, /tmp/ and their like), in any
// text, with either slash, as file: URLs, and percent-encoded. What is left is what follows the
// folder.
//
// Pure; safe to use from several threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

// Used by scrub_text.h on every string that is kept. Linear in the text.
class PathScrubber {
 public:
  // Absolute paths. Empty ones and the root of a file system are ignored: they would match
  // everything.
  explicit PathScrubber(const std::vector<std::string>& roots);

  // The text without its absolute folders, or nothing when it has none.
  std::optional<std::string> relative(std::string_view text) const;

 private:
  struct Root {
    std::string path;  // separators as '/', none at the end
    bool is_windows = false;
  };
  std::vector<Root> roots_;
};

}  // namespace airlock

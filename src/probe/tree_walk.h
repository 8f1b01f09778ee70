// Every file of a repository once, in a fixed order, without following a link and without leaving
// it. The folder .git is left out, and on request what .gitignore files leave out.
//
// The tree is a stranger's, and may change meanwhile: what is gone or cannot be read is passed over
// and counted. Bounded in files, depth and time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::probe {

// Views are valid during the call only.
struct FileSeen {
  std::string_view path;  // relative, with slashes; any bytes
  std::string_view name;
  std::uint64_t bytes = 0;
  bool is_link = false;     // not followed
  bool is_ignored = false;  // by a .gitignore file, or because a folder above it is
};

// What the walk saw, and what it did not.
struct WalkReport {
  std::uint64_t files = 0;  // these three without what is ignored
  std::uint64_t folders = 0;
  std::uint64_t bytes = 0;
  std::uint64_t unreadable = 0;  // folders that could not be opened or listed
  bool was_cut = false;          // more files than kMostFiles, or it took too long
  bool was_late = false;         // it took too long
  // Lines of ignore files that were not used because they were too many or too long, about, and
  // the first such file.
  std::uint64_t ignore_lines_left_out = 0;
  std::string first_cut_ignore_file = {};
};

inline constexpr std::uint64_t kMostFiles = 5'000'000;
// Disks hang, and ignore files can be made to take long.
inline constexpr std::chrono::seconds kLongestWalk{120};

// An Error of the request: the user named it.
Result<Fd> open_folder(const std::string& path);

// A file or folder, by whatever name.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
// Nothing when there is none of that name.
std::optional<FileIdentity> identity_of(const std::string& path);

enum class Ignored { kLeaveOut, kShow };

// `longest` is wall-clock time from the start of the walk.
struct WalkOptions {
  Ignored ignored = Ignored::kLeaveOut;
  std::vector<FileIdentity> left_out = {};  // as if they were not there
  std::chrono::milliseconds longest = kLongestWalk;
};

// `see` is called for every file; false ends the walk.
Result<WalkReport> walk_tree(const Fd& root, const WalkOptions& options,
                             const std::function<bool(const FileSeen&)>& see);

// A small file below `root`: not a link, at most `most` bytes; empty when there is none.
std::string read_small(const Fd& root, const std::string& path, std::size_t most);

}  // namespace airlock::probe

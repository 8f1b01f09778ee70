// The contents that a probe says it depends on, as one hash: the probe's part of its cache key.
// Patterns are a stranger's; the search and the reading have limits of time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/glob.h"
#include "base/result.h"
#include "probe/file_list.h"
#include "probe/tree_walk.h"

namespace airlock::probe {

// An Error says which pattern is malformed, or can never match a file of the repository.
Result<void> check_declared_inputs(const std::vector<std::string>& patterns);

// Reads each file once, however many probes declare it, several at a time. Borrows the folder and
// the list.
// One for each run, used by the coordinator's thread. hash() reads with several threads of its own
// and waits for them.
class InputHasher {
 public:
  // `walk`: as the list was made; to look again in the same way.
  InputHasher(const Fd& root, const FileList& files, WalkOptions walk)
      : root_(&root), files_(&files), walk_(std::move(walk)), known_(files.size()) {}

  using Time = std::chrono::steady_clock::time_point;

  // SHA-256 over the names and contents of all files that one of the patterns fits. Without a
  // pattern: of every file that is not ignored. A link counts with its text and what it leads to.
  struct Hashed {
    std::string sha256;      // empty: the time was up
    std::string_view phase;  // then: "matched" or "read"
  };
  Result<Hashed> hash(const std::vector<std::string>& patterns, Time end);

  // Whether nothing of that has changed since it was read, and no such file is new or gone. Not
  // known when the time is up.
  enum class Change { kNone, kSome, kNotKnown };
  Change look_again(const std::vector<std::string>& patterns, Time end) const;

 private:
  // What the file system says about a file; every change of the file changes it.
  struct FileStamp {
    std::uint64_t number = 0, size = 0;
    std::int64_t changed_s = 0, changed_ns = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
  };
  // What is remembered of a file once it was read.
  struct Known {
    std::string hash;  // empty: not read yet
    FileStamp stamp;
  };

  static std::optional<std::vector<std::size_t>> find(const FileList& files,
                                                      const std::vector<Glob>& globs, Time end);
  FileStamp stamp_of(std::string_view path) const;
  bool read(const std::vector<std::size_t>& files, Time end);

  const Fd* root_;
  const FileList* files_;
  WalkOptions walk_;
  std::vector<Known> known_;  // by number of the file
};

}  // namespace airlock::probe

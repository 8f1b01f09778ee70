// The contents that a probe says it depends on, as one hash: the probe's part of its cache key.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/glob.h"
#include "base/result.h"
#include "probe/file_list.h"

namespace airlock::probe {

// Reads each file once, however many probes declare it, several at a time. Borrows both arguments.
class InputHasher {
 public:
  InputHasher(const Fd& root, const FileList& files)
      : root_(&root), files_(&files), known_(files.size()) {}

  // SHA-256 over the names and contents of all files that one of the patterns fits. Without a
  // pattern: of every file. Nothing when it takes too long. An Error names the pattern that is
  // none.
  Result<std::optional<std::string>> hash(const std::vector<std::string>& patterns);

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::optional<std::vector<std::size_t>> find(const std::vector<Glob>& globs, Time end) const;
  bool read(const std::vector<std::size_t>& files, Time end);

  const Fd* root_;
  const FileList* files_;
  std::vector<std::string> known_;  // by number of the file; empty: not read yet
};

}  // namespace airlock::probe

// The contents that a probe says it depends on, as one hash: the probe's part of its cache key.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "probe/file_list.h"

namespace airlock::probe {

// Reads each file once, however many probes declare it. Borrows both arguments.
class InputHasher {
 public:
  InputHasher(const Fd& root, const FileList& files) : root_(&root), files_(&files) {}

  // SHA-256 over the names and contents of all files that one of the patterns fits. Without a
  // pattern: of every file. An Error names the pattern that is none.
  Result<std::string> hash(const std::vector<std::string>& patterns);

 private:
  const std::string& hash_of(std::size_t file);

  const Fd* root_;
  const FileList* files_;
  std::vector<std::string> known_;  // by number of the file; empty: not read yet
};

}  // namespace airlock::probe

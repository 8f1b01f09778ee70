// A file in memory that another process writes to and we read, while that process lives and after
// it was killed. Whoever writes always writes at the end. However much is written, only the
// beginning is kept: the rest is given back to the system.
//
// It takes what a user's node prints (run/node_client.h): a pipe would block the writer or lose
// bytes when it is killed. The reader calls forget_after() now and then to bound the memory.
#pragma once

#include <cstddef>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

class MemoryFile {
 public:
  // `name` shows in /proc only.
  static Result<MemoryFile> make(const char* name);

  int descriptor() const { return descriptor_.get(); }
  std::size_t size() const;  // all that was written
  std::string beginning(std::size_t most_bytes) const;
  // Frees the memory of everything after the first `bytes`; what was written stays counted.
  void forget_after(std::size_t bytes) const;

 private:
  explicit MemoryFile(Fd descriptor) : descriptor_(std::move(descriptor)) {}

  Fd descriptor_;
};

}  // namespace airlock::os

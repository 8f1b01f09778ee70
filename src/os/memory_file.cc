#include "os/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace airlock::os {

Result<MemoryFile> MemoryFile::make(const char* name) {
  Fd descriptor(::memfd_create(name, MFD_CLOEXEC));
  if (!descriptor.is_open()) return fail_errno("make a file in memory");
  // O_APPEND: all who inherit the descriptor write at the end, also after somebody has moved the
  // position that they share.
  if (::fcntl(descriptor.get(), F_SETFL, O_APPEND) != 0) return fail_errno("make a file in memory");
  return MemoryFile(std::move(descriptor));
}

std::size_t MemoryFile::size() const {
  struct stat facts{};
  if (::fstat(descriptor_.get(), &facts) != 0 || facts.st_size < 0) return 0;
  return static_cast<std::size_t>(facts.st_size);
}

std::string MemoryFile::beginning(std::size_t most_bytes) const {
  std::string bytes(std::min(size(), most_bytes), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::pread(descriptor_.get(), bytes.data() + have, bytes.size() - have,
                                static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

void MemoryFile::forget_after(std::size_t bytes) const {
  const std::size_t all = size();
  if (all <= bytes) return;
  // A hole gives the pages back and reads as zeros; the size stays, and so does the end to write
  // at.
  ::fallocate(descriptor_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(bytes), static_cast<off_t>(all - bytes));
}

}  // namespace airlock::os

// The calls by which blobs reach a disk, as a seam: a test derives from Disk, lets the nth call
// fail or the process die in it, and looks at what is left. Each returns what the system call
// returns, with errno.
// The object of this class itself, not of a derived one, is the real disk. It has no state.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace airlock::os {

class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  // A new file, 0600, open for writing; EEXIST when the name is taken, by a link too.
  virtual int create(int folder, const char* name);
  virtual ssize_t write(int file, const void* bytes, std::size_t size);
  virtual int sync(int file);
  virtual int rename(int from, const char* old_name, int to, const char* new_name);
  virtual int remove(int folder, const char* name);
};

}  // namespace airlock::os

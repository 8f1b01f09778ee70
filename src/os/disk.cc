#include "os/disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace airlock::os {

int Disk::create(int folder, const char* name) {
  // O_EXCL with O_CREAT also refuses a dangling link, so nobody can lead us elsewhere.
  return ::openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

ssize_t Disk::write(int file, const void* bytes, std::size_t size) {
  return ::write(file, bytes, size);
}

int Disk::sync(int file) {
  return ::fsync(file);
}

int Disk::rename(int from, const char* old_name, int to, const char* new_name) {
  return ::renameat(from, old_name, to, new_name);
}

int Disk::remove(int folder, const char* name) {
  return ::unlinkat(folder, name, 0);
}

}  // namespace airlock::os

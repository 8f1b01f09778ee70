#include "os/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "os/open_file.h"

namespace airlock::os {

namespace {

Result<FileBytes> read_all(int descriptor, std::size_t limit, const std::string& name) {
  FileBytes file;
  constexpr std::size_t kReadAtOnce = 64 * 1024;
  while (file.bytes.size() <= limit) {
    const std::size_t have = file.bytes.size();
    // One byte more than the limit: that is how a file that is too long is told from one that fits.
    const std::size_t want = std::min(kReadAtOnce, limit + 1 - have);
    file.bytes.resize(have + want);
    const ssize_t got = ::read(descriptor, file.bytes.data() + have, want);
    const int why = errno;
    file.bytes.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0 && why == EINTR) continue;
    if (got < 0) {
      errno = why;
      return bad_request_errno("read " + name);
    }
    if (got == 0) break;
  }
  file.size = file.bytes.size();
  return file;
}

}  // namespace

Result<FileBytes> read_file(const std::string& path, std::size_t limit) {
  const auto descriptor = TRY(open_to_read(path));
  struct stat facts{};
  if (::fstat(descriptor.get(), &facts) != 0) return bad_request_errno("read " + path);
  auto file = read_all(descriptor.get(), limit, path);
  // Only for files: the size of a pipe or of /proc says nothing.
  if (file && S_ISREG(facts.st_mode))
    file->size = std::max(file->size, static_cast<std::size_t>(facts.st_size));
  return file;
}

Result<FileBytes> read_standard_input(std::size_t limit) {
  return read_all(STDIN_FILENO, limit, "standard input");
}

Result<FileBytes> read_opened(const Fd& file, std::size_t limit, const std::string& shown) {
  return read_all(file.get(), limit, shown);
}

Result<PathKind> kind_of_path(const std::string& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return bad_request_errno("read " + path);
  if (S_ISDIR(facts.st_mode)) return PathKind::kFolder;
  return S_ISREG(facts.st_mode) ? PathKind::kFile : PathKind::kOther;
}

}  // namespace airlock::os

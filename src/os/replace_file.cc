#include "os/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "os/open_file.h"
#include "os/random.h"

namespace airlock::os {

namespace {

// Hidden, and with 64 random bits: two that write at once do not meet, and nobody can prepare it.
std::string fresh_name() {
  std::string name = ".airlock-";
  for (const char byte : random_bytes(8)) {
    constexpr const char* kDigits = "0123456789abcdef";
    name += kDigits[static_cast<unsigned char>(byte) >> 4];
    name += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return name;
}

// Not os/write_all.h: a report that is half written when a signal comes is written to its end.
bool write_all(const Fd& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Opened under a name of its own.
Fd open_fresh(int folder, const std::string& fresh, mode_t mode) {
  return Fd(
      ::openat(folder, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
}

Result<void> replace_in(int folder, const std::string& name, const std::string& shown, mode_t mode,
                        std::string_view bytes) {
  const std::string fresh = fresh_name();
  const Fd file = open_fresh(folder, fresh, mode);
  if (!file.is_open()) return bad_request_errno("write " + shown);
  // In this order: a rename that reaches the disk before the bytes would leave an empty file behind
  // after a power failure.
  if (write_all(file, bytes) && ::fsync(file.get()) == 0 &&
      ::renameat(folder, fresh.c_str(), folder, name.c_str()) == 0)
    return {};
  Error error = errno_error("write " + shown);
  ::unlinkat(folder, fresh.c_str(), 0);
  return std::unexpected(std::move(error));
}

// Where a file goes: into a folder under a name, or, what cannot be replaced (/dev/stdout stays,
// whatever it leads to), straight into what is there.
struct Target {
  Fd folder;
  std::string name;
  Fd stream;  // open in the second case
};

Result<Target> find_target(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string above = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  Target target;
  target.name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (target.name.empty()) return bad_request("write " + path + ": that is a folder, not a file");
  target.folder = Fd(::open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!target.folder.is_open()) return bad_request_errno("write " + path);
  struct stat about{};
  const bool is_there = ::fstatat(target.folder.get(), target.name.c_str(), &about, 0) == 0;
  // stat() followed a link here: a link to a device is written to, a link to a file is replaced.
  if (names_own_descriptor(path) || (is_there && !S_ISREG(about.st_mode))) {
    auto stream = TRY(open_stream_to_write(path));
    target.stream = std::move(stream);
  }
  return target;
}

}  // namespace

Result<void> replace_file(const std::string& path, std::string_view bytes, ReadableBy readers) {
  const auto target = TRY(find_target(path));
  if (target.stream.is_open()) {
    if (!write_all(target.stream, bytes)) return bad_request_errno("write " + path);
    return {};
  }
  constexpr mode_t kAsTheUserWants = 0666;  // less the mask
  return replace_in(target.folder.get(), target.name, path,
                    readers == ReadableBy::kOwner ? 0600 : kAsTheUserWants, bytes);
}

Result<void> can_replace_file(const std::string& path) {
  const auto target = TRY(find_target(path));
  if (target.stream.is_open()) return {};
  const std::string fresh = fresh_name();
  if (!open_fresh(target.folder.get(), fresh, 0600).is_open())
    return bad_request_errno("write " + path);
  ::unlinkat(target.folder.get(), fresh.c_str(), 0);
  return {};
}

// Part by part, since each folder may have been replaced by a link meanwhile.
Result<void> place_file_beneath(const Fd& folder, const std::string& name, std::string_view bytes) {
  Fd above;
  std::size_t from = 0;
  for (std::size_t slash = 0; (slash = name.find('/', from)) != std::string::npos;
       from = slash + 1) {
    const std::string part = name.substr(from, slash - from);
    const int at = above.is_open() ? above.get() : folder.get();
    if (::mkdirat(at, part.c_str(), 0700) != 0 && errno != EEXIST)
      return bad_request_errno("make the folder " + name.substr(0, slash));
    above = Fd(::openat(at, part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!above.is_open()) return bad_request_errno("open the folder " + name.substr(0, slash));
  }
  const int at = above.is_open() ? above.get() : folder.get();
  return replace_in(at, name.substr(from), name, 0600, bytes);
}

}  // namespace airlock::os

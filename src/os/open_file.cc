#include "os/open_file.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

namespace airlock::os {

namespace {

constexpr int kNeverWaits = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr std::array<std::string_view, 3> kStreams = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
constexpr std::array<std::string_view, 2> kFolders = {"/dev/fd/", "/proc/self/fd/"};

// Which descriptor of ours the path names; -1: none.
int own_descriptor(std::string_view path) {
  for (std::size_t i = 0; i < kStreams.size(); ++i) {
    if (path == kStreams[i]) return static_cast<int>(i);
  }
  for (const std::string_view folder : kFolders) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return number;
  }
  return -1;
}

bool is_null_device(const struct stat& about) {
  // Major and minor numbers are fixed in Linux: 1,3 is /dev/null, 1,7 is /dev/full.
  return S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 3);
}

// A disk that is full, for those who try what happens then: a write to it fails and never waits.
bool is_full_device(const struct stat& about) {
  return S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 7);
}

bool may_be_opened(const struct stat& about, int flags) {
  return what_instead_of_file(about).empty() ||
         ((flags & O_ACCMODE) == O_WRONLY && is_full_device(about));
}

Error refusal(const std::string& doing, const std::string& path, const struct stat& about) {
  Error error{doing + path + ": it is " + std::string(what_instead_of_file(about)) + ", not a file",
              ErrorKind::kRequest};
  if (S_ISFIFO(about.st_mode) && doing == "read ")
    error.message += "; to read from it, make it standard input: - < " + path;
  return error;
}

Result<Fd> open_named(const std::string& path, int flags, const std::string& doing) {
  struct stat about{};
  const bool is_own = names_own_descriptor(path);
  // Looked at before it is opened, because opening can do something; and after, because it may
  // have become something else.
  if (!is_own && ::stat(path.c_str(), &about) == 0 && !may_be_opened(about, flags))
    return std::unexpected(refusal(doing, path, about));
  // To write behind what was written already, a descriptor is copied: opened again, it would begin
  // at the beginning. A socket cannot be opened by its name, not even by the one who has it.
  const bool is_to_be_copied = is_own && (flags & O_ACCMODE) != O_RDONLY;
  Fd file(is_to_be_copied ? ::fcntl(own_descriptor(path), F_DUPFD_CLOEXEC, 3)
                          : ::open(path.c_str(), flags | kNeverWaits, 0666));
  // ENXIO is what opening /dev/fd/N says when N is a socket.
  if (!file.is_open() && errno == ENXIO && is_own)
    file = Fd(::fcntl(own_descriptor(path), F_DUPFD_CLOEXEC, 3));
  if (!file.is_open() || ::fstat(file.get(), &about) != 0) return bad_request_errno(doing + path);
  if (S_ISDIR(about.st_mode) || (!is_own && !may_be_opened(about, flags)))
    return std::unexpected(refusal(doing, path, about));
  if (!is_to_be_copied && !S_ISSOCK(about.st_mode)) {  // of a copy it would be everybody's flag
    const int now = ::fcntl(file.get(), F_GETFL);
    ::fcntl(file.get(), F_SETFL, now & ~O_NONBLOCK);
  }
  return file;
}

}  // namespace

bool names_own_descriptor(std::string_view path) {
  return own_descriptor(path) >= 0;
}

std::string_view what_instead_of_file(const struct stat& about) {
  switch (about.st_mode & S_IFMT) {
    case S_IFREG:
      return {};
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFLNK:
      return "a symbolic link";
    default:
      return is_null_device(about) ? std::string_view() : "a device";
  }
}

Result<Fd> open_to_read(const std::string& path) {
  return open_named(path, O_RDONLY, "read ");
}

Result<Fd> open_input(const std::string& path) {
  if (path != "-") return open_to_read(path);
  Fd file(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 4));
  if (!file.is_open()) return bad_request_errno("read standard input");
  struct stat about{};
  if (::fstat(file.get(), &about) == 0 && S_ISDIR(about.st_mode))
    return bad_request("read standard input: it is a folder, not a file");
  return file;
}

Result<Fd> open_to_append(const std::string& path) {
  return open_named(path, O_WRONLY | O_APPEND | O_CREAT, "write ");
}

Result<Fd> open_stream_to_write(const std::string& path) {
  return open_named(path, O_WRONLY, "write ");
}

// Checked on the open descriptor, so that nothing can be exchanged between the check and the use.
// A second hard link would let its owner read along, or was planted to have us write to a file of
// this user's that we never meant.
Result<Fd> open_own_file(int folder, const std::string& name, const std::string& shown, int flags) {
  Fd file(::openat(folder, name.c_str(), flags | O_NOFOLLOW | kNeverWaits));
  struct stat about{};
  if (!file.is_open()) {
    const int why = errno;
    if (::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
        !what_instead_of_file(about).empty())
      return bad_request("open " + shown + ": it is " + std::string(what_instead_of_file(about)) +
                         ", and none of airlock's. Remove it");
    errno = why;
    return bad_request_errno("open " + shown);
  }
  if (::fstat(file.get(), &about) != 0) return bad_request_errno("open " + shown);
  std::string_view wrong;
  if (!S_ISREG(about.st_mode)) {
    wrong = "it is not a file";
  } else if (about.st_uid != ::geteuid()) {
    wrong = "it belongs to another user";
  } else if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    wrong = "others can write to it";
  } else if (about.st_nlink != 1) {
    wrong = "it has a second name elsewhere";
  }
  if (wrong.empty()) return file;
  errno = EPERM;
  return bad_request("open " + shown + ": " + std::string(wrong) +
                     ", so it cannot be trusted to be airlock's. Remove it");
}

// The mask can only be asked for by setting it, which is everybody's; the kernel also writes it
// here.
mode_t usual_mode() {
  constexpr std::string_view kName = "\nUmask:\t";
  std::array<char, 4096> text{};
  const Fd status(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const ssize_t size = status.is_open() ? ::read(status.get(), text.data(), text.size() - 1) : 0;
  const std::string_view all(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t at = all.find(kName);
  if (at == std::string_view::npos) return 0600;
  return 0666 & ~static_cast<mode_t>(std::strtoul(all.data() + at + kName.size(), nullptr, 8));
}

}  // namespace airlock::os

#include "os/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

namespace airlock::os {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = 0700;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

// "x/" names what a link x points to; "x" names the link.
std::string without_final_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

bool is_link(const std::string& path) {
  struct stat facts{};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
}

// Makes the folder unless it is there already.
Result<void> make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), kOwnerOnly) == 0 || errno == EEXIST) return {};
  const int why = errno;
  struct stat facts{};
  // A system that is read-only says so even of what exists.
  if (::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return {};
  errno = why;
  return bad_request_errno("make the folder " + path);
}

Result<void> make_folders_above(const std::string& path) {
  fs::path here;
  for (const fs::path& part : fs::path(path).parent_path()) {
    here /= part;
    TRY(make_folder(here.native()));
  }
  return {};
}

bool holds_only(const std::string& path, std::span<const std::string_view> ours) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (std::ranges::none_of(ours, [&](std::string_view own) { return name.starts_with(own); }))
      return false;
  }
  return !error;
}

}  // namespace

Result<Fd> open_private_folder(const std::string& name, std::span<const std::string_view> ours) {
  const std::string path = without_final_slashes(name);
  TRY(make_folders_above(path));
  TRY(make_folder(path));
  if (is_link(path))
    return bad_request(
        "open the folder " + path +
        ": it is a symbolic link, and airlock keeps its state only in a real folder");
  // The checks above give the better message; O_NOFOLLOW and fstat() of what is open are what
  // holds.
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) return bad_request_errno("open the folder " + path);
  struct stat facts{};
  if (::fstat(folder.get(), &facts) != 0) return bad_request_errno("open the folder " + path);
  if (facts.st_uid != ::geteuid())
    return bad_request("open the folder " + path + ": it belongs to another user");
  if ((facts.st_mode & kOthersWrite) != 0)
    return bad_request(
        "open the folder " + path +
        ": others can write to it. Close it (chmod 700) or name another in AIRLOCK_HOME");
  if ((facts.st_mode & kOthers) == 0) return folder;
  if (!holds_only(path, ours))
    return bad_request(
        "open the folder " + path +
        ": others can read it, and it holds files that are not airlock's. Name a folder of "
        "its own in AIRLOCK_HOME, or close this one (chmod 700)");
  if (::fchmod(folder.get(), kOwnerOnly) != 0)
    return bad_request_errno("make the folder " + path + " private");
  return folder;
}

Result<Fd> open_folder_inside(int parent, const std::string& name, const std::string& shown) {
  if (::mkdirat(parent, name.c_str(), kOwnerOnly) != 0 && errno != EEXIST)
    return bad_request_errno("make the folder " + shown);
  struct stat facts{};
  if (::fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(facts.st_mode))
    return bad_request("open the folder " + shown + ": it is " +
                       (S_ISLNK(facts.st_mode) ? "a symbolic link, which airlock does not follow"
                                               : "not a folder") +
                       ". Remove it and try again");
  Fd folder(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) return bad_request_errno("open the folder " + shown);
  if ((facts.st_mode & kOthers) != 0 && ::fchmod(folder.get(), kOwnerOnly) != 0)
    return bad_request_errno("make the folder " + shown + " private");
  return folder;
}

Result<void> refuse_unless_plain_file(const std::string& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT) return {};
    return bad_request_errno("open " + path);
  }
  if (S_ISLNK(facts.st_mode))
    return bad_request("open " + path + ": it is a symbolic link, which airlock does not follow");
  if (!S_ISREG(facts.st_mode)) return bad_request("open " + path + ": it is not a file");
  if (facts.st_uid != ::geteuid())
    return bad_request("open " + path + ": it belongs to another user");
  return {};
}

}  // namespace airlock::os

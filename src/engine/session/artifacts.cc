#include "engine/session/artifacts.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/fd.h"
#include "base/utf8.h"

namespace airlock {

namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

// A stream of its own: the place in a folder is shared by all who hold the same handle.
Directory open_directory(int folder) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  Directory directory(copy >= 0 ? ::fdopendir(copy) : nullptr, &::closedir);
  if (directory == nullptr && copy >= 0) ::close(copy);
  return directory;
}

// What libraries keep for themselves (library/airlock_session/pieces.py tells them so).
constexpr std::string_view kCacheFolder = ".cache";

bool is_dots(std::string_view name) {
  return name == "." || name == "..";
}

// Up to `most` bytes; shorter when the file is. False: it could not be read.
bool read_bytes(int file, std::size_t most, std::string& to) {
  to.resize(most);
  std::size_t have = 0;
  while (have < most) {
    const ssize_t got = ::read(file, to.data() + have, most - have);
    if (got < 0) return false;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  to.resize(have);
  return true;
}

}  // namespace

bool ArtifactReader::is_empty(int folder) {
  const Directory directory = open_directory(folder);
  if (directory == nullptr) return true;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (!is_dots(entry->d_name)) return false;
  }
  return true;
}

class ArtifactReader::Walk {
 public:
  Walk(ArtifactReader& reader, const ArtifactLimits& limits) : reader_(reader), limits_(limits) {}

  Harvest walk(int folder) {
    visit(folder, "", 0);
    std::ranges::sort(harvest_.artifacts, {}, &Artifact::name);
    if (more_left_out_ > 0)
      harvest_.left_out.push_back("and " + std::to_string(more_left_out_) + " more");
    reader_.seen_ = std::move(now_);
    return std::move(harvest_);
  }

 private:
  void leave_out(const std::string& name, const char* why) {
    constexpr std::size_t kMost = 20;
    if (harvest_.left_out.size() < kMost) {
      harvest_.left_out.push_back(replace_invalid_utf8(name) + ": " + why);
    } else {
      ++more_left_out_;
    }
  }

  // Recursion is bounded by the depth limit.
  void visit(int folder, const std::string& prefix, std::size_t depth) {
    const Directory directory = open_directory(folder);
    if (directory == nullptr) return leave_out(prefix, "the folder cannot be read");
    while (const dirent* entry = ::readdir(directory.get())) {
      if (is_dots(entry->d_name)) continue;
      const std::string name = prefix + entry->d_name;
      if (++entries_ > limits_.entries) return leave_out(name, "there are too many files");
      struct stat about{};
      if (::fstatat(folder, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
      if (S_ISDIR(about.st_mode)) {
        if (name == kCacheFolder) continue;
        if (depth + 1 > limits_.depth) {
          leave_out(name, "folders are too deep");
          continue;
        }
        const Fd inner(
            ::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (inner.is_open()) {
          visit(inner.get(), name + "/", depth + 1);
        } else {
          leave_out(name, "the folder cannot be read");
        }
      } else if (S_ISREG(about.st_mode)) {
        take(folder, entry->d_name, name, about);
      } else {
        leave_out(name, "it is no regular file");
      }
    }
  }

  void take(int folder, const char* entry, const std::string& name, const struct stat& about) {
    const Stamp stamp{about.st_ino, about.st_size, about.st_ctim.tv_sec, about.st_ctim.tv_nsec};
    const auto before = reader_.seen_.find(name);
    if (before != reader_.seen_.end() && before->second == stamp) {
      now_.emplace(name, stamp);
      return;
    }
    if (find_invalid_utf8(name)) return leave_out(name, "its name is not UTF-8");
    if (harvest_.artifacts.size() >= limits_.files)
      return leave_out(name, "there are too many files");
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size > limits_.bytes - bytes_) return leave_out(name, "there is no room for its bytes");
    const Fd file(
        ::openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    Artifact artifact{.name = name, .bytes = {}};
    if (!file.is_open() || !read_bytes(file.get(), size, artifact.bytes))
      return leave_out(name, "it cannot be read");
    bytes_ += artifact.bytes.size();
    harvest_.artifacts.push_back(std::move(artifact));
    now_.emplace(name, stamp);
  }

  ArtifactReader& reader_;
  const ArtifactLimits& limits_;
  Harvest harvest_;
  std::map<std::string, Stamp> now_;
  std::size_t entries_ = 0;
  std::size_t bytes_ = 0;
  std::size_t more_left_out_ = 0;
};

Harvest ArtifactReader::read(int folder, const ArtifactLimits& limits) {
  return Walk(*this, limits).walk(folder);
}

}  // namespace airlock

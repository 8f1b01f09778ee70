// (1) Folders are opened one inside the other with O_NOFOLLOW, so a link that takes a folder's
// place in the meantime leads nowhere. (2) One descriptor for each level of depth, and depth is
// limited: a folder below that is unreadable. (3) Names are sorted in each folder: the same tree
// gives the same order on every file system.
#include "probe/tree_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <ranges>
#include <vector>

#include "os/channel.h"
#include "probe/ignore_rules.h"

namespace airlock::probe {

namespace {

constexpr std::size_t kDeepest = 200;               // levels, and so open descriptors
constexpr std::size_t kEntriesBetweenLooks = 1024;  // at the clock

struct FolderEntry {
  std::string name;
  unsigned char type = DT_UNKNOWN;
};

// A folder on the way from the root to where the walk is.
struct FolderLevel {
  Fd folder;
  std::string path;  // ends in a slash, or is empty
  bool is_ignored = false;
  IgnoreRules rules;
  std::size_t rule_bytes;  // that the rules were made of
  std::vector<FolderEntry> entries;
  std::size_t next = 0;
};

// In pieces: `most` is a limit, most files are far smaller.
std::string read_all(const Fd& file, std::size_t most) {
  std::string text;
  for (std::size_t room = std::min<std::size_t>(most, 64 * 1024); text.size() < most;) {
    const std::size_t have = text.size();
    text.resize(std::min(most, have + room));
    const ssize_t got = ::read(file.get(), text.data() + have, text.size() - have);
    text.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
  }
  return text;
}

using Time = std::chrono::steady_clock::time_point;

// Stops at the end of the time, with what it has.
bool list(const Fd& folder, std::vector<FolderEntry>& entries, Time end) {
  const int copy = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return false;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy), &::closedir);
  if (stream == nullptr) {
    ::close(copy);
    return false;
  }
  while (const dirent* one = ::readdir(stream.get())) {
    const std::string_view name = one->d_name;
    if (name != "." && name != "..") entries.push_back({std::string(name), one->d_type});
    if ((entries.size() + 1) % kEntriesBetweenLooks == 0 && os::is_past(end)) break;
  }
  std::ranges::sort(entries, {}, &FolderEntry::name);
  return true;
}

class Walk {
 public:
  Walk(const WalkOptions& options, const std::function<bool(const FileSeen&)>& see)
      : options_(options), see_(see), end_(std::chrono::steady_clock::now() + options.longest) {}

  Result<WalkReport> run(const Fd& root) {
    Fd copy(::openat(root.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!copy.is_open()) return bad_request_errno("open the repository");
    if (!enter(std::move(copy), "", false)) return bad_request_errno("list the repository");
    while (!levels_.empty()) {
      FolderLevel& level = levels_.back();
      if (level.next == level.entries.size()) {
        levels_.pop_back();
      } else if (!visit(level, level.entries[level.next++])) {
        break;
      }
    }
    return report_;
  }

 private:
  // False: it cannot be listed.
  bool enter(Fd folder, std::string path, bool is_ignored) {
    FolderLevel level{std::move(folder), std::move(path), is_ignored, {}, 0, {}, 0};
    if (!list(level.folder, level.entries, end_)) return false;
    const bool has_rules = !is_ignored && std::ranges::binary_search(level.entries, ".gitignore",
                                                                     {}, &FolderEntry::name);
    if (has_rules) read_rules(level);
    levels_.push_back(std::move(level));
    return true;
  }

  // Within what the ignore files of the folders above have left of the limits.
  void read_rules(FolderLevel& level) {
    std::size_t bytes = kMostIgnoreBytes;
    std::size_t patterns = kMostIgnorePatterns;
    for (const FolderLevel& above : levels_) {
      bytes -= above.rule_bytes;
      patterns -= above.rules.size();
    }
    const std::size_t most = std::min(bytes, kLargestIgnoreFile);
    std::string text = read_small(level.folder, ".gitignore", most + 1);
    std::uint64_t left_out = 0;
    if (text.size() > most) {
      text.resize(most);
      text.resize(text.rfind('\n') + 1);  // half a line is another pattern
      left_out = 1;                       // at least
    }
    level.rule_bytes = text.size();
    level.rules = IgnoreRules::parse(text, patterns);
    left_out += level.rules.left_out();
    if (left_out > 0 && report_.ignore_lines_left_out == 0)
      report_.first_cut_ignore_file = level.path + ".gitignore";
    report_.ignore_lines_left_out += left_out;
  }

  // From the nearest ignore file outwards: the first that has something to say decides.
  bool is_ignored(std::string_view path, bool is_folder) const {
    for (const FolderLevel& level : levels_ | std::views::reverse) {
      if (level.rules.empty()) continue;
      const auto verdict = level.rules.judge(path.substr(level.path.size()), is_folder);
      if (verdict != IgnoreRules::IgnoreVerdict::kNothing)
        return verdict == IgnoreRules::IgnoreVerdict::kIgnore;
    }
    return false;
  }

  bool is_left_out(const struct stat& about) const {
    return std::ranges::find(options_.left_out, FileIdentity{about.st_dev, about.st_ino}) !=
           options_.left_out.end();
  }

  // False ends the walk. After a folder was entered, `level` and `entry` may dangle: the stack has
  // grown.
  bool visit(FolderLevel& level, const FolderEntry& entry) {
    if (entry.name == ".git") return true;
    if (os::is_past(end_)) {
      report_.was_cut = true;
      report_.was_late = true;
      return false;
    }
    const std::string path = level.path + entry.name;
    struct stat about{};
    // Not every file system tells the type in the listing; then fstatat() does.
    if (entry.type != DT_DIR &&
        ::fstatat(level.folder.get(), entry.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
      return true;  // gone in the meantime
    }
    const bool is_folder = entry.type == DT_DIR || S_ISDIR(about.st_mode);
    const bool ignored = level.is_ignored || is_ignored(path, is_folder);
    if (ignored && options_.ignored == Ignored::kLeaveOut) return true;
    if (is_folder) return visit_folder(level, entry.name, path, ignored);
    if (is_left_out(about)) return true;
    const bool is_link = S_ISLNK(about.st_mode);
    if (!is_link && !S_ISREG(about.st_mode)) return true;
    if (++seen_ > kMostFiles) {
      report_.was_cut = true;
      return false;
    }
    const auto bytes = is_link ? 0 : static_cast<std::uint64_t>(about.st_size);
    if (!ignored) {
      ++report_.files;
      report_.bytes += bytes;
    }
    return see_({path, std::string_view(path).substr(level.path.size()), bytes, is_link, ignored});
  }

  bool visit_folder(const FolderLevel& level, const std::string& name, const std::string& path,
                    bool ignored) {
    Fd folder;
    if (levels_.size() < kDeepest) {
      folder = Fd(::openat(level.folder.get(), name.c_str(),
                           O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }
    struct stat about{};
    if (!options_.left_out.empty() && folder.is_open() && ::fstat(folder.get(), &about) == 0 &&
        is_left_out(about))
      return true;
    if (!ignored) ++report_.folders;
    if (!folder.is_open() || !enter(std::move(folder), path + "/", ignored)) ++report_.unreadable;
    return true;
  }

  const WalkOptions& options_;
  const std::function<bool(const FileSeen&)>& see_;
  std::vector<FolderLevel> levels_;
  std::uint64_t seen_ = 0;
  Time end_;
  WalkReport report_;
};

}  // namespace

Result<Fd> open_folder(const std::string& path) {
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return bad_request_errno("open the folder " + path);
  return folder;
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat about{};
  if (path.empty() || ::stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileIdentity{about.st_dev, about.st_ino};
}

Result<WalkReport> walk_tree(const Fd& root, const WalkOptions& options,
                             const std::function<bool(const FileSeen&)>& see) {
  return Walk(options, see).run(root);
}

std::string read_small(const Fd& root, const std::string& path, std::size_t most) {
  const Fd file(::openat(root.get(), path.c_str(),
                         O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  return read_all(file, most);
}

}  // namespace airlock::probe

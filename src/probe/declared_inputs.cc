#include "probe/declared_inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <exception>
#include <system_error>
#include <thread>

#include "base/printable.h"
#include "base/sha256.h"
#include "os/channel.h"
#include "os/open_beneath.h"
#include "probe/survey.h"

namespace airlock::probe {

namespace {

// Stands in the key for a file that cannot be read, so that the key changes when it can be read
// again.
constexpr const char* kUnreadable = "unreadable";
// Limits of time for one probe: the patterns are a stranger's, and so are the names, of which there
// may be millions. Files can be as long as they like.
constexpr std::chrono::seconds kLongestSearch{10};
constexpr std::chrono::seconds kLongestReading{120};
// Bytes read at a time.
constexpr std::size_t kPiece = std::size_t{64} * 1024;

// Empty: it took too long.
std::string hash_file(const Fd& file, std::chrono::steady_clock::time_point end) {
  struct stat about{};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode))
    return kUnreadable;
  Sha256 hash;
  std::array<char, kPiece> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is filled
  for (;;) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return kUnreadable;
    if (got == 0) return hash.hex();
    if (os::is_past(end)) return {};
    hash.add({piece.data(), static_cast<std::size_t>(got)});
  }
}

// Its text and what it leads to: either may change. Links that leave the repository count as
// unreadable.
std::string hash_link(const Fd& root, const std::string& path,
                      std::chrono::steady_clock::time_point end) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlinkat(root.get(), path.c_str(), target.data(), target.size());
  if (size < 0) return kUnreadable;
  const std::string contents = hash_file(os::open_beneath_with_links(root, path), end);
  if (contents.empty()) return {};
  return "link " + std::string(target.data(), static_cast<std::size_t>(size)) + " " + contents;
}

// Refused is what could never match a file of the walk; silently it would mean "never changes".
Result<Glob> parse(const std::string& pattern) {
  if (pattern.starts_with('/'))
    return bad_request("it begins with '/': inputs are named from the repository's root on");
  if (pattern == ".." || pattern.starts_with("../") || pattern.contains("/../"))
    return bad_request("it leads out of the repository");
  if (pattern == ".git" || pattern.starts_with(".git/"))
    return bad_request("what lies in .git is no input; let cache_key() return repo.git_commit");
  return Glob::parse(pattern);
}

Result<std::vector<Glob>> parse_all(const std::vector<std::string>& patterns) {
  std::vector<Glob> globs;
  for (const std::string& pattern : patterns) {
    auto glob = parse(pattern);
    if (!glob) {
      return std::unexpected(
          std::move(glob).error().within("the declared input '" + printable(pattern) + "'"));
    }
    globs.push_back(std::move(*glob));
  }
  return globs;
}

}  // namespace

Result<void> check_declared_inputs(const std::vector<std::string>& patterns) {
  TRY(parse_all(patterns));
  return {};
}

InputHasher::FileStamp InputHasher::stamp_of(std::string_view path) const {
  struct stat about{};
  if (::fstatat(root_->get(), std::string(path).c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0)
    return {};
  return {about.st_ino, static_cast<std::uint64_t>(about.st_size), about.st_ctim.tv_sec,
          about.st_ctim.tv_nsec};
}

// Opening many small files is what takes the time, and the kernel does that for several at once.
// False: it took too long.
bool InputHasher::read(const std::vector<std::size_t>& files, Time end) {
  // Files that a thread takes at a time.
  constexpr std::size_t kShare = 64;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  const auto read_one = [&](std::size_t file) {
    Known& known = known_[file];
    if (!known.hash.empty()) return;
    const std::string path(files_->path(file));
    known.stamp = stamp_of(path);  // before it is read: a change in between is seen later
    known.hash = files_->is_link(file) ? hash_link(*root_, path, end)
                                       : hash_file(os::open_beneath(*root_, path), end);
  };
  // An exception (no memory) that leaves a thread would end the program.
  const auto work = [&]() noexcept {
    try {
      for (std::size_t from = 0; (from = next.fetch_add(kShare)) < files.size();) {
        for (std::size_t i = from; i < std::min(from + kShare, files.size()); ++i) {
          if (os::is_past(end)) return;
          read_one(files[i]);
        }
      }
    } catch (const std::exception&) {
      has_failed = true;
    }
  };
  std::vector<std::jthread> others;
  // More threads only wait for the same disk.
  const std::size_t most = std::min<std::size_t>(8, std::thread::hardware_concurrency());
  try {
    for (std::size_t i = 1; i < std::min(most, files.size() / kShare); ++i)
      others.emplace_back(work);
  } catch (const std::system_error&) {
    // As many as the system gives.
  }
  work();
  others.clear();  // waits
  return !has_failed && !os::is_past(end);
}

std::optional<std::vector<std::size_t>> InputHasher::find(const FileList& files,
                                                          const std::vector<Glob>& globs,
                                                          Time end) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto fits = [&](const Glob& glob) { return glob.matches(files.path(i)); };
    if (globs.empty() ? !files.is_ignored(i) : std::ranges::any_of(globs, fits)) found.push_back(i);
    if (os::is_past(end)) return std::nullopt;
  }
  return found;
}

Result<InputHasher::Hashed> InputHasher::hash(const std::vector<std::string>& patterns, Time end) {
  const auto globs = TRY(parse_all(patterns));
  const auto now = std::chrono::steady_clock::now();
  const auto declared = find(*files_, globs, std::min(end, now + kLongestSearch));
  if (!declared) return Hashed{{}, "matched"};
  if (!read(*declared, std::min(end, now + kLongestReading))) return Hashed{{}, "read"};
  Sha256 all;
  for (const std::size_t file : *declared) {
    all.add(files_->path(file));
    // Between name and hash: no name has a NUL, so no two lists read the same.
    all.add(std::string_view("\0", 1));
    all.add(known_[file].hash);
    all.add("\n");
  }
  return Hashed{all.hex(), {}};
}

InputHasher::Change InputHasher::look_again(const std::vector<std::string>& patterns,
                                            Time end) const {
  WalkOptions walk = walk_;
  // The second walk has what is left of the time.
  walk.longest = std::min(walk.longest, std::chrono::ceil<std::chrono::milliseconds>(
                                            end - std::chrono::steady_clock::now()));
  const auto globs = parse_all(patterns);
  const auto now = survey(*root_, walk);
  if (!globs || !now) return Change::kSome;
  if (now->walk.was_late) return Change::kNotKnown;
  const auto before = find(*files_, *globs, end);
  const auto after = before ? find(now->files, *globs, end) : std::nullopt;
  if (!before || !after) return Change::kNotKnown;
  // Both lists are in the order of the walk, so they can be compared one by one.
  if (before->size() != after->size()) return Change::kSome;
  for (std::size_t i = 0; i < before->size(); ++i) {
    if (os::is_past(end)) return Change::kNotKnown;
    const std::string_view path = files_->path((*before)[i]);
    if (path != now->files.path((*after)[i]) || stamp_of(path) != known_[(*before)[i]].stamp)
      return Change::kSome;
  }
  return Change::kNone;
}

}  // namespace airlock::probe

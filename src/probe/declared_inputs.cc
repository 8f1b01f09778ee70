#include "probe/declared_inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <thread>

#include "base/glob.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "os/open_beneath.h"

namespace airlock::probe {

namespace {

// When a file can be read again, the key changes: so this is a part of it.
constexpr const char* kUnreadable = "unreadable";
constexpr std::chrono::seconds kLongest{120};

bool is_past(std::chrono::steady_clock::time_point end) {
  return std::chrono::steady_clock::now() > end;
}

constexpr std::size_t kPiece = std::size_t{64} * 1024;

// Empty: it took too long (a file can be as long as it likes).
std::string hash_file(const Fd& root, std::string_view path,
                      std::chrono::steady_clock::time_point end) {
  const Fd file = os::open_beneath(root, std::string(path));
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
    if (is_past(end)) return {};
    hash.add({piece.data(), static_cast<std::size_t>(got)});
  }
}

Result<std::vector<Glob>> parse_all(const std::vector<std::string>& patterns) {
  std::vector<Glob> globs;
  for (const std::string& pattern : patterns) {
    auto glob = Glob::parse(pattern);
    if (!glob) {
      return std::unexpected(
          std::move(glob).error().within("read the declared input '" + printable(pattern) + "'"));
    }
    globs.push_back(std::move(*glob));
  }
  return globs;
}

}  // namespace

// Opening many small files is what takes the time, and the kernel does that for several at once.
// False: it took too long.
bool InputHasher::read(const std::vector<std::size_t>& files, Time end) {
  constexpr std::size_t kShare = 64;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t from = 0; (from = next.fetch_add(kShare)) < files.size();) {
      if (is_past(end)) return;
      for (std::size_t i = from; i < std::min(from + kShare, files.size()); ++i) {
        const std::size_t file = files[i];
        if (known_[file].empty())
          known_[file] =
              files_->is_link(file) ? "link" : hash_file(*root_, files_->path(file), end);
      }
    }
  };
  std::vector<std::jthread> others;
  const std::size_t most = std::min<std::size_t>(8, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(most, files.size() / kShare); ++i) others.emplace_back(work);
  work();
  others.clear();  // waits
  return !is_past(end);
}

// The patterns are a stranger's, and so are the names: there are slow ones.
std::optional<std::vector<std::size_t>> InputHasher::find(const std::vector<Glob>& globs,
                                                          Time end) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < files_->size(); ++i) {
    const auto fits = [&](const Glob& glob) { return glob.matches(files_->path(i)); };
    if (globs.empty() || std::ranges::any_of(globs, fits)) found.push_back(i);
    if (i % 64 == 0 && is_past(end)) return std::nullopt;
  }
  return found;
}

Result<std::optional<std::string>> InputHasher::hash(const std::vector<std::string>& patterns) {
  const auto globs = parse_all(patterns);
  if (!globs) return std::unexpected(globs.error());
  const Time end = std::chrono::steady_clock::now() + kLongest;
  const auto declared = find(*globs, end);
  if (!declared || !read(*declared, end)) return std::nullopt;
  Sha256 all;
  for (const std::size_t file : *declared) {
    all.add(files_->path(file));
    all.add(std::string_view("\0", 1));
    all.add(known_[file]);
    all.add("\n");
  }
  return all.hex();
}

}  // namespace airlock::probe

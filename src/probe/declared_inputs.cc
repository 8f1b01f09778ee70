#include "probe/declared_inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/glob.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "os/open_beneath.h"

namespace airlock::probe {

namespace {

// When a file can be read again, the key changes: so this is a part of it.
constexpr const char* kUnreadable = "unreadable";
constexpr std::size_t kPiece = std::size_t{64} * 1024;

std::string hash_file(const Fd& root, std::string_view path) {
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

const std::string& InputHasher::hash_of(std::size_t file) {
  known_.resize(files_->size());
  std::string& known = known_[file];
  if (known.empty()) known = files_->is_link(file) ? "link" : hash_file(*root_, files_->path(file));
  return known;
}

Result<std::string> InputHasher::hash(const std::vector<std::string>& patterns) {
  const auto globs = parse_all(patterns);
  if (!globs) return std::unexpected(globs.error());
  Sha256 all;
  for (std::size_t i = 0; i < files_->size(); ++i) {
    const std::string_view path = files_->path(i);
    const auto fits = [&](const Glob& glob) { return glob.matches(path); };
    if (!globs->empty() && std::ranges::none_of(*globs, fits)) continue;
    all.add(path);
    all.add(std::string_view("\0", 1));
    all.add(hash_of(i));
    all.add("\n");
  }
  return all.hex();
}

}  // namespace airlock::probe

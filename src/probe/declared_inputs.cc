#include "probe/declared_inputs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/glob.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "probe/tree_walk.h"

namespace airlock::probe {

namespace {

// Contents, or a word for a file that cannot be read: when it can be, the key changes.
std::string hash_file(const Fd& root, std::string_view path) {
  const Fd file(::openat(root.get(), std::string(path).c_str(),
                         O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return "unreadable";
  Sha256 hash;
  std::array<char, 64 * 1024> part{};
  for (;;) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return "unreadable";
    if (got == 0) return hash.hex();
    hash.add({part.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace

Result<std::string> hash_inputs(const Fd& root, const std::vector<std::string>& patterns) {
  std::vector<Glob> globs;
  for (const std::string& pattern : patterns) {
    auto glob = Glob::parse(pattern);
    if (!glob) {
      return std::unexpected(
          std::move(glob).error().within("read the declared input '" + printable(pattern) + "'"));
    }
    globs.push_back(std::move(*glob));
  }
  Sha256 all;
  auto walk = walk_tree(root, [&](const FileSeen& file) {
    const auto fits = [&](const Glob& glob) { return glob.matches(file.path); };
    if (!globs.empty() && std::ranges::none_of(globs, fits)) return true;
    all.add(file.path);
    all.add(std::string_view("\0", 1));
    all.add(file.is_link ? "link" : hash_file(root, file.path));
    all.add("\n");
    return true;
  });
  if (!walk) return std::unexpected(std::move(walk).error());
  return all.hex();
}

}  // namespace airlock::probe

// Everything in .git is untrusted: whatever is read is used only if it is a hash.
#include "probe/git_commit.h"

#include <fcntl.h>

#include <algorithm>

#include "probe/tree_walk.h"

namespace airlock::probe {

namespace {

constexpr std::size_t kSmall = 4096;                   // bytes of HEAD or a ref
constexpr std::size_t kPackedRefs = 16 * 1024 * 1024;  // bytes

std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  while (text.ends_with('\r') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_hash(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::ranges::all_of(text, is_digit);
}

// refs/heads/main and the like; nothing that leads out of .git.
bool is_ref(std::string_view text) {
  return text.starts_with("refs/") && text.find("..") == std::string_view::npos &&
         text.find('\0') == std::string_view::npos;
}

// git moves refs that rest into one file: "HASH refs/heads/main" a line.
std::optional<std::string> packed(const Fd& git, std::string_view ref) {
  const std::string text = read_small(git, "packed-refs", kPackedRefs);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = first_line(rest);
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos && line.substr(space + 1) == ref &&
        is_hash(line.substr(0, space))) {
      return std::string(line.substr(0, space));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> git_commit(const Fd& root) {
  // A .git that is a file (worktrees, submodules) leads elsewhere and is not followed.
  const Fd git(::openat(root.get(), ".git", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!git.is_open()) return std::nullopt;
  const std::string head = read_small(git, "HEAD", kSmall);
  const std::string_view line = first_line(head);
  if (is_hash(line)) return std::string(line);
  constexpr std::string_view kRef = "ref: ";
  if (!line.starts_with(kRef) || !is_ref(line.substr(kRef.size()))) return std::nullopt;
  const std::string ref(line.substr(kRef.size()));
  const std::string loose = read_small(git, ref, kSmall);
  if (is_hash(first_line(loose))) return std::string(first_line(loose));
  return packed(git, ref);
}

}  // namespace airlock::probe

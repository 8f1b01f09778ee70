#include "probe/kernel_mounts.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "os/files.h"

namespace airlock::probe {

namespace {

// Types of file systems that show the kernel's own state. Sorted.
constexpr std::array<std::string_view, 18> kOfTheKernel = {
    "autofs",  "binfmt_misc", "bpf",      "cgroup",     "cgroup2", "configfs",
    "debugfs", "devpts",      "devtmpfs", "efivarfs",   "fusectl", "mqueue",
    "nsfs",    "proc",        "pstore",   "securityfs", "sysfs",   "tracefs"};
static_assert(std::ranges::is_sorted(kOfTheKernel));

constexpr std::size_t kLargestTable = std::size_t{16} * 1024 * 1024;

// The n-th word of a line, from 0.
std::string_view word(std::string_view line, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return {};
    line.remove_prefix(space + 1);
  }
  return line.substr(0, line.find(' '));
}

// The kernel writes odd bytes of a name as \040.
std::string unescaped(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_escape = name[i] == '\\' && i + 3 < name.size();
    if (is_escape) {
      text +=
          static_cast<char>((name[i + 1] - '0') * 64 + (name[i + 2] - '0') * 8 + name[i + 3] - '0');
      i += 3;
    } else {
      text += name[i];
    }
  }
  return text;
}

bool is_at_or_below(std::string_view place, std::string_view root) {
  if (root == "/") return true;
  return place.starts_with(root) && (place.size() == root.size() || place[root.size()] == '/');
}

bool is_of_the_kernel(std::string_view type) {
  return std::ranges::binary_search(kOfTheKernel, type);
}

std::unexpected<Error> refuse(std::string_view root, std::string_view type,
                              std::string_view place) {
  return bad_request("the folder " + printable(root) +
                     " is no repository: a file system of the kernel (" + printable(type) +
                     ") is mounted at " + printable(place));
}

}  // namespace

Result<void> refuse_kernel_mounts(std::string_view root, std::string_view mount_table) {
  // The mount that `root` itself lies in: the longest name above it, and of equal ones the last,
  // which covers the others.
  std::string holder;
  std::string_view holder_type;
  while (!mount_table.empty()) {
    const std::size_t end = std::min(mount_table.find('\n'), mount_table.size());
    const std::string_view line = mount_table.substr(0, end);
    mount_table.remove_prefix(std::min(end + 1, mount_table.size()));
    const std::size_t dash = line.find(" - ");  // then the type
    if (dash == std::string_view::npos) continue;
    const std::string place = unescaped(word(line, 4));
    const std::string_view type = word(line.substr(dash + 3), 0);
    if (is_of_the_kernel(type) && is_at_or_below(place, root)) return refuse(root, type, place);
    if (is_at_or_below(root, place) && place.size() >= holder.size()) {
      holder = place;
      holder_type = type;
    }
  }
  if (is_of_the_kernel(holder_type)) return refuse(root, holder_type, holder);
  return {};
}

Result<void> refuse_kernel_mounts(std::string_view root) {
  const auto table = TRY(os::read_file("/proc/self/mountinfo", kLargestTable));
  return refuse_kernel_mounts(root, table.bytes);
}

}  // namespace airlock::probe

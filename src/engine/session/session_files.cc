#include "engine/session/session_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "os/open_file.h"

namespace airlock {

namespace {

Result<void> check_name(const std::string& name) {
  constexpr std::size_t kMostName = 255;
  if (name.empty() || name == "." || name == ".." || name.size() > kMostName ||
      name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    return bad_request("'" + name + "' is no name for a file in /data: no slash, 1 to 255 bytes");
  return {};
}

bool is_in_root(std::string_view path, std::string_view root) {
  if (root == "/") return true;
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/';
}

}  // namespace

Result<SessionFile> find_session_file(const std::string& name, const std::string& path) {
  TRY(check_name(name));
  if (path.find('\0') != std::string::npos)
    return bad_request("a path with a NUL byte leads to no file");
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
  if (real == nullptr) return bad_request_errno("read " + path);
  const auto file = TRY(as(ErrorKind::kRequest, os::open_to_read(real.get())));
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return bad_request_errno("look at " + path);
  if (!S_ISREG(about.st_mode)) return bad_request("read " + path + ": it is no file");
  return SessionFile{
      .name = name, .path = real.get(), .device = about.st_dev, .inode = about.st_ino};
}

Result<SessionFile> find_session_file_below(std::span<const std::string> roots,
                                            const std::string& name, const std::string& path) {
  TRY(check_name(name));
  for (const std::string& root : roots) {
    const auto found = find_session_file(name, path.starts_with('/') ? path : root + "/" + path);
    if (found && is_in_root(found->path, root)) return *found;
  }
  return bad_request("'" + path +
                     "' is no file that can be read below the folders of --allow-root");
}

Result<std::string> find_file_root(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
  struct stat about{};
  if (real == nullptr || ::stat(real.get(), &about) != 0)
    return bad_request_errno("--allow-root " + path);
  if (!S_ISDIR(about.st_mode)) return bad_request("--allow-root " + path + ": it is no folder");
  return std::string(real.get());
}

}  // namespace airlock

#include "engine/session/session_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>

#include "os/open_file.h"

namespace airlock {

Result<SessionFile> find_session_file(const std::string& name, const std::string& path) {
  constexpr std::size_t kMostName = 255;
  if (name.empty() || name == "." || name == ".." || name.size() > kMostName ||
      name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    return bad_request("'" + name + "' is no name for a file in /data: no slash, 1 to 255 bytes");
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

}  // namespace airlock

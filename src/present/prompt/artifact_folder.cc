#include "present/prompt/artifact_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/printable.h"
#include "os/replace_file.h"

namespace airlock::prompt {

bool is_plain_artifact_name(std::string_view name) {
  if (printable(name) != name) return false;
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

Result<ArtifactFolder> ArtifactFolder::open(const std::string& path) {
  constexpr mode_t kAsTheUserWants = 0777;  // less the mask
  if (::mkdir(path.c_str(), kAsTheUserWants) != 0 && errno != EEXIST)
    return bad_request_errno("make the folder " + path);
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return bad_request_errno("open the folder " + path);
  return ArtifactFolder(path, std::move(folder));
}

std::string ArtifactFolder::place_of(const Artifact& artifact) const {
  return printable(path_ + (path_.ends_with('/') ? "" : "/") + artifact.name);
}

Result<void> ArtifactFolder::write(const Artifact& artifact) {
  if (!is_plain_artifact_name(artifact.name))
    return bad_request("its name is not one for a file of yours");
  struct stat about{};
  const bool is_there =
      ::fstatat(folder_.get(), artifact.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0;
  if (is_there && !ours_.contains(artifact.name))
    return bad_request("there is such a file already, which this session has not written");
  TRY(os::place_file_beneath(folder_, artifact.name, artifact.bytes));
  ours_.insert(artifact.name);
  return {};
}

}  // namespace airlock::prompt

#include "probe/report_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "os/open_file.h"
#include "os/replace_file.h"

namespace airlock::probe {

Result<Fd> open_log(const std::string& file) {
  auto opened = os::open_to_append(file);
  if (opened) return opened;
  // "write X: why" is what every file says; this one is the log.
  constexpr std::string_view kWrite = "write ";
  Error error = std::move(opened).error();
  error.message.replace(0, kWrite.size(), "write the log ");
  return std::unexpected(std::move(error).as(ErrorKind::kRequest));
}

Result<void> make_artifact_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return bad_request_errno("make the folder " + folder);
  const Fd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return bad_request_errno("make the folder " + folder);
  return {};
}

Result<void> can_make_artifact_folder(const std::string& folder) {
  const bool is_new = ::mkdir(folder.c_str(), 0700) == 0;
  if (!is_new) return make_artifact_folder(folder);
  ::rmdir(folder.c_str());
  return {};
}

Result<void> write_artifact(const std::string& folder, const std::string& probe,
                            const RedactedFile& file) {
  TRY(make_artifact_folder(folder));
  const Fd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return bad_request_errno("open the folder " + folder);
  return within("in " + folder,
                os::place_file_beneath(opened, probe + "/" + file.name(), file.bytes()));
}

}  // namespace airlock::probe

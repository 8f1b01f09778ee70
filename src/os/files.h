// Reading what the user named: whole files, with a limit in bytes, so that no file can fill our
// memory. An Error here is the user's (ErrorKind::kRequest) and begins with "read NAME: ".
#pragma once

#include <cstddef>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

struct FileBytes {
  std::string bytes;
  std::size_t size = 0;  // of the file; more than bytes.size() when it was cut at the limit
};

// At most `limit` bytes are kept (and read); a longer file says its true size where the system
// knows it. What may be named is in open_file.h; nothing that is no file is waited for.
Result<FileBytes> read_file(const std::string& path, std::size_t limit);
Result<FileBytes> read_standard_input(std::size_t limit);
// From where it stands; `shown` is its name, for messages.
Result<FileBytes> read_opened(const Fd& file, std::size_t limit, const std::string& shown);

enum class PathKind { kFile, kFolder, kOther };
Result<PathKind> kind_of_path(const std::string& path);

}  // namespace airlock::os

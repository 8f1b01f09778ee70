// The folders of one session, in the mount namespace of its own cell: /out, in memory, to write,
// and /data with files of the host, to read. The zygote has kept the host's tree at kHostTree for
// this (namespaces.h); here each cell takes from it what it was given, lets go of the rest for
// good, and only then gives up the power to mount.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "os/folder.h"

namespace airlock::os {

inline constexpr const char* kHostTree = "/.host";
inline constexpr const char* kOutFolder = "/out";
inline constexpr const char* kDataFolder = "/data";

// A file of the host, as the supervisor saw it: another one under the same name is not shown.
struct DataFile {
  std::string name;  // in /data; no slash
  std::string path;  // on the host, without links
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

// What Landlock has to allow afterwards, beside the folders of the zygote.
std::vector<MountedFolder> session_folders(std::uint32_t out_bytes);

// In a cell, with the power to mount; it stands in /out afterwards. A handle on /out. An Error: the
// cell must not go on.
Result<Fd> mount_session_folders(std::span<const DataFile> files, std::uint32_t out_bytes);

}  // namespace airlock::os

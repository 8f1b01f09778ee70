#include "os/session_folders.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace airlock::os {

namespace {

constexpr unsigned long kNoPrograms = MS_NOSUID | MS_NODEV | MS_NOEXEC;
constexpr int kMostOutFiles = 10'000;

Result<void> mount_in_memory(const char* place, const std::string& bounds) {
  if (::mount("airlock", place, "tmpfs", kNoPrograms, bounds.c_str()) != 0)
    return fail_errno(std::string("make ") + place);
  return {};
}

// On an empty file of that name. What is shown is what the supervisor has seen, or nothing.
Result<void> show_file(const DataFile& file) {
  const std::string place = std::string(kDataFolder) + "/" + file.name;
  const Fd made(::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  if (!made.is_open()) return fail_errno("make " + place);
  const std::string source = kHostTree + file.path;
  if (::mount(source.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) != 0)
    return fail_errno("show " + place);
  struct stat about{};
  if (::stat(place.c_str(), &about) != 0) return fail_errno("look at " + place);
  if (!S_ISREG(about.st_mode) || about.st_dev != file.device || about.st_ino != file.inode)
    return fail("show " + place + ": the file was changed for another meanwhile");
  mount_attr attributes{};
  attributes.attr_set =
      MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY;
  if (::syscall(SYS_mount_setattr, AT_FDCWD, place.c_str(), 0, &attributes, sizeof attributes) != 0)
    return fail_errno("hold " + place + " to its rights");
  return {};
}

Result<void> show_files(std::span<const DataFile> files) {
  if (files.empty()) return {};
  TRY(mount_in_memory(kDataFolder,
                      "size=64k,nr_inodes=" + std::to_string(files.size() + 8) + ",mode=0755"));
  for (const DataFile& file : files) TRY(show_file(file));
  if (::mount(nullptr, kDataFolder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kNoPrograms,
              nullptr) != 0)
    return fail_errno(std::string("make ") + kDataFolder + " read-only");
  return {};
}

// Gone means: the folder that it was mounted on shows, which lies in the root itself.
Result<void> let_go_of_host() {
  if (::umount2(kHostTree, MNT_DETACH) != 0) return fail_errno("let go of the host's files");
  struct stat left{};
  struct stat root{};
  if (::lstat(kHostTree, &left) != 0 || ::lstat("/", &root) != 0)
    return fail_errno("look for the host's files");
  if (left.st_dev != root.st_dev) return fail("let go of the host's files: they are still there");
  return {};
}

}  // namespace

std::vector<MountedFolder> session_folders(std::uint32_t out_bytes) {
  return {{.place = kDataFolder, .source = kDataFolder},
          {.place = kOutFolder, .source = "", .memory_bytes = out_bytes}};
}

Result<Fd> mount_session_folders(std::span<const DataFile> files, std::uint32_t out_bytes) {
  if (::unshare(CLONE_NEWNS) != 0) return fail_errno("leave the zygote's mounts");
  TRY(mount_in_memory(kOutFolder, "size=" + std::to_string(out_bytes) + ",nr_inodes=" +
                                      std::to_string(kMostOutFiles) + ",mode=0700"));
  TRY(show_files(files));
  TRY(let_go_of_host());
  Fd out(::open(kOutFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.is_open()) return fail_errno(std::string("open ") + kOutFolder);
  if (::fchdir(out.get()) != 0) return fail_errno(std::string("stand in ") + kOutFolder);
  return out;
}

}  // namespace airlock::os

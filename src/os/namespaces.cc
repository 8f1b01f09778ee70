#include "os/namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "os/session_folders.h"

namespace airlock::os {

namespace {

// False: errno says why.
bool write_file(const char* path, const std::string& text) {
  const Fd file(::open(path, O_WRONLY | O_CLOEXEC));
  return file.is_open() &&
         ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Inside we are nobody, whoever started us: the number of the host's user stays unknown.
bool map_user(uid_t user, gid_t group) {
  constexpr std::string_view kNobody = "65534 ";
  // The kernel demands this order: without "deny", a user without privileges may not write a
  // gid_map, and a map can be written once only. "65534 1000 1": 65534 inside is 1000 outside, for
  // one number.
  return write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", std::string(kNobody) + std::to_string(user) + " 1") &&
         write_file("/proc/self/gid_map", std::string(kNobody) + std::to_string(group) + " 1");
}

// What the kernel says where namespaces are switched off, forbidden by a security module, unknown,
// or used up (ENOSPC, EUSERS). Any other error is a surprise, and ends the start.
bool not_offered(int error) {
  return error == EPERM || error == ENOSYS || error == EINVAL || error == ENOSPC ||
         error == EUSERS || error == EACCES;
}

// The outer of two: waits, and ends as the inner one ended.
[[noreturn]] void wait_and_end_like(pid_t inner) {
  // Nothing of the inner process may stay open here: its socket must close when it ends.
  ::syscall(SYS_close_range, 0U, ~0U, 0U);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  int status = 0;
  while (::waitpid(inner, &status, 0) < 0 && errno == EINTR) {
  }
  // The supervisor sees the same signal that ended the inner process.
  if (WIFSIGNALED(status)) ::kill(::getpid(), WTERMSIG(status));
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

// A process namespace holds from the next child on; that child goes on with the work, as its first
// process, and with it everything inside ends.
Result<void> become_first_process() {
  const pid_t inner = ::fork();
  if (inner < 0) return fail_errno("make the first process of the chamber");
  if (inner > 0) wait_and_end_like(inner);
  // A fork clears this setting, so the inner process has to ask again.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
    return fail_errno("ask to die with the outer process");
  return {};
}

}  // namespace

Result<Namespaces> enter_namespaces() {
  Namespaces namespaces;
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  // Mounts, network, System V IPC and message queues, host name, process numbers.
  constexpr int kNewNamespaces =
      CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID;
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
    return fail_errno("ask to die with the parent");
  // All in one call: the new user namespace is made first and gives the power to make the others.
  if (::unshare(CLONE_NEWUSER | kNewNamespaces) == 0) {
    // Some hosts let everyone make namespaces and then give no powers in them. What was left is
    // left all the same; what takes a power is missing.
    if (!map_user(user, group) && !not_offered(errno)) return fail_errno("map the user");
    namespaces.own_users = true;
  } else if (!not_offered(errno)) {
    return fail_errno("leave the host's namespaces");
  } else if (::unshare(kNewNamespaces) != 0) {  // root without user namespaces
    if (!not_offered(errno)) return fail_errno("leave the host's namespaces");
    return namespaces;
  }
  // A new namespace starts as a copy: the host's name would still be in it.
  namespaces.own_names = ::sethostname("cell", 4) == 0 && ::setdomainname("", 0) == 0;
  if (!namespaces.own_names && !not_offered(errno)) return fail_errno("forget the host's name");
  TRY(become_first_process());
  namespaces.own_network = namespaces.own_ipc = namespaces.own_processes = namespaces.own_mounts =
      true;
  return namespaces;
}

namespace {

constexpr const char* kNewRoot = "/proc";  // a folder that every host has: the new root covers it

Result<void> make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0555) != 0 && errno != EEXIST)
      return fail_errno("make the folder " + part.substr(std::strlen(kNewRoot)));
    if (slash == std::string::npos) return {};
  }
}

// Files and folders in one folder in memory: each takes kernel memory beside its bytes.
constexpr int kFilesInMemory = 10'000;

// An own folder: what is written there takes memory, within bounds, and never the host's disk.
Result<void> make_own_folder(const MountedFolder& folder, const std::string& place) {
  const std::string bounds = "size=" + std::to_string(folder.memory_bytes) +
                             ",nr_inodes=" + std::to_string(kFilesInMemory) + ",mode=0700";
  if (::mount("airlock", place.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
              bounds.c_str()) != 0)
    return fail_errno("make " + folder.place);
  return {};
}

// The host's folder in the new root, and all that is mounted below it. A bind mount cannot be made
// read-only in the call that makes it: mount_setattr() does that, for all mounts below too, before
// anybody is inside.
Result<void> show_folder(const MountedFolder& folder) {
  const std::string place = kNewRoot + folder.place;
  TRY(make_folders(place));
  if (folder.is_writable()) return make_own_folder(folder, place);
  if (::mount(folder.source.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return fail_errno("show " + folder.place);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY;
  if (!folder.may_hold_code) attributes.attr_set |= MOUNT_ATTR_NOEXEC;
  if (::syscall(SYS_mount_setattr, AT_FDCWD, place.c_str(), AT_RECURSIVE, &attributes,
                sizeof attributes) != 0) {
    return fail_errno("hold " + folder.place + " to its rights");
  }
  return {};
}

// Device and inode name a file uniquely, whatever path leads to it.
// With all that is mounted in it. Nothing hostile ever runs where it is mounted.
Result<void> keep_host_tree() {
  for (const char* folder : {kHostTree, kOutFolder, kDataFolder})
    TRY(make_folders(kNewRoot + std::string(folder)));
  const std::string place = kNewRoot + std::string(kHostTree);
  if (::mount("/", place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return fail_errno("keep the host's files at hand");
  return {};
}

bool is_same_place(const char* one, const char* other) {
  struct stat first{};
  struct stat second{};
  return ::stat(one, &first) == 0 && ::stat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// After pivot_root the host's root lies on top of ours, and whatever was mounted on it lies on top
// of that: "/" is ours, but "/.." leads up to the last of them. One umount takes one off.
Result<void> unmount_old_roots() {
  // Far more layers than any host has; bounded so that an odd kernel cannot make us loop.
  constexpr int kMost = 1000;
  for (int i = 0; i < kMost && !is_root_topmost(); ++i) {
    if (::umount2("/..", MNT_DETACH) != 0) return fail_errno("let go of the host's root");
  }
  if (!is_root_topmost())
    return fail("let go of the host's root: it is still there, above the new one");
  return {};
}

}  // namespace

bool is_root_topmost() {
  return is_same_place("/", "/..") && is_same_place("/", "/../..");
}

// Folders that every system has, and that nobody keeps modules or data in.
MemoryPlace::MemoryPlace() {
  // In a chroot this fails, and what we mount could appear outside.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  for (const char* const place : {"/var/tmp", "/mnt", "/media"}) {
    if (::mount("airlock", place, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                "size=64m,mode=0700") != 0)
      continue;
    path_ = place;
    return;
  }
}

MemoryPlace::~MemoryPlace() {
  if (!path_.empty()) ::umount2(path_.c_str(), MNT_DETACH);
}

// A read-only tmpfs becomes the root and the host's tree is let go of. It is made read-only at the
// very end, since the mount points have to be made in it first.
Result<bool> pivot_to_private_root(std::span<const MountedFolder> folders, HostTree host_tree) {
  // In a chroot, "/" is no mount of its own: then only the mount that we cover can be made private,
  // and the root is changed with chroot, which holds because the capability to leave it is dropped
  // and no folder is open.
  // Private first: on most hosts mounts are shared, and what we mount would appear outside.
  bool is_private = ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  const bool is_chroot = !is_private && errno == EINVAL;
  if (is_chroot)
    is_private = ::mount(nullptr, kNewRoot, nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  if (!is_private && (errno == EPERM || errno == EACCES)) return false;
  if (!is_private) return fail_errno("keep mounts to ourselves");
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  // The root holds folders as mount points only, no files.
  const char* const size =
      folders.empty() ? "size=4k,nr_inodes=4,mode=0555" : "size=64k,nr_inodes=128,mode=0555";
  if (::mount("airlock", kNewRoot, "tmpfs", kFlags, size) != 0)
    return fail_errno("mount an empty root");
  for (const MountedFolder& folder : folders) TRY(show_folder(folder));
  if (host_tree == HostTree::kKept) TRY(keep_host_tree());
  if (::chdir(kNewRoot) != 0) return fail_errno("enter the empty root");
  if (is_chroot) {
    if (::chroot(".") != 0) return fail_errno("make the empty root the root");
  } else {
    // With the same folder twice the old root ends up on top of the new one: no folder is needed to
    // put it in (pivot_root(2)).
    if (::syscall(SYS_pivot_root, ".", ".") != 0) return fail_errno("make the empty root the root");
    TRY(unmount_old_roots());
  }
  if (::chdir("/") != 0) return fail_errno("stand in the empty root");
  if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kFlags, nullptr) != 0) {
    return fail_errno("make the empty root read-only");
  }
  return true;
}

}  // namespace airlock::os

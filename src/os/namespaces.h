// Namespaces: leaving the host's users, network, processes, mounts and names behind, once, for this
// process and all that it will start. The jail calls it in the zygote, before any guest code is
// near (jail/cell_jail.cc), and decides which of the walls must be there and which may be missing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/folder.h"

namespace airlock::os {

// Which of them this process has left. What the kernel or its configuration does not offer is
// missing from the list; anything half done is an Error.
struct Namespaces {
  bool own_users = false;
  bool own_network = false;
  bool own_ipc = false;
  bool own_names = false;      // host name (uts)
  bool own_processes = false;  // this process is the first of its own
  bool own_mounts = false;     // so that the root can be emptied
};

// Needs one thread, and changes which process this is: the one that was started stays behind as a
// stand-in that ends as this one ends, and both die with the parent. Files can still be read.
Result<Namespaces> enter_namespaces();

// When `own_mounts`: the root becomes a read-only tmpfs that holds these folders at their places
// (none inside another) and nothing else. Files opened before stay open. False when this host lets
// nobody mount: nothing was changed then.
// With kKept, the host's tree stays reachable at kHostTree, and there are places for the folders of
// sessions (session_folders.h): for a zygote whose cells take files from it and let go of it.
enum class HostTree : std::uint8_t { kLetGo, kKept };
Result<bool> pivot_to_private_root(std::span<const MountedFolder> folders,
                                   HostTree host_tree = HostTree::kLetGo);

// When `own_mounts`: a folder in memory that lies over one of the host's, for this process alone
// and as long as this object lives. What is written there is gone with it.
class MemoryPlace {
 public:
  MemoryPlace();
  MemoryPlace(const MemoryPlace&) = delete;
  MemoryPlace& operator=(const MemoryPlace&) = delete;
  ~MemoryPlace();
  // Empty where this host lets nobody mount.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Whether nothing lies above the root: "/.." is "/". Where something was mounted on the root it is
// not, and whoever climbs finds it.
bool is_root_topmost();

}  // namespace airlock::os

// The walls around guest code, raised in two processes.
//
// The zygote raises its part once, in lock_down_zygote(); every cell that it forks inherits it. A
// cell raises the rest for itself in lock_down_cell(): after the fork, before it receives the first
// byte of guest code. Neither process has run anything hostile by then.
//
// Failure: a wall that this host does not offer is left out of the returned names (only those
// marked "offered" in walls.h); any other step that fails is an Error, and the process must not go
// on. Nothing here can be undone. Call it with one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "jail/cell_filter.h"
#include "jail/grant/only_our_code.h"
#include "jail/steps.h"
#include "os/namespaces.h"
#include "os/session_folders.h"

namespace airlock::jail {

// All that the environment of a cell without files holds, and nothing of the host's: without it the
// C library would look for a file about the zone at every mktime(). The same zone on every host, so
// that the same code gives the same answer.
inline constexpr const char* kZoneVariable = "TZ";
inline constexpr const char* kZone = "UTC0";
// That of a cell with files holds kThreadVariables instead (model/thread_variables.h); Python's own
// os.environ is empty.

// The zygote's part, first half, before the interpreter starts: enters namespaces of its own where
// the host offers them. It may return in another process than it was called in (os/namespaces.h).
Result<os::Namespaces> enter_namespaces();

// The second half, with one thread and everything loaded: an empty root where the host offers it,
// no capabilities, no new privileges, no files, die with the parent. Returns the names of the
// walls that now stand. The `folders` are all that is left in the root; on a host that offers no
// private root, asking for folders is an Error.
Result<std::vector<std::string>> lock_down_zygote(const os::Namespaces& namespaces,
                                                  std::span<const os::MountedFolder> folders);

// The same for a zygote whose cells hold sessions, in user namespaces only: the host's tree and the
// power to mount, which means nothing outside of them, stay until lock_down_session() takes both
// away in each cell. Such a zygote must never run anything but our own code.
Result<std::vector<std::string>> lock_down_session_zygote(
    const os::Namespaces& namespaces, std::span<const os::MountedFolder> folders);

// What a cell that holds a session raises first, before lock_down_cell(): its own mounts, and what
// its zygote has left out. `walls` are the zygote's; those that stand are added.
struct SessionFolders {
  std::span<const os::MountedFolder> of_zygote;
  std::span<const os::DataFile> files;
  std::uint32_t out_bytes = 0;
};
// A handle on /out.
Result<Fd> lock_down_session(const SessionFolders& folders, std::vector<std::string>& walls);

// How much a cell may use. What is mapped already counts too.
struct CellLimits {
  std::uint64_t data_bytes = 0;     // memory that is its own and writable
  std::uint64_t address_bytes = 0;  // all that is mapped, whatever it is
  std::uint32_t cpu_seconds = 0;
  std::uint32_t descriptors = 3;  // the socket and the two /dev/null
  std::uint64_t file_bytes = 0;   // of the largest file that it may write
  // Counted where each is started (run/denial_log.h). The kernel's own limit is of no use for them:
  // it counts all processes of a user together, and not at all for root.
  bool may_have_threads = false;
};

// What is mapped in this process, plus what a guest may add.
CellLimits limits_for(const Mapped& mapped, std::uint64_t memory_bytes, std::uint32_t cpu_seconds);

struct LockedCell {
  std::vector<std::string> walls;  // that stand
  Fd listener;  // of a filter that has one: for the supervisor, and to be closed here
  Fd out;       // of a session, the same: its /out
};

// The cell's own part: its limits, then the filter. `walls` are those of the zygote. After it, what
// the filter denies is signalled, or waits for whoever holds the listener.
Result<LockedCell> lock_down_cell(const SeccompFilter& filter, const CellLimits& limits,
                                  std::vector<std::string> walls);

// The same without the filter, for the doctor.
Result<LockedCell> lock_down_cell(grant::OnlyOurCode, const CellLimits& limits,
                                  std::vector<std::string> walls);

}  // namespace airlock::jail

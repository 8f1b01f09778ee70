// A cell: the process that runs guest code. Forked by the zygote for one job, it locks itself down,
// loads the code, answers one path after another, and ends when its socket closes.
//
// Its only descriptors are the socket (0, to the supervisor) and /dev/null (1 and 2), and, under
// policies that allow files, those that the guest opens. One thread. Everything in this process is
// untrusted from the load on: the supervisor believes no message of it, holds its clock, and counts
// what the kernel denied to it without asking it.
//
// Failure: before "locked" was sent, a failed step ends the process (it says why where it can);
// that is airlock's error. After it, however the process ends is an outcome of the guest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jail/cell_jail.h"
#include "os/channel.h"
#include "python/guest_code.h"

namespace airlock::guest {

// What the zygote hands to every cell.
struct CellSetup {
  jail::SeccompFilter filter;      // with a listener: the supervisor counts what is denied
  std::vector<std::string> walls;  // raised by the zygote, inherited
  jail::Mapped mapped;             // before the guest adds anything
  std::uint32_t descriptors = 3;   // how many it may hold
  std::uint64_t file_bytes = 0;    // of the largest file that it may write
  bool has_threads = false;        // it may start some
  // The zygote left it to its cells to raise their root (jail::lock_down_session_zygote); these are
  // its folders.
  bool has_sessions = false;
  std::vector<os::MountedFolder> folders = {};
  bool has_hot_pages = false;  // copied already, with its birth
};

// Returns the exit code. `channel` is descriptor 0.
int run_cell(os::Channel channel, python::GuestCode& code, const CellSetup& plan);

}  // namespace airlock::guest

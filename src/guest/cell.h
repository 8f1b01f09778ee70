// A cell: forked from the zygote for one job. Locks itself down, loads the guest's code, answers
// one path after another.
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
};

// Returns the exit code. `channel` is descriptor 0.
int run_cell(os::Channel channel, python::GuestCode& code, const CellSetup& plan);

}  // namespace airlock::guest

// System calls that the kernel holds until somebody outside of the process has answered: seccomp's
// user notification. Nothing in the process can hide such a call, or answer it. The supervisor uses
// it to count what a cell was denied (run/denial_log.h), and the threads that it starts. The known
// races of this mechanism (memory that changes after it was read) do not concern us: of a call only
// its number and its registers are looked at, which the kernel has taken and does not read again.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "base/fd.h"

namespace airlock::os {

struct WaitingCall {
  std::uint64_t id = 0;  // the kernel's, for the answer
  // Of the system call, on this architecture: __NR_….
  std::uint32_t number = 0;
  std::uint64_t first_argument = 0;
  std::int32_t thread = 0;  // that made it, by its number in our own namespace
};

// Used by one thread. As long as it is open, a call that is held waits; when it is closed, such
// calls fail with ENOSYS.
class CallListener {
 public:
  CallListener() = default;
  explicit CallListener(Fd listener) : listener_(std::move(listener)) {}

  bool is_open() const { return listener_.is_open(); }
  // For poll(); -1 when it is not open, which poll() passes over.
  int descriptor() const { return is_open() ? listener_.get() : -1; }

  // A call that waits, if one does. Never waits itself. Closes when the process is gone.
  std::optional<WaitingCall> next();
  // Lets it return with this errno. A process that was killed meanwhile needs no answer.
  void refuse(const WaitingCall& call, int error);
  // Lets the kernel do what was asked for.
  void allow(const WaitingCall& call);

 private:
  void answer(const WaitingCall& call, int error, std::uint32_t flags);

  Fd listener_;
};

}  // namespace airlock::os

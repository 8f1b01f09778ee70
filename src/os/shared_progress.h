// How far a process is with what it was asked, in memory that the one who asked sees too: telling
// costs no system call and wakes nobody. Whoever reads it takes it as a hint, and keeps its own
// limits.
// Used between airlock and the host of a user's nodes (run/node_client.cc): each stage has a time
// limit of its own, and only kRunning counts against the limit of the node.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "base/fd.h"
#include "base/result.h"
#include "os/shared_memory.h"

namespace airlock::os {

class SharedProgress {
 public:
  // kPreparing: everything that the one who was asked does itself, before and after.
  // kResting: the pause before a retry; kShowing: repr() of what is no JSON.
  enum class Stage : std::uint32_t { kPreparing, kRunning, kResting, kShowing };

  static Result<SharedProgress> make();
  // From the other side's descriptor.
  static Result<SharedProgress> map(Fd descriptor);

  // Both sides must not do it at once: before a question, and while it is answered.
  void clear();
  void enter(Stage stage);  // now; kRunning counts as a beginning

  struct View {
    Stage stage = Stage::kPreparing;
    std::chrono::steady_clock::time_point since;
    std::uint32_t beginnings = 0;
  };
  View view() const;

  int descriptor() const { return memory_.descriptor(); }

 private:
  struct Page;
  explicit SharedProgress(SharedMemory memory) : memory_(std::move(memory)) {}
  Page& page() const { return *static_cast<Page*>(memory_.bytes()); }

  SharedMemory memory_;
};

}  // namespace airlock::os

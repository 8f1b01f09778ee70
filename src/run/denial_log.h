// What the kernel refused to one cell, for its supervisor. Two ways lead here, by what the code in
// the cell could do (docs/decisions/0020-who-counts-denials.md):
//   * Code without native access: the cell's own signal handler writes each denial into the shared
//     notes, which nothing that such code can hold leads to.
//   * Code with native access could write there too. So every call that is denied to it waits until
//     this log has counted and refused it; of the notes only the line is taken, as a hint.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "model/guest_outcome.h"
#include "os/call_listener.h"
#include "os/shared_notes.h"

namespace airlock::run {

// Takes those out that are listed only.
std::vector<Denial> split_off_imports(std::vector<Denial>& denials);

class DenialLog {
 public:
  // Past so many denied calls in one cell its supervisor need not go on listening.
  static constexpr std::uint64_t kFlood = 1000;

  // From now on the calls that are denied wait here. `handle` is the cell's pidfd, and must outlive
  // the log. The cell may have `most_threads`, its first one too: calls that start one wait here as
  // well, and are allowed as long as there are fewer.
  void listen(Fd listener, int handle, std::uint32_t most_threads = 1);
  // For poll(): readable when a call waits; -1 when none ever will.
  int descriptor() const { return listener_.descriptor(); }

  // Counts and refuses calls that wait, a bounded number of them; never waits itself. They are put
  // down to the path that the notes say is being worked on, but to none outside of these.
  struct Paths {
    std::uint64_t first = 0;
    std::uint64_t last = ~std::uint64_t{0};
  };
  void serve(const os::SharedNotes& notes, Paths paths);
  void serve(const os::SharedNotes& notes) { serve(notes, {}); }

  // Those since the last time, each call and line once, at most 32; those that count come first.
  std::vector<Denial> take(const os::SharedNotes& notes);
  // The same, of one path; `path` as SharedNotes counts them. Those of later ones stay. More may
  // have been noted at once than the notes hold: what is left then counts for every path before it
  // too.
  std::vector<Denial> take(const os::SharedNotes& notes, std::uint64_t path);

  // Of all time. As far as is known here: more may stand in the notes.
  std::uint64_t count() const { return count_; }
  bool is_flooded() const { return listener_.is_open() && count_ >= kFlood; }

 private:
  struct Entry {
    Denial denial;
    std::uint64_t path = 0;
    std::uint32_t question = 0;  // under which its line will stand in the notes, when it was asked
  };

  void read(const os::SharedNotes& notes);
  bool start_thread(const os::WaitingCall& call);

  os::CallListener listener_;
  int handle_ = -1;
  long process_ = -1;
  std::uint32_t most_threads_ = 1;
  bool is_listening_ = false;
  std::uint64_t count_ = 0;
  std::uint32_t lines_asked_ = 0;
  std::uint64_t seen_ = 0;  // of the notes
  // Notes were lost before this one; it speaks for paths up to `path`, which may all have had some.
  std::optional<Entry> after_lost_;
  std::vector<Entry> entries_;  // not taken yet
};

}  // namespace airlock::run

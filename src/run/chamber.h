// The supervisor's side of a zygote and its cells, asked one question at a time.
//
// Processes: Chamber owns one zygote (or its stand-in outside of the pid namespace); each Cell is
// one process that the zygote forked. Pipes: one socket to the zygote, one to each cell, and shared
// notes that a cell writes and we read even after it was killed. Trust: a cell is hostile from its
// load on. Every answer must be one frame, within the size that the limits allow, with the ticket
// of the question, and nothing behind it; anything else ends the cell as Garbled. Answers of a
// zygote come in the order of the requests. Failure: what the guest did to its cell is an Ending;
// our own trouble (no walls, zygote gone) is Cell::trouble() or an Error, and then the Ending says
// nothing. Threads: the one that starts a Chamber must outlive it, because the kernel kills the
// zygote with the thread that started it; cells of one chamber may be used by different threads,
// each by one at a time. A Cell must not outlive its Chamber.
#pragma once

#include <deque>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ending.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/raw_outcome.h"
#include "model/vetted.h"
#include "os/channel.h"
#include "os/process.h"
#include "os/shared_notes.h"
#include "run/denial_log.h"
#include "run/grant/our_own_program.h"
#include "wire/cell_messages.h"

namespace airlock::run {

// For one question to a cell (wire/cell_messages.h).
std::uint64_t draw_ticket();

class Chamber;

class Cell {
 public:
  // Raises the walls, without waiting for them; load() does it when it was not done. Only once.
  // `files` are for a session.
  void prepare(const RunLimits& limits, std::span<const SessionFile> files = {});
  // Loading runs the module's body. Only once.
  RawOutcome load(const Vetted& code, const RunLimits& limits);
  // The same in two steps: between them it works while others do. The clock starts with the second.
  void begin_load(const Vetted& code, const RunLimits& limits);
  RawOutcome finish_load();
  // Only after a load that was a success.
  RawOutcome call(std::string_view path);
  // After begin_load(). The next questions in one message: call() must then be asked these very
  // paths, in this order, and each finds its answer on the way already. Takes as many as fit into
  // one message; returns how many.
  std::size_t ask_ahead(std::span<const std::string> paths);
  bool has_asked_ahead() const { return !ahead_.empty(); }
  // No more questions: ends it. What it did after its last answer: nothing, as it should be, or an
  // ending that says what was denied to it then, or that it went on talking.
  std::optional<RawOutcome> finish();
  // From any thread while it is asked: kills it, and the question ends as if somebody else had.
  void interrupt() const;
  // After it was ended: returns when it is gone, and changes nothing any more.
  void await_gone();
  // For the calls from now on, instead of the one that load() was given.
  void set_timeout(std::uint32_t milliseconds) { limits_.timeout_ms = milliseconds; }

  // Instead of a load: one crime by our own code, and the errno that the kernel answered (0: it was
  // granted). The cell is of no more use then.
  std::expected<std::uint32_t, Ending> commit(grant::OurOwnProgram,
                                              const wire::CrimeRequest& attempt,
                                              std::uint32_t timeout_ms);

  const std::vector<std::string>& walls() const { return walls_; }
  // How many calls were denied to it so far, as its supervisor counted them.
  std::uint64_t denied() const { return denials_.count(); }
  // Our own trouble instead of the guest's ending: the cell could not raise its walls, or the
  // zygote is gone.
  const std::optional<Error>& trouble() const { return trouble_; }

  ~Cell();
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

 private:
  friend class Chamber;
  friend class BulkCell;
  friend class SessionCell;
  Cell(Chamber& chamber, os::Channel channel, Fd handle, std::uint32_t id, os::SharedNotes notes)
      : chamber_(chamber),
        channel_(std::move(channel)),
        handle_(std::move(handle)),
        id_(id),
        notes_(std::move(notes)) {}

  enum class Listener : std::uint8_t { kPerPolicy, kNone };
  bool await_walls(Listener listener);
  std::expected<std::string, os::NoMessage> receive_and_serve_denials(os::Deadline deadline);
  std::expected<std::string, Ending> await_message();
  RawOutcome await();
  void serve_denials();
  Ending garbled();
  Ending flooded();
  Ending end(bool was_late);
  Ending end_after_close();
  FinalNotes final_notes();
  void ask_for_line();
  void kill();

  Chamber& chamber_;
  os::Channel channel_;
  Fd handle_;  // the pidfd
  std::uint32_t id_;
  os::SharedNotes notes_;
  DenialLog denials_;
  std::uint64_t ticket_ = 0;  // of the question that is being answered
  struct Question {
    std::uint64_t ticket = 0;
    std::string path;
  };
  std::deque<Question> ahead_;  // those that were sent and are not asked yet
  std::uint64_t asked_ = 0;     // paths, this one too
  bool is_gone_ = false;
  bool is_prepared_ = false;
  bool is_loading_ = false;
  RunLimits limits_;
  std::vector<std::string> walls_;
  Fd out_;  // the /out of a session: what hostile code has left there
  std::optional<Error> trouble_;
};

class Chamber {
 public:
  // Threads that a cell may have where the policy grants any.
  static constexpr std::uint32_t kMostThreads = 32;

  // `program` is airlock-host. Returns at once; the zygote warms up meanwhile. The calling thread
  // must outlive it (the kernel ends the zygote with the thread that started it).
  static Result<std::unique_ptr<Chamber>> start(const std::string& program, const Policy& policy,
                                                HashOrder order = HashOrder::kUsual,
                                                CellCount cells = CellCount::kFew);

  ~Chamber();  // nothing of it is left afterwards
  Chamber(const Chamber&) = delete;
  Chamber& operator=(const Chamber&) = delete;

  // Waits until the zygote is warm and has left the host. Once more: returns at once.
  Result<void> await_ready();
  // Those of the policy's folders that cells may write to, opened; after await_ready(). They hold
  // what hostile code left there: read them when it is gone, and follow no link.
  const std::map<std::string, Fd>& own_folders() const { return own_folders_; }
  // A cell that nobody has used, a spare one if there is one. After await_ready().
  Result<std::unique_ptr<Cell>> make_cell();
  // The same with walls for so much memory, raised or on their way up.
  // With `files` it is never a spare one, which has its walls already.
  Result<std::unique_ptr<Cell>> make_cell(const RunLimits& limits,
                                          std::span<const SessionFile> files = {});
  // Asks for a cell ahead of its use: it is forked and raises its walls while others work. At any
  // time; while there are `most` spare cells for so much memory, here or on their way, nothing
  // happens. A later load() must not ask for other memory.
  void request_spare_cell(const RunLimits& limits, std::size_t most = 1);
  // A spare cell for so much memory that is here; null: there is none yet. Never waits for one.
  // After await_ready().
  std::unique_ptr<Cell> take_spare_cell(const RunLimits& limits);

  // After await_ready(): nobody has ended the zygote. Waits for a moment: it ends with the process
  // that started it.
  bool is_alive() const;

  // Kills the zygote, and says whether the kernel then ended the cell too, in good time.
  bool cell_dies_with_zygote(Cell& cell);

 private:
  friend class Cell;
  Chamber(os::Process process, os::Channel channel, std::size_t own_folders, const Policy& policy)
      : process_(std::move(process)),
        channel_(std::move(channel)),
        pending_folders_(own_folders),
        has_listeners_(policy.has_grant(kAnyPython)),
        most_threads_(policy.has_grant(kThreads) ? kMostThreads : 1),
        packages_(packages_of(policy)) {}

  static std::string packages_of(const Policy& policy);

  Result<void> receive_own_folder();
  std::optional<wire::Ended> reap(std::uint32_t id);
  void forget(std::uint32_t id);
  // A cell that was asked for: our end of its socket, and its notes.
  struct PendingCell {
    os::Channel socket;
    os::SharedNotes notes;
  };
  Result<PendingCell> request_cell();
  Result<std::unique_ptr<Cell>> receive_cell(PendingCell pending);
  enum class Waiting : std::uint8_t { kForAll, kForNone };
  void drain_pending_forks(Waiting waiting = Waiting::kForAll);
  void take_pending_fork();
  std::unique_ptr<Cell> find_spare(const RunLimits& limits);

  // What the zygote was asked and nobody has waited for. Answers come in the order of the
  // questions.
  struct PendingFork {
    PendingCell cell;
    RunLimits limits;
  };

  // One conversation with the zygote at a time, whichever thread has it.
  std::recursive_mutex zygote_turn_;
  os::Process process_;  // the zygote, or its stand-in outside of its process namespace
  os::Channel channel_;
  Fd zygote_;  // a pidfd
  std::size_t pending_folders_;
  bool has_listeners_;                     // its cells hand over a listener: their code is native
  std::uint32_t most_threads_;             // of each cell, its first one too
  std::string packages_;                   // that it imports before it is ready, for messages
  std::map<std::string, Fd> own_folders_;  // by their places
  std::deque<PendingFork> pending_forks_;
  bool is_ready_ = false;
  std::vector<std::unique_ptr<Cell>> spares_;  // have arrived
};

}  // namespace airlock::run

// One cell that holds a session: it is asked to run one piece after the other, and keeps its names
// in between. While a piece runs the guest may print, which is passed on as it comes, and call
// functions of whoever opened the session, which are answered from any thread and in any order.
//
// Clocks: `timeout_ms` runs while the guest works or sleeps, and stands while it waits for a
// result (processor time that it uses meanwhile is counted); `deadline_ms` always runs. Both are
// held here and kill from outside. Trust: what the cell says is hostile, as everywhere (chamber.h).
// A forged call is a call; a result is taken for a call that is under way, once; every other
// message ends the cell as Garbled. Threads: open(), run() and the destructor belong to one thread
// at a time; answer() and cancel() may be called from any other meanwhile.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/piece.h"
#include "model/raw_outcome.h"
#include "model/vetted.h"
#include "os/output_log.h"
#include "os/wake_up.h"
#include "run/chamber.h"

namespace airlock::run {

// Who hears what happens while a piece runs; on the thread of run(). Neither may wait for long: the
// guest's clocks are not looked at meanwhile.
class PieceListener {
 public:
  virtual ~PieceListener() = default;
  // UTF-8, bounded by the limits.
  virtual void printed(OutputStream stream, std::string_view text) = 0;
  // SessionCell::answer() must follow, sooner or later.
  virtual void called(RawCall call) = 0;
  // The guest waits for results.
  virtual void began_waiting() {}
  // Whether it may go on now that there is one; asked again soon when not.
  virtual bool may_go_on() { return true; }
};

// What the kernel holds the cell of a session to: for Chamber::request_spare_cell. Its whole life
// has no end in processor time; each piece has, by our clock.
RunLimits process_limits(const PieceLimits& limits);

struct Piece {
  const Vetted& code;
  std::uint32_t number = 0;
  std::string_view source;
  std::string_view inputs;  // a JSON object
};

class SessionCell {
 public:
  // A cell of the chamber, behind its walls and with the functions in place. The chamber's policy
  // must have kSessionRuntime preloaded. An Error is our own trouble.
  static Result<std::unique_ptr<SessionCell>> open(Chamber& chamber, const PieceLimits& limits,
                                                   std::span<const HostFunction> functions,
                                                   std::span<const SessionFile> files);

  // What came of it. When that has an ending, the cell is gone.
  RawPiece run(const Piece& piece, const PieceLimits& limits, PieceListener& listener);

  // To a call that was heard. A second answer, or one to a call that is over, is dropped.
  void answer(std::uint32_t call, CallResult result);
  // Tells the guest to stop: KeyboardInterrupt where Python can be interrupted; a guest that goes
  // on is killed. For the piece that runs, or that is about to.
  void cancel();

  // Its /out; -1 when this host gives it none. It holds what hostile code left there: follow no
  // link, and read when the cell is stopped.
  int out_folder() const { return cell_->out_.is_open() ? cell_->out_.get() : -1; }
  // Whether it stands still, as it should between two pieces; waits for a moment. False: it could
  // not be stopped in good time.
  bool is_stopped();

  const std::vector<std::string>& walls() const { return cell_->walls(); }
  const std::optional<Error>& trouble() const { return cell_->trouble(); }

 private:
  using Clock = std::chrono::steady_clock;

  SessionCell(std::unique_ptr<Cell> cell, os::WakeUp wake_up, clockid_t processor)
      : cell_(std::move(cell)), wake_up_(std::move(wake_up)), processor_(processor) {}

  // What other threads have put here for the thread of run().
  struct Inbox {
    std::mutex lock;
    bool is_running = false;
    bool is_cancelled = false;
    std::vector<std::pair<std::uint32_t, CallResult>> results;
    std::size_t bytes = 0;  // of the results, and of those that the guest has not taken yet
  };

  struct Clocks;
  void send_signal(int signal);
  void set_running(bool is_running);
  // Until the piece with this ticket is done, or the cell is gone.
  RawPiece attend(std::uint64_t ticket, const PieceLimits& limits, PieceListener& listener);
  std::optional<RawPiece> take_messages(std::uint64_t ticket, const PieceLimits& limits,
                                        PieceListener& listener, Clocks& clocks);
  std::optional<RawPiece> take_one(std::string_view message, std::uint64_t ticket,
                                   const PieceLimits& limits, PieceListener& listener,
                                   Clocks& clocks);
  bool pass_results(Clocks& clocks, PieceListener& listener);
  static void stand_still(Clocks& clocks, PieceListener& listener);
  bool heed_cancelling(Clocks& clocks);
  void pass_text(std::uint8_t stream, std::string_view text, const PieceLimits& limits,
                 PieceListener& listener);
  void look_at_output(const PieceLimits& limits, PieceListener& listener);
  bool pass_output(std::string_view records, const PieceLimits& limits, PieceListener& listener);
  RawPiece end(Ending ending, const PieceLimits& limits, PieceListener& listener);
  void wait(const Clocks& clocks);

  std::unique_ptr<Cell> cell_;
  os::WakeUp wake_up_;
  clockid_t processor_;  // how much of it the cell has used
  Inbox inbox_;
  os::OutputReader output_;
  std::uint64_t begun_before_ = 0;     // how many pieces, when this one was sent
  std::uint64_t printed_ = 0;          // of this piece, bytes
  std::uint32_t calls_ = 0;            // of this piece
  std::set<std::uint32_t> under_way_;  // calls
};

}  // namespace airlock::run

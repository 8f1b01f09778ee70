// A session: code that is sent piece by piece to one live cell. Names, functions, classes and
// modules of one piece are there for the next. A piece whose cell had to be killed takes the state
// with it; the next one runs in a fresh cell, with the same functions, and says so.
//
// A piece is judged by the vetter as it stands (a policy that lists modules scans it), compiled
// there, and run by the cell (run/session_cell.h); what it says passes the inner door
// (admit/piece_door.h). Threads: run() by one at a time; answer() and cancel() by any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admit/piece_door.h"
#include "base/result.h"
#include "engine/resident/rooms.h"
#include "engine/session/artifacts.h"
#include "model/cell_answer.h"
#include "model/piece.h"
#include "model/policy.h"
#include "model/verdict.h"

namespace airlock {

struct SessionOptions {
  Policy policy;  // must grant kAnyPython
  PieceLimits limits;
  std::vector<HostFunction> functions;
  std::vector<SessionFile> files;  // engine/session/session_files.h makes them
  bool is_strict = false;          // a denied call is a failure of the piece
  // Whoever gave no deadline and asks for more time than it, has that time.
  bool has_own_deadline = false;
};

struct PieceRun {
  std::string_view code;
  std::string_view inputs = "{}";                // a JSON object
  std::optional<std::uint32_t> timeout_ms = {};  // instead of the session's
  // A question of our own about what is there: it takes no number, and what it comes upon (a lost
  // state, files in /out) is left for the next piece to tell.
  bool is_aside = false;
};

// Who hears what happens while a piece runs, on the thread of run().
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void printed(OutputStream stream, std::string_view text) = 0;
  // Session::answer() must follow.
  virtual void called(const HostCall& call) = 0;
  // As run::PieceListener has them.
  virtual void began_waiting() {}
  virtual bool may_go_on() { return true; }
  // Asked once, before the piece is judged: who cancelled it before then could not reach it.
  virtual bool is_cancelled() { return false; }
};

// Why a piece gave no value, as the caller's language would call it.
enum class PieceEnd : std::uint8_t {
  kDone,
  kRaised,     // the guest's own exception; a SyntaxError, too
  kRefused,    // judged before it ran: findings say why
  kTimeout,    // of its own time
  kDeadline,   // of all its time
  kMemory,     // a MemoryError that nobody caught
  kOutput,     // printed far more than anyone reads
  kViolation,  // it ended by a denied call, or had one in a strict session
  kCrashed,
  kCancelled,
};

struct CallRecord {
  std::string name;
  double milliseconds = 0;
  std::string ended = "unanswered";  // or "returned", "raised", "refused"
};

struct DeniedCall {
  std::string name;        // "socket"
  std::uint32_t line = 0;  // that asked; 0: none of the session's code
};

struct PieceReport {
  PieceEnd end = PieceEnd::kDone;
  std::uint32_t number = 0;
  std::optional<std::string> value;  // JSON
  std::optional<std::string> shown;
  Failure error;  // of an end that is not kDone
  std::uint32_t line = 0;
  std::string traceback;
  std::string output;
  std::string error_output;
  std::vector<CallRecord> calls;
  std::vector<DeniedCall> denials;
  std::vector<Finding> findings;
  Harvest harvest;           // of /out
  std::uint32_t signal = 0;  // of a crash
  bool was_killed = false;   // its cell is gone, and with it the state
  bool state_lost = false;   // so, or none has run between such a piece and this one
  double milliseconds = 0;
};

class Session {
 public:
  // Makes the first cell. `rooms` must outlive it. An Error: the policy or a function cannot be
  // had, or this host cannot give the isolation.
  static Result<std::unique_ptr<Session>> open(Rooms& rooms, SessionOptions options);

  // An Error is our own trouble: no isolation any more. Everything else is in the report.
  Result<PieceReport> run(const PieceRun& piece, SessionListener& listener);

  void answer(std::uint32_t call, CallResult result);
  // The piece that runs, whether it has come to its cell or not; nothing happens without one.
  void cancel();

  const std::vector<std::string>& walls() const { return walls_; }

 private:
  class Listening;
  class AtWork;

  Session(Rooms& rooms, SessionOptions options) : rooms_(rooms), options_(std::move(options)) {}
  Result<void> get_cell();
  bool is_cancelled();
  void read_artifacts(PieceReport& report);
  void explain(PieceAnswer answer, const PieceLimits& limits, PieceReport& report);

  Rooms& rooms_;
  SessionOptions options_;
  std::vector<std::string> walls_;
  std::uint32_t pieces_ = 0;
  bool has_lost_state_ = false;
  ArtifactReader artifacts_;  // of this cell

  std::mutex lock_;                        // of what follows: other threads reach for it
  std::shared_ptr<run::Chamber> chamber_;  // before the cell: it outlives it
  std::unique_ptr<run::SessionCell> cell_;
  Listening* listening_ = nullptr;  // while the cell runs a piece
  bool is_at_work_ = false;         // from the judgement of a piece to its report
  bool is_cancelled_ = false;       // this piece
};

}  // namespace airlock

// `airlock extract` without its output: a stream of paths in, a stream of rows (NDJSON lines) out,
// in input order, exactly one row for each path whatever happens to the code.
//
// Processes: one vetter judges the code first (prepare_extractor). Then up to `jobs` cells run it
// (run/cell_pool.h), each answering batches of paths. The supervisor's single thread reads the
// input, hands out batches, and writes rows in order; it waits in poll() for whichever is ready.
//
// Memory is bounded: a fixed number of batches for each cell is in flight. When rows that wait for
// earlier ones exceed a limit, only the cell that owes the next row is read, and no input is taken
// until rows were written.
//
// Trust: rows come from cells and are hostile. RowMaker (extract.cc) checks each before it becomes
// a line. A path whose cell died, timed out or was denied a system call gets a failed row that says
// so.
//
// Failure: an Error; the watcher was told how far it came. Every row that was written is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/paths/path_input.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "model/vetted.h"

namespace airlock {

namespace run {
class Chamber;
}
class Supply;

// `raw` is the text as it was read; `jobs` cells run it at a time.
struct ExtractRequest {
  std::string raw;
  TextKind kind = TextKind::kAnswer;
  Policy policy;
  RunLimits limits;
  std::size_t jobs = 1;
  std::string host_program;
  Supply* supply = nullptr;   // null: processes of its own, from `host_program`
  std::stop_token stop = {};  // ends the job; an Error then
};

// Code that was judged, and a chamber to run it in.
struct PreparedExtractor {
  Verdict verdict;
  std::optional<Vetted> code;  // when it was accepted
  std::string sha256;
  std::shared_ptr<run::Chamber> chamber;

  PreparedExtractor();
  PreparedExtractor(PreparedExtractor&&) noexcept;
  PreparedExtractor& operator=(PreparedExtractor&&) noexcept;
  PreparedExtractor(const PreparedExtractor&) = delete;
  PreparedExtractor& operator=(const PreparedExtractor&) = delete;
  ~PreparedExtractor();
};

// An Error: this host cannot give the isolation. Nothing untrusted was run then. A verdict that
// refuses is not an error; nothing was run either.
Result<PreparedExtractor> prepare_extractor(const ExtractRequest& request);

struct InputSeen;

// Which lines of the input are taken: every one whose number (from 0) leaves `index` when divided
// by `count`; of these, not the first `skip`, which were answered before.
struct Share {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  std::uint64_t skip = 0;
  std::string last_skipped_row;  // when something is skipped: the row that its last path became
  InputSeen* seen = nullptr;     // is shown every line of the input, whosever it is
};

// Where rows go: whole lines, in order.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual Result<void> write(std::string_view rows) = 0;
};

// Of this job alone, also when it goes on with an earlier one.
struct JobProgress {
  std::uint64_t rows = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes_done = 0;               // of the input, as far as its rows are written
  std::optional<std::uint64_t> bytes_in_all;  // without what an earlier job did
};

using Watcher = std::function<void(const JobProgress&)>;

struct JobEnd {
  JobProgress progress;
  std::optional<int> stopped_by;  // SIGINT or SIGTERM; nothing: it ran to its end
};

// Ends in good order when a signal comes that the program notes (os/interrupts.h): what was written
// is whole rows. The watcher is told last how far it came, however it ends. Refused: the code went
// on behind its last row and was denied something; no row says so, and so none is to be relied on.
Result<JobEnd> run_extractor(PreparedExtractor extractor, const ExtractRequest& request,
                             PathInput& input, const Share& share, RowSink& sink,
                             const Watcher& watcher);

// The same for one who brings paths again and again: the code is loaded once, and between two runs
// its cells stand still. Another thread may run it each time.
class LoadedExtractor {
 public:
  // `extractor` was accepted.
  LoadedExtractor(PreparedExtractor extractor, const ExtractRequest& request);
  LoadedExtractor(const LoadedExtractor&) = delete;
  LoadedExtractor& operator=(const LoadedExtractor&) = delete;
  ~LoadedExtractor();

  // What becomes of the cells when all rows are written: they end, or wait for the next run.
  enum class AtEnd : std::uint8_t { kEndCells, kRest };
  // As run_extractor(). After an Error, or with kEndCells, it is of no more use.
  Result<JobEnd> run(PathInput& input, const Share& share, RowSink& sink, const Watcher& watcher,
                     const std::stop_token& stop, AtEnd at_end);
  // False: what it runs in ends with the thread that ran it last, and it is to be given up.
  bool can_be_kept() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace airlock

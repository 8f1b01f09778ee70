// One cell that works on batches: batches of paths go in, messages of rows come out, and neither
// side waits for the other. Rows are hostile: each message must repeat the ticket of the oldest
// batch in flight and may not answer more paths than that batch has left, or than the cell has
// begun. Used by one thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "run/chamber.h"
#include "wire/bulk_messages.h"

namespace airlock::run {

class BulkCell {
 public:
  static Result<std::unique_ptr<BulkCell>> make(Chamber& chamber, const RunLimits& limits);

  // As Cell::load.
  RawOutcome load(const Vetted& code, const RunLimits& limits);
  // False when the cell is gone, or does not take the batch within the deadline of a path.
  bool send(std::span<const std::string_view> paths);
  // The next message if it is there; kTimedOut when it is not.
  std::expected<std::string, os::NoMessage> receive_now();
  // The rows in a message, with what was denied meanwhile, which makes a failure of whatever the
  // row says. Nothing: it is no answer to a batch that was sent, or answers paths that the cell has
  // not begun.
  std::optional<std::vector<wire::BulkRow>> read_rows(std::string_view message);
  // Counts and refuses the calls that wait. False: there is no end of them.
  bool serve_denials();
  // How many paths it says it has begun since the load. Native code may lie.
  std::uint64_t started() const { return cell_->notes_.paths_begun(); }
  // As Cell::finish, of a cell that may still be at work: only what was denied to it and stands in
  // no row yet.
  std::vector<Denial> finish();
  // Between two jobs, with nothing under way: code that could go on by itself
  // is stopped, and has no time but that of a job.
  // What it did behind its last row, as finish() says it; the cell is to be given up then.
  struct Rest {
    bool was_quiet = true;
    std::vector<Denial> denials;
  };
  Rest rest();
  void wake();
  Ending flooded() { return cell_->flooded(); }
  Ending end(bool was_late) { return cell_->end(was_late); }
  Ending end_after_close() { return cell_->end_after_close(); }

  int descriptor() const { return cell_->channel_.descriptor(); }
  // Readable when a denied call waits; -1: never.
  int listener() const { return cell_->denials_.descriptor(); }
  const std::optional<Error>& trouble() const { return cell_->trouble(); }

 private:
  explicit BulkCell(std::unique_ptr<Cell> cell) : cell_(std::move(cell)) {}

  // Sent and not wholly answered, the oldest first.
  struct InFlightBatch {
    std::uint64_t ticket = 0;
    std::size_t left = 0;
  };

  void signal_native(int signal);

  std::unique_ptr<Cell> cell_;
  std::deque<InFlightBatch> in_flight_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace airlock::run

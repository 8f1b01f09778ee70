// A cell for the bulk job: batches of paths go in, frames of rows come out, nobody waits for the
// other. Used by one thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "run/chamber.h"

namespace airlock::run {

class BulkCell {
 public:
  static Result<std::unique_ptr<BulkCell>> make(Chamber& chamber);

  // As Cell::load.
  RawOutcome load(std::string_view compiled, const RunLimits& limits);
  // False when the cell is gone, or does not take the batch within the deadline of a path.
  bool send(std::span<const std::string_view> paths);
  // The next message if it is there; kTimedOut when it is not.
  std::expected<std::string, os::NoMessage> receive_now();
  // How many paths it says it has begun since the load. Only a hint.
  std::uint64_t started() const { return cell_->notes_.counter(); }
  Ending end(bool was_late) { return cell_->end(was_late); }
  Ending end_after_silence() { return cell_->end_after_silence(); }

  int descriptor() const { return cell_->channel_.descriptor(); }
  const std::optional<Error>& trouble() const { return cell_->trouble(); }

 private:
  explicit BulkCell(std::unique_ptr<Cell> cell) : cell_(std::move(cell)) {}

  std::unique_ptr<Cell> cell_;
};

}  // namespace airlock::run

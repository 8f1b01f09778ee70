#include "run/bulk_cell.h"

#include <chrono>

#include "wire/bulk_messages.h"

namespace airlock::run {

Result<std::unique_ptr<BulkCell>> BulkCell::make(Chamber& chamber) {
  auto cell = chamber.make_cell();
  if (!cell) return std::unexpected(std::move(cell).error());
  return std::unique_ptr<BulkCell>(new BulkCell(std::move(*cell)));
}

RawOutcome BulkCell::load(std::string_view compiled, const RunLimits& limits) {
  return cell_->load(compiled, limits);
}

bool BulkCell::send(std::span<const std::string_view> paths) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(cell_->limits_.timeout_ms);
  return cell_->channel_.send(wire::encode_batch(paths), deadline);
}

std::expected<std::string, os::NoMessage> BulkCell::receive_now() {
  return cell_->channel_.receive(wire::kMaxOutcome, std::chrono::steady_clock::now());
}

}  // namespace airlock::run

#include "run/bulk_cell.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace airlock::run {

Result<std::unique_ptr<BulkCell>> BulkCell::make(Chamber& chamber, const RunLimits& limits) {
  auto cell = TRY(chamber.make_cell(limits));
  return std::unique_ptr<BulkCell>(new BulkCell(std::move(cell)));
}

RawOutcome BulkCell::load(const Vetted& code, const RunLimits& limits) {
  return cell_->load(code, limits);
}

bool BulkCell::send(std::span<const std::string_view> paths) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(cell_->limits_.timeout_ms);
  const std::uint64_t ticket = draw_ticket();
  in_flight_.push_back({ticket, paths.size()});
  sent_ += paths.size();
  return cell_->channel_.send(wire::encode_batch(ticket, paths), deadline);
}

std::expected<std::string, os::NoMessage> BulkCell::receive_now() {
  return cell_->channel_.receive(wire::kMaxOutcome, std::chrono::steady_clock::now());
}

std::optional<std::vector<wire::BulkRow>> BulkCell::read_rows(std::string_view message) {
  auto read = wire::decode_rows(message);
  if (!read || read->rows.empty() || in_flight_.empty()) return std::nullopt;
  InFlightBatch& batch = in_flight_.front();
  if (read->ticket != batch.ticket || read->rows.size() > batch.left) return std::nullopt;
  // A path is noted before it is begun: a row cannot be ahead of that.
  if (answered_ + read->rows.size() > started()) return std::nullopt;
  serve_denials();
  for (wire::BulkRow& row : read->rows) {
    row.denials = cell_->denials_.take(cell_->notes_, ++answered_);
    split_off_imports(row.denials);
  }
  batch.left -= read->rows.size();
  if (batch.left == 0) in_flight_.pop_front();
  return std::move(read->rows);
}

std::vector<Denial> BulkCell::finish() {
  const auto late = cell_->finish();
  return late ? late->denials() : std::vector<Denial>();
}

// Only code with native access can do anything then; all other code has no time of its own while
// its interpreter waits for a batch. To be stopped and go on is a system call (restart_syscall),
// which such a cell does not have.
void BulkCell::signal_native(int signal) {
  if (listener() < 0) return;
  ::syscall(SYS_pidfd_send_signal, cell_->handle_.get(), signal, nullptr, 0);
}

BulkCell::Rest BulkCell::rest() {
  signal_native(SIGSTOP);
  serve_denials();
  Rest rest;
  rest.denials = cell_->denials_.take(cell_->notes_);
  split_off_imports(rest.denials);
  rest.was_quiet = rest.denials.empty() && !cell_->channel_.has_input();
  return rest;
}

void BulkCell::wake() {
  signal_native(SIGCONT);
}

// A call is put down to a path that is not answered yet, whatever the notes say.
bool BulkCell::serve_denials() {
  cell_->denials_.serve(cell_->notes_, {.first = answered_ + 1, .last = sent_});
  return !cell_->denials_.is_flooded();
}

}  // namespace airlock::run

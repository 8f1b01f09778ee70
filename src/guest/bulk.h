// The bulk job inside a cell: batches of paths in, rows out, on the cell's own socket. Runs in the
// process of the guest, behind all its walls; nothing here is trusted by the supervisor, which
// checks tickets, counts and sizes of the rows for itself (run/bulk_cell.h).
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "os/channel.h"
#include "os/shared_notes.h"
#include "python/guest_code.h"
#include "wire/bulk_messages.h"

namespace airlock::guest {

class Bulk {
 public:
  // The notes must outlive it.
  explicit Bulk(os::SharedNotes& notes) : notes_(notes) {}

  // Answers every path of the batch. False when the supervisor is gone.
  bool answer(const wire::BatchOfPaths& batch, os::Channel& channel, python::GuestCode& code,
              const RunLimits& limits);

 private:
  bool add(const GuestOutcome& outcome, std::uint64_t ticket, os::Channel& channel);
  bool flush(std::uint64_t ticket, os::Channel& channel);

  os::SharedNotes& notes_;
  wire::RowsWriter rows_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace airlock::guest

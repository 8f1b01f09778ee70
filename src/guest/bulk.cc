// (1) The notes say how many paths were begun since the load, before each: when this
// process hangs or dies, the supervisor knows which path it was, though rows of earlier ones may
// still have been on their way. (2) Rows leave together, but none waits longer than a few
// milliseconds of other paths' work. (3) After memory has run out, the row leaves at once: the
// supervisor will replace this cell.
#include "guest/bulk.h"

namespace airlock::guest {

namespace {

constexpr std::size_t kFlushBytes = 48 * 1024;
constexpr auto kFlushAfter = std::chrono::milliseconds(5);

}  // namespace

bool Bulk::flush(std::uint64_t ticket, os::Channel& channel) {
  if (rows_.count() > 0 && !channel.send(rows_.take(ticket), std::nullopt)) return false;
  flushed_ = std::chrono::steady_clock::now();
  return true;
}

bool Bulk::add(const GuestOutcome& outcome, std::uint64_t ticket, os::Channel& channel) {
  if (outcome.success) {
    rows_.add_value(outcome.value);
  } else {
    rows_.add_error(outcome.error_type, outcome.error);
  }
  const bool is_due = rows_.bytes() >= kFlushBytes || outcome.error_type == "MemoryError" ||
                      std::chrono::steady_clock::now() - flushed_ >= kFlushAfter;
  return !is_due || flush(ticket, channel);
}

bool Bulk::answer(const wire::BatchOfPaths& batch, os::Channel& channel, python::GuestCode& code,
                  const RunLimits& limits) {
  flushed_ = std::chrono::steady_clock::now();
  for (const std::string_view path : batch.paths) {
    notes_.begin_path();
    if (!add(code.call(path, limits), batch.ticket, channel)) return false;
  }
  return flush(batch.ticket, channel);
}

}  // namespace airlock::guest

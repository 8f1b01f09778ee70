// (1) The counter says how many paths were begun since the load, and is set before each: when this
// process hangs or dies, the supervisor knows which path it was, though rows of earlier ones may
// still have been on their way. (2) Rows leave together, but none waits longer than a few
// milliseconds of other paths' work. (3) After memory has run out, the row leaves at once: the
// supervisor will replace this cell.
#include "guest/bulk.h"

#include "guest/denials.h"

namespace airlock::guest {

namespace {

constexpr std::size_t kFlushBytes = 48 * 1024;
constexpr auto kFlushAfter = std::chrono::milliseconds(5);

}  // namespace

bool Bulk::flush(os::Channel& channel) {
  if (rows_.count() > 0 && !channel.send(rows_.take(), std::nullopt)) return false;
  flushed_ = std::chrono::steady_clock::now();
  return true;
}

bool Bulk::add(const GuestOutcome& outcome, os::Channel& channel) {
  const std::vector<Denial> denials = take_denials();
  if (outcome.success && denials.empty()) {
    rows_.add_value(outcome.value);
  } else {
    rows_.add_error(outcome.error_type, outcome.error, denials);
  }
  const bool is_due = rows_.bytes() >= kFlushBytes || outcome.error_type == "MemoryError" ||
                      std::chrono::steady_clock::now() - flushed_ >= kFlushAfter;
  return !is_due || flush(channel);
}

bool Bulk::answer(std::span<const std::string_view> paths, os::Channel& channel,
                  python::GuestCode& code, const RunLimits& limits) {
  flushed_ = std::chrono::steady_clock::now();
  for (const std::string_view path : paths) {
    notes_.set_counter(++started_);
    if (!add(code.call(path, limits), channel)) return false;
  }
  return flush(channel);
}

}  // namespace airlock::guest

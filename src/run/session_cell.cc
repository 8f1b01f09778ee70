#include "run/session_cell.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "os/process_state.h"
#include "wire/messages.h"
#include "wire/session_messages.h"

namespace airlock::run {

namespace {

using std::chrono::milliseconds;

constexpr auto kOpenTimeout = std::chrono::seconds(30);
// How often the log of what is printed is looked at while a piece runs.
constexpr auto kLookEvery = milliseconds(20);
// So long has a guest that was told to stop: of its own time, because on a busy machine it may have
// no turn for longer than that, and of everybody's.
constexpr auto kCancelGrace = milliseconds(40);
constexpr auto kLongestCancelGrace = milliseconds(1000);
constexpr auto kLookAtCancelled = milliseconds(2);
// To stop a cell that is between two pieces.
constexpr auto kStopTimeout = milliseconds(200);
// Bytes of results that a guest has not taken yet.
constexpr std::size_t kMostWaiting = 64UL * 1024 * 1024;
// What a cell may add to what it keeps of its output: the mark that it was cut.
constexpr std::uint64_t kMarkBytes = 256;

}  // namespace

// The two clocks of a piece, and the one of a guest that was told to stop. While the guest waits
// for a result its own clock stands; what it computes then, though it said that it waits, is
// counted.
struct SessionCell::Clocks {
  clockid_t processor;                             // the guest's
  Clock::duration left;                            // of the guest's own time
  std::optional<Clock::time_point> running_since;  // nothing: it stands
  std::chrono::nanoseconds used_before{};          // of the processor, when it began to stand
  Clock::time_point deadline;
  // Since somebody cancelled it. It is told when it has begun, and its time counts from then.
  std::optional<Clock::time_point> cancelled_at;
  std::optional<std::chrono::nanoseconds> used_when_told;

  Clocks(const PieceLimits& limits, clockid_t its_processor)
      : processor(its_processor),
        left(milliseconds(limits.timeout_ms)),
        running_since(Clock::now()),
        deadline(Clock::now() + milliseconds(limits.deadline_ms)) {}

  void stop() {
    if (!running_since) return;
    left -= Clock::now() - *running_since;
    running_since.reset();
    used_before = os::processor_time(processor);
  }
  void go_on() {
    if (running_since) return;
    left -= used_while_standing();
    running_since = Clock::now();
  }
  Clock::duration used_while_standing() const {
    return std::max(os::processor_time(processor) - used_before, std::chrono::nanoseconds(0));
  }
  bool is_late(Clock::time_point now) const {
    return (running_since ? now - *running_since : used_while_standing()) >= left;
  }
  bool is_deaf(Clock::time_point now) const {
    if (!cancelled_at) return false;
    const bool is_out_of_time =
        used_when_told && os::processor_time(processor) - *used_when_told >= kCancelGrace;
    return is_out_of_time || now - *cancelled_at >= kLongestCancelGrace;
  }
  // When something has to be done at the latest.
  Clock::time_point next(Clock::time_point now) const {
    Clock::time_point at = std::min(deadline, now + kLookEvery);
    if (running_since) at = std::min(at, *running_since + left);
    if (cancelled_at) at = std::min(at, now + kLookAtCancelled);
    return at;
  }
};

RunLimits process_limits(const PieceLimits& limits) {
  RunLimits of_process;
  of_process.memory_bytes = limits.memory_bytes;
  of_process.timeout_ms = ~std::uint32_t{0};
  return of_process;
}

Result<std::unique_ptr<SessionCell>> SessionCell::open(Chamber& chamber, const PieceLimits& limits,
                                                       std::span<const HostFunction> functions,
                                                       std::span<const SessionFile> files) {
  const std::string open =
      wire::encode_open({limits, std::vector<HostFunction>(functions.begin(), functions.end())});
  if (open.size() > wire::kMaxCellRequest)
    return bad_request("open a session: its functions and their texts have more than 16 MiB");
  auto wake_up = TRY(within("open a session", os::WakeUp::make()));
  auto cell = TRY(chamber.make_cell(process_limits(limits), files));
  // As large as one message may be: values, calls and what was printed with them.
  cell->limits_.result_bytes = std::max(limits.value_bytes, limits.call_bytes);
  cell->channel_.send(open, os::deadline_in(kOpenTimeout));
  if (!cell->await_walls(Cell::Listener::kPerPolicy)) return std::unexpected(*cell->trouble());
  const auto answer = cell->channel_.receive(wire::kMaxOutcome, os::deadline_in(kOpenTimeout));
  if (!answer || !wire::is_opened(*answer)) {
    const auto said = answer ? wire::decode_trouble(*answer) : std::nullopt;
    if (said) return bad_request(*said);
    return no_isolation("open a session: the cell ended before it was open");
  }
  const auto processor = os::processor_clock(cell->handle_.get());
  if (!processor) return no_isolation("open a session: its processor time cannot be read");
  return std::unique_ptr<SessionCell>(
      new SessionCell(std::move(cell), std::move(wake_up), *processor));
}

void SessionCell::send_signal(int signal) {
  ::syscall(SYS_pidfd_send_signal, cell_->handle_.get(), signal, nullptr, 0);
}

// The kernel says in its own words whether a process is stopped; there is no other way to hear of
// it than to look, for one who is not its parent.
bool SessionCell::is_stopped() {
  return os::is_stopped_within(cell_->handle_.get(), kStopTimeout);
}

void SessionCell::answer(std::uint32_t call, CallResult result) {
  const std::scoped_lock held(inbox_.lock);
  if (!inbox_.is_running) return;
  // A guest that calls and does not look at what comes back.
  if (inbox_.bytes + result.value.size() > kMostWaiting)
    result = {.success = false,
              .value = {},
              .error_type = "BufferError",
              .error = "more results are waiting than a session holds (64 MiB)"};
  inbox_.bytes += result.value.size();
  inbox_.results.emplace_back(call, std::move(result));
  wake_up_.ring();
}

void SessionCell::cancel() {
  const std::scoped_lock held(inbox_.lock);
  inbox_.is_cancelled = true;
  wake_up_.ring();
}

// False: the cell is gone.
bool SessionCell::pass_results(Clocks& clocks, PieceListener& listener) {
  std::vector<std::pair<std::uint32_t, CallResult>> results;
  {
    const std::scoped_lock held(inbox_.lock);
    if (!inbox_.results.empty() && listener.may_go_on()) results.swap(inbox_.results);
  }
  for (const auto& [call, result] : results) {
    if (under_way_.erase(call) == 0) continue;
    clocks.go_on();
    cell_->channel_.queue(wire::encode_result(call, result));
  }
  // Never waited for: a guest that does not read may itself be waiting for us, with a denied call.
  const bool is_there = cell_->channel_.flush();
  if (!cell_->channel_.has_queued()) {
    const std::scoped_lock held(inbox_.lock);
    if (inbox_.results.empty()) inbox_.bytes = 0;
  }
  return is_there;
}

// False: it is too late for a guest that was told to stop.
bool SessionCell::heed_cancelling(Clocks& clocks) {
  if (!clocks.cancelled_at) {
    const std::scoped_lock held(inbox_.lock);
    if (!inbox_.is_cancelled) return true;
    clocks.cancelled_at = Clock::now();
  }
  // Before it has begun it would take the signal for the last piece's.
  if (!clocks.used_when_told && cell_->notes_.paths_begun() != begun_before_) {
    clocks.used_when_told = os::processor_time(processor_);
    send_signal(SIGINT);
  }
  return !clocks.is_deaf(Clock::now());
}

void SessionCell::pass_text(std::uint8_t stream, std::string_view text, const PieceLimits& limits,
                            PieceListener& listener) {
  printed_ += text.size();
  if (printed_ <= limits.output_bytes + kMarkBytes)
    listener.printed(static_cast<OutputStream>(stream), replace_invalid_utf8(std::string(text)));
}

// False: these are no records, or more than a cell passes on.
bool SessionCell::pass_output(std::string_view records, const PieceLimits& limits,
                              PieceListener& listener) {
  const bool is_whole = output_.receive(records, [&](std::uint8_t stream, std::string_view text) {
    pass_text(stream, text, limits, listener);
  });
  return is_whole && printed_ <= limits.output_bytes + kMarkBytes;
}

void SessionCell::look_at_output(const PieceLimits& limits, PieceListener& listener) {
  output_.look(cell_->notes_.output_log(), [&](std::uint8_t stream, std::string_view text) {
    pass_text(stream, text, limits, listener);
  });
}

// What it had printed is passed on before anything else is said of its end.
RawPiece SessionCell::end(Ending ending, const PieceLimits& limits, PieceListener& listener) {
  look_at_output(limits, listener);
  return RawPiece(std::unexpected(std::move(ending)));
}

void SessionCell::stand_still(Clocks& clocks, PieceListener& listener) {
  clocks.stop();
  listener.began_waiting();
}

std::optional<RawPiece> SessionCell::take_one(std::string_view message, std::uint64_t ticket,
                                              const PieceLimits& limits, PieceListener& listener,
                                              Clocks& clocks) {
  if (const auto records = wire::decode_printed(message)) {
    if (pass_output(*records, limits, listener)) return std::nullopt;
  } else if (auto call = wire::decode_call(message)) {
    const bool is_new = ++calls_ <= limits.calls && under_way_.insert(call->call).second;
    if (is_new) {
      if (call->is_waiting) stand_still(clocks, listener);
      listener.called(RawCall(call->call, std::move(call->name), std::move(call->arguments)));
      return std::nullopt;
    }
  } else if (wire::is_waiting(message)) {
    // When nothing is under way, its last result is on the way to it: it has not seen that yet.
    if (!under_way_.empty()) stand_still(clocks, listener);
    return std::nullopt;
  } else if (auto answer = wire::decode_piece_outcome(message)) {
    if (answer->ticket == ticket && pass_output(answer->records, limits, listener) &&
        !cell_->channel_.has_bytes()) {
      cell_->denials_.serve(cell_->notes_);
      return RawPiece(std::move(answer->outcome), cell_->denials_.take(cell_->notes_));
    }
  }
  return end(cell_->garbled(), limits, listener);
}

// Nothing: the piece goes on. A guest that never stops talking is interrupted now and then: clocks
// and whoever cancels have their turn.
std::optional<RawPiece> SessionCell::take_messages(std::uint64_t ticket, const PieceLimits& limits,
                                                   PieceListener& listener, Clocks& clocks) {
  const std::size_t most = std::max<std::size_t>(
      wire::kMaxOutcome, std::size_t{limits.value_bytes} + limits.call_bytes + (1U << 20));
  const auto until = Clock::now() + kLookEvery;
  while (true) {
    const auto message = cell_->channel_.receive(most, Clock::now());
    if (message) {
      if (auto done = take_one(*message, ticket, limits, listener, clocks)) return done;
      const auto now = Clock::now();
      if (now >= until || clocks.is_late(now)) return std::nullopt;
      continue;
    }
    if (message.error() == os::NoMessage::kTimedOut) return std::nullopt;
    if (message.error() == os::NoMessage::kTooLong) return end(cell_->garbled(), limits, listener);
    return end(cell_->end_after_close(), limits, listener);
  }
}

void SessionCell::wait(const Clocks& clocks) {
  const auto now = Clock::now();
  const auto left = std::chrono::ceil<milliseconds>(clocks.next(now) - now);
  const auto events = static_cast<short>(cell_->channel_.has_queued() ? POLLIN | POLLOUT : POLLIN);
  std::array<pollfd, 3> waiting{{{cell_->channel_.descriptor(), events, 0},
                                 {wake_up_.descriptor(), POLLIN, 0},
                                 {cell_->denials_.descriptor(), POLLIN, 0}}};
  ::poll(waiting.data(), waiting.size(), static_cast<int>(std::max<long>(0, left.count())));
  if (waiting[1].revents != 0) wake_up_.clear();
}

// Between two pieces it stands still: one that has forged its outcome, or left a handler behind,
// has no time but that of a piece. Who cancels a piece may come before it has begun.
void SessionCell::set_running(bool is_running) {
  send_signal(is_running ? SIGCONT : SIGSTOP);
  const std::scoped_lock held(inbox_.lock);
  inbox_.results.clear();
  inbox_.bytes = 0;
  inbox_.is_running = is_running;
  if (!is_running) inbox_.is_cancelled = false;
}

RawPiece SessionCell::run(const Piece& piece, const PieceLimits& limits, PieceListener& listener) {
  printed_ = calls_ = 0;
  under_way_.clear();
  // It has something to say before it knows what it will be asked.
  if (cell_->channel_.has_bytes()) return end(cell_->garbled(), limits, listener);
  cell_->limits_.timeout_ms = limits.timeout_ms;
  begun_before_ = cell_->notes_.paths_begun();
  const std::uint64_t ticket = draw_ticket();
  // Behind results that the last piece has not waited for, should there be any.
  cell_->channel_.queue(wire::encode_piece(
      {ticket, piece.number, piece.code.compiled(), piece.source, piece.inputs}));
  set_running(true);
  RawPiece said = attend(ticket, limits, listener);
  set_running(false);
  return said;
}

RawPiece SessionCell::attend(std::uint64_t ticket, const PieceLimits& limits,
                             PieceListener& listener) {
  Clocks clocks(limits, processor_);
  cell_->channel_.flush();
  while (true) {
    if (auto done = take_messages(ticket, limits, listener, clocks)) return std::move(*done);
    cell_->denials_.serve(cell_->notes_);
    if (cell_->denials_.is_flooded()) return end(cell_->flooded(), limits, listener);
    look_at_output(limits, listener);
    if (!pass_results(clocks, listener)) return end(cell_->end_after_close(), limits, listener);
    if (!heed_cancelling(clocks)) {
      cell_->end(true);
      return end(Cancelled{cell_->final_notes()}, limits, listener);
    }
    const auto now = Clock::now();
    const bool is_past_deadline = now >= clocks.deadline;
    if (is_past_deadline || clocks.is_late(now)) {
      Ending late = cell_->end(true);
      if (auto* timed_out = std::get_if<TimedOut>(&late))
        timed_out->was_deadline = is_past_deadline;
      return end(std::move(late), limits, listener);
    }
    wait(clocks);
  }
}

}  // namespace airlock::run

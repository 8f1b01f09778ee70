#include "run/chamber.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/utf8.h"
#include "model/named_packages.h"
#include "os/process_state.h"
#include "os/random.h"
#include "wire/identity.h"
#include "wire/messages.h"

namespace airlock::run {

namespace {

// For what our own programs have to do; never for the guest.
constexpr auto kChamberTimeout = std::chrono::seconds(30);

// Past this the processor-time limit of the kernel ends a cell, should our clock ever fail.
constexpr std::uint32_t kCpuGraceSeconds = 3600;

// Cells that wait for somebody, of all kinds together.
constexpr std::size_t kMostSpares = 8;

// What the /out of a session may hold.
constexpr std::uint32_t kOutBytes = 64 * 1024 * 1024;

wire::Prepare prepare_for(const RunLimits& limits, std::span<const SessionFile> files = {}) {
  return {.memory_bytes = limits.memory_bytes,
          .cpu_seconds = limits.timeout_ms / 1000 + kCpuGraceSeconds,
          .out_bytes = kOutBytes,
          .files = std::vector<SessionFile>(files.begin(), files.end())};
}

// An outcome that keeps to the limits, and what comes with it.
std::size_t largest_outcome(const RunLimits& limits) {
  return std::max(wire::kMaxOutcome, std::size_t{limits.result_bytes} +
                                         std::size_t{limits.output_bytes} * 2 + 1024 * 1024);
}

}  // namespace

std::uint64_t draw_ticket() {
  std::uint64_t ticket = 0;
  const std::string bytes = os::random_bytes(sizeof ticket);
  std::memcpy(&ticket, bytes.data(), sizeof ticket);
  return ticket;
}

// For messages: those that somebody named.
std::string Chamber::packages_of(const Policy& policy) {
  std::string names;
  for (const std::string& package : named_packages(policy))
    names += (names.empty() ? "" : ", ") + package;
  return names;
}

Result<std::unique_ptr<Chamber>> Chamber::start(const std::string& program, const Policy& policy,
                                                HashOrder order, CellCount cells) {
  auto sockets =
      TRY(as(ErrorKind::kIsolation, within("start the chamber", os::make_socket_pair())));
  std::vector<std::string> arguments = {
      order == HashOrder::kUsual ? "zygote" : "zygote-other-order", std::string(wire::identity())};
  if (cells == CellCount::kMany) arguments.emplace_back("many-cells");
  auto process =
      TRY(as(ErrorKind::kIsolation,
             within("start the chamber", os::Process::start(program, arguments, sockets.second))));
  sockets.second.reset();
  os::Channel channel(std::move(sockets.first));
  channel.send(wire::encode_hello(policy), os::deadline_in(kChamberTimeout));
  const auto own_folders =
      policy.has_grant(kOwnFolders) ? std::ranges::count_if(policy.folders, &Folder::is_own) : 0;
  return std::unique_ptr<Chamber>(new Chamber(std::move(process), std::move(channel),
                                              static_cast<std::size_t>(own_folders), policy));
}

// The zygote first: when it is gone, all of its namespace is, and what we started ends by itself.
// The other way round something could be left for a moment after us.
Chamber::~Chamber() {
  // A spare cell has run nothing, and goes with the rest.
  for (const auto& spare : spares_) spare->is_gone_ = true;
  constexpr auto kMoment = std::chrono::seconds(2);
  if (zygote_.is_open()) {
    ::syscall(SYS_pidfd_send_signal, zygote_.get(), SIGKILL, nullptr, 0);
    process_.has_ended_within(kMoment);
    return;
  }
  // Still warming up: the kernel ends it with what we started, and then nobody holds its socket.
  process_.kill();
  while (channel_.receive(wire::kMaxReply, os::deadline_in(kMoment))) {
  }
}

Result<void> Chamber::await_ready() {
  if (is_ready_) return {};
  const auto answer = channel_.receive(wire::kMaxReply, os::deadline_in(kChamberTimeout));
  if (!answer) {
    process_.kill();
    const std::string how = process_.wait().describe();
    if (!packages_.empty())
      return bad_request(
          "importing " + packages_ +
          (answer.error() == os::NoMessage::kClosed
               ? " ended the process"
               : " took more than " + std::to_string(kChamberTimeout.count()) + " seconds") +
          ": leave out of the packages what does so, and import it in a piece");
    return no_isolation("start the chamber: airlock-host gave no answer (" + how + ")");
  }
  if (const auto mistake = wire::decode_mistake(*answer)) return bad_request(*mistake);
  if (const auto trouble = wire::decode_trouble(*answer))
    return no_isolation("start the chamber: " + *trouble);
  if (!wire::decode_ready(*answer))
    return no_isolation("start the chamber: airlock-host gave an answer that is not understood");
  zygote_ = channel_.take_descriptor();
  for (; pending_folders_ > 0; --pending_folders_) TRY(receive_own_folder());
  is_ready_ = true;
  return {};
}

Result<void> Chamber::receive_own_folder() {
  const auto answer = channel_.receive(wire::kMaxReply, os::deadline_in(kChamberTimeout));
  const auto trouble = answer ? wire::decode_trouble(*answer) : std::nullopt;
  if (trouble) return no_isolation("start the chamber: " + *trouble);
  auto place = answer ? wire::decode_own_folder(*answer) : std::nullopt;
  Fd folder = channel_.take_descriptor();
  if (!place || !folder.is_open())
    return no_isolation("start the chamber: it gave no folder of its own");
  own_folders_.insert_or_assign(std::move(*place), std::move(folder));
  return {};
}

Result<Chamber::PendingCell> Chamber::request_cell() {
  auto notes = TRY(as(ErrorKind::kIsolation, within("make a cell", os::SharedNotes::make())));
  auto sockets = TRY(as(ErrorKind::kIsolation, within("make a cell", os::make_socket_pair())));
  if (!channel_.send(wire::encode_cell(), os::deadline_in(kChamberTimeout), sockets.second.get()))
    return no_isolation("make a cell: the chamber is gone");
  os::Channel socket(std::move(sockets.first));
  return PendingCell{std::move(socket), std::move(notes)};
}

Result<std::unique_ptr<Cell>> Chamber::receive_cell(PendingCell pending) {
  const auto answer = channel_.receive(wire::kMaxReply, os::deadline_in(kChamberTimeout));
  if (!answer) {
    // It may be alive, and only too slow, or we were told to stop: nobody waits for it then.
    process_.kill();
    return no_isolation("make a cell: the chamber gave no answer (" + process_.wait().describe() +
                        ")");
  }
  if (const auto trouble = wire::decode_trouble(*answer))
    return no_isolation("make a cell: " + *trouble);
  const auto id = wire::decode_born(*answer);
  Fd handle = channel_.take_descriptor();
  if (!id || !handle.is_open())
    return no_isolation("make a cell: the chamber gave an answer that is not understood");
  return std::unique_ptr<Cell>(
      new Cell(*this, std::move(pending.socket), std::move(handle), *id, std::move(pending.notes)));
}

void Chamber::request_spare_cell(const RunLimits& limits, std::size_t most) {
  const std::scoped_lock turn(zygote_turn_);
  std::size_t all = spares_.size();
  auto fitting = static_cast<std::size_t>(std::ranges::count_if(
      spares_, [&](const auto& one) { return one->limits_.memory_bytes == limits.memory_bytes; }));
  for (const PendingFork& fork : pending_forks_) {
    ++all;
    if (fork.limits.memory_bytes == limits.memory_bytes) ++fitting;
  }
  if (fitting >= most || all >= kMostSpares) return;
  auto requested = request_cell();
  if (!requested) return;  // whoever needs a cell will hear of it
  requested->socket.send(wire::encode_prepare(prepare_for(limits)),
                         os::deadline_in(kChamberTimeout), requested->notes.descriptor());
  pending_forks_.emplace_back(PendingFork{std::move(*requested), limits});
}

// Before any other question: takes the answers that nobody has waited for.
void Chamber::drain_pending_forks(Waiting waiting) {
  while (!pending_forks_.empty() && (waiting == Waiting::kForAll || channel_.has_input()))
    take_pending_fork();
}

// A spare cell that could not be had is none: whoever needs one asks again, and hears why not.
void Chamber::take_pending_fork() {
  PendingFork fork = std::move(pending_forks_.front());
  pending_forks_.pop_front();
  auto spare = receive_cell(std::move(fork.cell));
  if (!spare) return;
  (*spare)->is_prepared_ = true;
  (*spare)->limits_ = fork.limits;
  spares_.push_back(std::move(*spare));
}

std::unique_ptr<Cell> Chamber::find_spare(const RunLimits& limits) {
  const auto found = std::ranges::find_if(
      spares_, [&](const auto& one) { return one->limits_.memory_bytes == limits.memory_bytes; });
  if (found == spares_.end()) return nullptr;
  auto cell = std::move(*found);
  spares_.erase(found);
  return cell;
}

std::unique_ptr<Cell> Chamber::take_spare_cell(const RunLimits& limits) {
  const std::scoped_lock turn(zygote_turn_);
  drain_pending_forks(Waiting::kForNone);
  return find_spare(limits);
}

Result<std::unique_ptr<Cell>> Chamber::make_cell() {
  const std::scoped_lock turn(zygote_turn_);
  drain_pending_forks();
  if (!spares_.empty()) {
    auto taken = std::move(spares_.front());
    spares_.erase(spares_.begin());
    return taken;
  }
  auto requested = TRY(request_cell());
  return receive_cell(std::move(requested));
}

Result<std::unique_ptr<Cell>> Chamber::make_cell(const RunLimits& limits,
                                                 std::span<const SessionFile> files) {
  const std::scoped_lock turn(zygote_turn_);
  // One that is still on its way is waited for only when none is here.
  for (const Waiting waiting : {Waiting::kForNone, Waiting::kForAll}) {
    drain_pending_forks(waiting);
    auto spare = files.empty() ? find_spare(limits) : nullptr;
    if (spare) return spare;
  }
  auto cell = TRY(receive_cell(TRY(request_cell())));
  cell->prepare(limits, files);
  return cell;
}

bool Chamber::is_alive() const {
  pollfd ended{zygote_.is_open() ? zygote_.get() : -1, POLLIN, 0};
  constexpr int kMilliseconds = 50;
  return zygote_.is_open() && ::poll(&ended, 1, kMilliseconds) == 0;
}

bool Chamber::cell_dies_with_zygote(Cell& cell) {
  constexpr int kMilliseconds = 2000;
  process_.kill();
  pollfd ended{cell.handle_.get(), POLLIN, 0};
  return ::poll(&ended, 1, kMilliseconds) == 1;
}

// Nobody needs to know how a cell ended that we have killed.
void Chamber::forget(std::uint32_t id) {
  const std::scoped_lock turn(zygote_turn_);
  channel_.send(wire::encode_forget(id), os::deadline_in(kChamberTimeout));
}

std::optional<wire::Ended> Chamber::reap(std::uint32_t id) {
  const std::scoped_lock turn(zygote_turn_);
  drain_pending_forks();
  if (!channel_.send(wire::encode_reap(id), os::deadline_in(kChamberTimeout))) return std::nullopt;
  const auto answer = channel_.receive(wire::kMaxReply, os::deadline_in(kChamberTimeout));
  return answer ? wire::decode_ended(*answer) : std::nullopt;
}

Cell::~Cell() {
  if (is_gone_) return;
  kill();
  chamber_.forget(id_);
}

std::optional<RawOutcome> Cell::finish() {
  if (is_gone_) return std::nullopt;
  denials_.serve(notes_);
  kill();
  chamber_.forget(id_);
  const bool was_talking = channel_.has_bytes();
  FinalNotes notes = final_notes();
  if (!was_talking && notes.denials.empty()) return std::nullopt;
  return RawOutcome(std::unexpected(Garbled{std::move(notes)}));
}

void Cell::await_gone() {
  if (!is_gone_) kill();
  pollfd ended{handle_.get(), POLLIN, 0};
  while (::poll(&ended, 1, -1) < 0 && errno == EINTR) {
  }
}

// There is only one process to a cell: it cannot make another.
void Cell::kill() {
  is_gone_ = true;
  ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
}

void Cell::interrupt() const {
  ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
}

// Which line is at work, before it is too late to ask. A process that does not answer in a few
// milliseconds of its own time keeps it to itself; on a busy machine it has to wait for these.
void Cell::ask_for_line() {
  using std::chrono::milliseconds;
  constexpr timespec kMoment{0, 200'000};
  constexpr auto kPatience = milliseconds(5);
  constexpr auto kLongestPatience = milliseconds(250);
  const auto clock = os::processor_clock(handle_.get());
  const auto used_before = clock ? os::processor_time(*clock) : std::chrono::nanoseconds(0);
  const auto is_deaf = [&] {
    return clock && os::processor_time(*clock) - used_before >= kPatience;
  };
  const auto until = std::chrono::steady_clock::now() + (clock ? kLongestPatience : kPatience);
  ::syscall(SYS_pidfd_send_signal, handle_.get(), os::kLineRequestSignal, nullptr, 0);
  while (!notes_.has_line() && !is_deaf() && std::chrono::steady_clock::now() < until)
    ::nanosleep(&kMoment, nullptr);
}

FinalNotes Cell::final_notes() {
  FinalNotes notes;
  // Those of imports too: where there is no answer to list them with, they count.
  notes.denials = denials_.take(notes_);
  notes.line = notes_.has_line() ? notes_.line() : 0;
  notes.output = replace_invalid_utf8(notes_.text(os::SharedNotes::Stream::kOutput));
  notes.error_output = replace_invalid_utf8(notes_.text(os::SharedNotes::Stream::kError));
  return notes;
}

// Kills (when it has not ended by itself) and reaps.
Ending Cell::end(bool was_late) {
  if (was_late) ask_for_line();
  kill();
  if (was_late) {
    chamber_.forget(id_);
    return TimedOut{final_notes()};
  }
  const auto ended = chamber_.reap(id_);
  if (!ended) {
    trouble_ = Error{"run the code: the chamber is gone", ErrorKind::kIsolation};
    return Exited{};
  }
  if (ended->was_signalled) return Crashed{ended->number, final_notes()};
  return Exited{ended->number, final_notes()};
}

// Its end of the socket is closed. A process that has ended says how; one that goes on closed it.
Ending Cell::end_after_close() {
  constexpr int kMilliseconds = 500;
  pollfd ended{handle_.get(), POLLIN, 0};
  if (::poll(&ended, 1, kMilliseconds) == 1) return end(false);
  kill();
  chamber_.forget(id_);
  return Garbled{final_notes()};
}

// What was noted is taken before the ending takes it.
Ending Cell::garbled() {
  FinalNotes notes = final_notes();
  end(false);
  return Garbled{std::move(notes)};
}

Ending Cell::flooded() {
  Flooded flood{denials_.count(), final_notes()};
  end(false);
  return flood;
}

// The next message; calls that are denied meanwhile are counted and refused.
std::expected<std::string, os::NoMessage> Cell::receive_and_serve_denials(os::Deadline deadline) {
  const std::size_t most = largest_outcome(limits_);
  if (denials_.descriptor() < 0) return channel_.receive(most, deadline);
  while (true) {
    auto message = channel_.receive(most, std::chrono::steady_clock::now());
    if (message || message.error() != os::NoMessage::kTimedOut) return message;
    // A cell that keeps us busy gets no more time for it.
    const bool is_over = std::chrono::steady_clock::now() >= *deadline;
    if (is_over || denials_.is_flooded() ||
        !channel_.wait_for_input(deadline, denials_.descriptor()))
      return message;
    serve_denials();
  }
}

std::expected<std::string, Ending> Cell::await_message() {
  auto answer =
      receive_and_serve_denials(os::deadline_in(std::chrono::milliseconds(limits_.timeout_ms)));
  if (answer) return std::move(*answer);
  if (denials_.is_flooded()) return std::unexpected(flooded());
  if (answer.error() == os::NoMessage::kTooLong) return std::unexpected(garbled());
  if (answer.error() == os::NoMessage::kTimedOut) return std::unexpected(end(true));
  return std::unexpected(end_after_close());
}

// One answer, to the question that was asked, and not a byte more. While more were asked, it may be
// at work on the next one: what was denied to it there is that one's.
RawOutcome Cell::await() {
  const auto answer = TRY(await_message());
  auto read = wire::decode_outcome(answer);
  const bool is_last = ahead_.empty();
  if (!read || read->ticket != ticket_ || (is_last && channel_.has_bytes()))
    return std::unexpected(garbled());
  serve_denials();  // of another thread
  read->outcome.denials = is_last ? denials_.take(notes_) : denials_.take(notes_, asked_);
  read->outcome.import_denials = split_off_imports(read->outcome.denials);
  return std::move(read->outcome);
}

void Cell::serve_denials() {
  denials_.serve(notes_, {.first = asked_, .last = asked_ + ahead_.size()});
}

// False: it could not lock itself down. Nothing was run, and trouble() says why. What comes along
// from here on comes from the guest, and is closed.
bool Cell::await_walls(Listener listener) {
  const auto answer = channel_.receive(wire::kMaxOutcome, os::deadline_in(kChamberTimeout));
  Fd handed_over = channel_.take_descriptor();
  out_ = channel_.take_descriptor();
  channel_.refuse_descriptors();
  auto walls = answer ? wire::decode_locked(*answer) : std::nullopt;
  const bool is_wanted = listener == Listener::kPerPolicy && chamber_.has_listeners_;
  if (walls && (handed_over.is_open() || !is_wanted)) {
    walls_ = std::move(*walls);
    if (handed_over.is_open())
      denials_.listen(std::move(handed_over), handle_.get(), chamber_.most_threads_);
    return true;
  }
  const auto said = answer ? wire::decode_trouble(*answer) : std::nullopt;
  end(false);
  trouble_ = Error{"lock the cell: " + (said    ? *said
                                        : walls ? "it gave no listener for denied calls"
                                                : "it ended before its walls stood"),
                   ErrorKind::kIsolation};
  return false;
}

void Cell::prepare(const RunLimits& limits, std::span<const SessionFile> files) {
  is_prepared_ = true;
  limits_ = limits;
  channel_.send(wire::encode_prepare(prepare_for(limits, files)), os::deadline_in(kChamberTimeout),
                notes_.descriptor());
}

RawOutcome Cell::load(const Vetted& code, const RunLimits& limits) {
  begin_load(code, limits);
  return finish_load();
}

void Cell::begin_load(const Vetted& code, const RunLimits& limits) {
  if (!is_prepared_) prepare(limits);
  limits_ = limits;
  ticket_ = draw_ticket();
  is_loading_ = true;
  channel_.send(wire::encode_load(ticket_, limits, code.compiled()),
                os::deadline_in(kChamberTimeout));
}

RawOutcome Cell::finish_load() {
  is_loading_ = false;
  if (!await_walls(Listener::kPerPolicy)) return std::unexpected(Exited{});
  return await();
}

std::expected<std::uint32_t, Ending> Cell::commit(grant::OurOwnProgram,
                                                  const wire::CrimeRequest& attempt,
                                                  std::uint32_t timeout_ms) {
  limits_.timeout_ms = timeout_ms;
  channel_.send(wire::encode_attempt(attempt), os::deadline_in(kChamberTimeout));
  if (!await_walls(Listener::kNone)) return std::unexpected(Exited{});
  const auto answer = TRY(await_message());
  const auto error = wire::decode_answer(answer);
  end(false);
  if (!error) return std::unexpected(Garbled{});
  return *error;
}

std::size_t Cell::ask_ahead(std::span<const std::string> paths) {
  constexpr std::size_t kMostBytes = 32 * 1024;  // which an empty socket always takes
  // call() says what that means. While it loads, it has an answer to give.
  if (!is_loading_ && channel_.has_bytes()) return 0;
  std::size_t bytes = 0;
  for (const std::string& path : paths) {
    bytes += path.size() + 32;
    if (bytes > kMostBytes) break;
    ahead_.push_back({draw_ticket(), path});
    channel_.queue(wire::encode_path(ahead_.back().ticket, path));
  }
  channel_.flush();
  return ahead_.size();
}

RawOutcome Cell::call(std::string_view path) {
  ++asked_;
  if (!ahead_.empty()) {
    const Question asked = std::move(ahead_.front());
    ahead_.pop_front();
    if (asked.path != path) return std::unexpected(garbled());  // no answer to this one will come
    ticket_ = asked.ticket;
    channel_.flush();
    return await();
  }
  // It has something to say before it knows what it will be asked.
  if (channel_.has_bytes()) return std::unexpected(garbled());
  ticket_ = draw_ticket();
  // A cell that does not take the path will not answer either: the deadline covers both.
  channel_.send(wire::encode_path(ticket_, path),
                os::deadline_in(std::chrono::milliseconds(limits_.timeout_ms)));
  return await();
}

}  // namespace airlock::run

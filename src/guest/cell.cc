// (1) The first message brings the limits: the walls go up before the code arrives, so a cell can
// be made before it is needed. (2) A cell that ends before it says "locked" has run nothing of the
// guest: that is our Error, not the guest's ending. (3) The deadline is not here: the supervisor
// holds the clock and kills from outside.
#include "guest/cell.h"

#include <optional>
#include <utility>

#include "guest/bulk.h"
#include "guest/denials.h"
#include "guest/host_exit.h"
#include "guest/session.h"
#include "jail/crimes.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"

namespace airlock::guest {

namespace {

// For a crime, small, so that the doctor need not wait.
constexpr std::uint32_t kCrimeCpuSeconds = 1;
constexpr std::uint64_t kCrimeMemory = 100 * 1000 * 1000;

Counting counting_of(const CellSetup& plan) {
  return plan.filter.has_listener ? Counting::kBySupervisor : Counting::kByNotes;
}

// The listener, and a session's /out, go to the supervisor, and are held by nobody here when the
// guest's code comes.
bool say_locked(os::Channel& channel, jail::LockedCell locked) {
  std::vector<int> handles;
  for (const Fd* handle : {&locked.listener, &locked.out}) {
    if (handle->is_open()) handles.push_back(handle->get());
  }
  return channel.send(wire::encode_locked(locked.walls), std::nullopt, handles);
}

// The root of a session is its own, and comes before everything else.
Result<jail::LockedCell> lock_down(const CellSetup& plan, const wire::Prepare& prepare,
                                   const jail::CellLimits& limits) {
  std::vector<std::string> walls = plan.walls;
  Fd out;
  if (plan.has_sessions) {
    std::vector<os::DataFile> files;
    for (const SessionFile& file : prepare.files)
      files.push_back({file.name, file.path, file.device, file.inode});
    out = TRY(jail::lock_down_session({plan.folders, files, prepare.out_bytes}, walls));
  } else if (!prepare.files.empty()) {
    return fail("this host has no user namespaces: a session without files is all it can give");
  }
  auto locked = TRY(jail::lock_down_cell(plan.filter, limits, std::move(walls)));
  locked.out = std::move(out);
  return locked;
}

jail::CellLimits limits_of(const CellSetup& plan, std::uint64_t memory_bytes,
                           std::uint32_t cpu_seconds) {
  jail::CellLimits limits = jail::limits_for(plan.mapped, memory_bytes, cpu_seconds);
  limits.descriptors = plan.descriptors;
  limits.file_bytes = plan.file_bytes;
  limits.may_have_threads = plan.has_threads;
  return limits;
}

// One crime, by our own code: the doctor wants to see what the kernel answers.
int commit_crime(os::Channel& channel, const wire::CrimeRequest& attempt,
                 const python::GuestCode& code, const CellSetup& plan) {
  const jail::Crime* crime = jail::find_crime(attempt.crime);
  if (crime == nullptr) return kBadRequest;
  install_denial_handlers(code.filename(), counting_of(plan), nullptr);
  const jail::CellLimits limits = limits_of(plan, kCrimeMemory, kCrimeCpuSeconds);
  auto locked = crime->filter == jail::Filter::kUp
                    ? jail::lock_down_cell(plan.filter, limits, plan.walls)
                    : jail::lock_down_cell(jail::grant::OnlyOurCode(), limits, plan.walls);
  if (!locked) {
    channel.send(wire::encode_trouble(locked.error().message), std::nullopt);
    return kCannotStart;
  }
  if (!say_locked(channel, std::move(*locked))) return kPeerGone;
  const jail::Bait bait{static_cast<pid_t>(attempt.process),
                        static_cast<int>(attempt.shared_memory), attempt.host_name, attempt.file};
  const int answer = crime->commit(bait);
  return channel.send(wire::encode_answer(static_cast<std::uint32_t>(answer)), std::nullopt)
             ? kDone
             : kPeerGone;
}

}  // namespace

int run_cell(os::Channel channel, python::GuestCode& code, const CellSetup& plan) {
  const auto first = channel.receive(wire::kMaxCellRequest, std::nullopt);
  if (!first) return first.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
  if (const auto attempt = wire::decode_attempt(*first))
    return commit_crime(channel, *attempt, code, plan);
  const auto prepare = wire::decode_prepare(*first);
  if (!prepare) return kBadRequest;
  Fd shared = channel.take_descriptor();
  if (!shared.is_open()) return kBadRequest;
  auto notes = os::SharedNotes::map(std::move(shared));
  if (!notes) return kCannotStart;
  install_denial_handlers(code.filename(), counting_of(plan), &*notes);
  code.keep_copies(&*notes);
  auto locked =
      lock_down(plan, *prepare, limits_of(plan, prepare->memory_bytes, prepare->cpu_seconds));
  if (!locked) {
    channel.send(wire::encode_trouble(locked.error().message), std::nullopt);
    return kCannotStart;
  }
  if (!say_locked(channel, std::move(*locked))) return kPeerGone;

  // A cell that waits for its code uses the time, unless its pages are its own already.
  if (!plan.has_hot_pages && !channel.has_input()) code.touch();
  const auto second = channel.receive(wire::kMaxCellRequest, std::nullopt);
  if (!second) return second.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
  if (const auto open = wire::decode_open(*second))
    return run_session(channel, code, *notes, *open);
  const auto load = wire::decode_load(*second);
  if (!load) return kBadRequest;
  Bulk bulk(*notes);
  const GuestOutcome loaded = code.load(load->compiled, load->limits);
  if (!channel.send(wire::encode_outcome(load->ticket, loaded), std::nullopt)) return kPeerGone;
  while (loaded.success) {
    const auto message = channel.receive(wire::kMaxCellRequest, std::nullopt);
    if (!message) return message.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
    if (const auto batch = wire::decode_batch(*message)) {
      if (!bulk.answer(*batch, channel, code, load->limits)) return kPeerGone;
      continue;
    }
    const auto asked = wire::decode_path(*message);
    if (!asked) return kBadRequest;
    notes->begin_path();
    const GuestOutcome outcome = code.call(asked->path, load->limits);
    if (!channel.send(wire::encode_outcome(asked->ticket, outcome), std::nullopt)) return kPeerGone;
  }
  return kDone;
}

}  // namespace airlock::guest

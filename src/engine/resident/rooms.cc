#include "engine/resident/rooms.h"

#include <chrono>
#include <optional>
#include <utility>

#include "engine/load/vet_source.h"

namespace airlock {

namespace {

// A validation uses two: one for its samples, one for the second look.
constexpr std::size_t kSpareCells = 2;
// More than run at once are not kept.
constexpr std::size_t kMostIdleVetters = 8;

}  // namespace

Rooms::Room& Rooms::room_of(const Policy& policy) {
  const std::scoped_lock held(lock_);
  // Compared, not hashed: that would take ten times as long.
  for (const auto& room : rooms_) {
    if (room->policy == policy) return *room;
  }
  rooms_.push_back(std::make_unique<Room>(policy));
  return *rooms_.back();
}

Result<run::VetterClient> Rooms::start_vetter(const Policy& policy) {
  std::optional<Result<run::VetterClient>> started;
  starter_.run([&] { started = run::VetterClient::start(host_program_, policy); });
  return std::move(*started);
}

std::optional<run::VetterClient> Rooms::Room::take_idle_vetter() {
  const std::scoped_lock held(lock);
  if (idle_vetters.empty()) return std::nullopt;
  run::VetterClient vetter = std::move(idle_vetters.back());
  idle_vetters.pop_back();
  return vetter;
}

void Rooms::Room::keep_vetter(run::VetterClient vetter) {
  const std::scoped_lock held(lock);
  if (idle_vetters.size() < kMostIdleVetters) idle_vetters.push_back(std::move(vetter));
}

Result<run::VetterClient> Rooms::take_vetter(Room& room, const Policy& policy) {
  if (auto idle = room.take_idle_vetter()) return *std::move(idle);
  // One may be on its way (warm_vetter): it is there when the other thread gets to us.
  std::optional<Result<run::VetterClient>> taken;
  starter_.run([&] {
    if (auto idle = room.take_idle_vetter())
      taken = *std::move(idle);
    else
      taken = run::VetterClient::start(host_program_, policy);
  });
  return std::move(*taken);
}

// Nothing gets into a chamber that was not judged: who starts one will want a vetter next. Returns
// at once; one that cannot be started is started again by whoever needs it, and hears of it.
void Rooms::warm_vetter(Room& room) {
  starter_.start([this, &room] {
    {
      const std::scoped_lock held(room.lock);
      if (!room.idle_vetters.empty()) return;
    }
    auto started = run::VetterClient::start(host_program_, room.policy);
    if (started) room.keep_vetter(*std::move(started));
  });
}

// One that was idle may have died before it was asked, and anyone may be killed from outside: a
// fresh one is asked once more. A text that uses up the time is not tried again.
template <typename Question>
auto Rooms::ask_vetter(const Policy& policy, const Question& question)
    -> Result<std::invoke_result_t<Question, run::VetterClient&>> {
  Room& room = room_of(policy);
  const auto start = std::chrono::steady_clock::now();
  auto vetter = TRY(take_vetter(room, policy));
  auto answer = question(vetter);
  if (!answer && std::chrono::steady_clock::now() - start < kVetPatience / 2) {
    vetter = TRY(start_vetter(policy));
    answer = question(vetter);
  }
  if (answer) room.keep_vetter(std::move(vetter));
  return answer;
}

Result<Verdict> Rooms::vet(const Policy& policy, std::string_view raw, Stages stages,
                           TextKind kind) {
  return finish_vetting(raw, kind, TRY(ask_vetter(policy, [&](run::VetterClient& vetter) {
                          return vetter.vet(raw, stages, kind, kVetPatience);
                        })));
}

Result<run::Screened> Rooms::screen(const Policy& policy, std::string_view raw,
                                    run::Screening screening, TextKind kind) {
  return finish_screening(raw, kind, TRY(ask_vetter(policy, [&](run::VetterClient& vetter) {
                            return vetter.screen(raw, screening, kind, kVetPatience);
                          })));
}

Result<std::shared_ptr<run::Chamber>> Rooms::chamber(const Policy& policy,
                                                     const std::optional<RunLimits>& first_cell,
                                                     HashOrder order) {
  Room& room = room_of(policy);
  WarmChamber& warm = room.chamber_of(order);
  const std::scoped_lock held(warm.lock);
  if (!warm.chamber) {
    std::optional<Result<std::unique_ptr<run::Chamber>>> started;
    starter_.run(
        [&] { started = run::Chamber::start(host_program_, policy, order, CellCount::kMany); });
    auto chamber = TRY(std::move(*started));
    warm_vetter(room);
    TRY(chamber->await_ready());
    warm.chamber = std::move(chamber);
  }
  if (first_cell) replace_taken_cell(warm.chamber, *first_cell);
  return warm.chamber;
}

void Rooms::drop_chamber(const Policy& policy, HashOrder order,
                         const std::shared_ptr<run::Chamber>& lost) {
  WarmChamber& warm = room_of(policy).chamber_of(order);
  const std::scoped_lock held(warm.lock);
  if (warm.chamber == lost) warm.chamber.reset();
}

// By the other thread: whoever took a cell has an answer to give first.
void Rooms::replace_taken_cell(const std::shared_ptr<run::Chamber>& chamber,
                               const RunLimits& limits) {
  starter_.start([chamber, limits] {
    for (std::size_t i = 0; i < kSpareCells; ++i) chamber->request_spare_cell(limits, kSpareCells);
  });
}

Result<Rooms::OpenedSession> Rooms::open_session(const Policy& policy, const PieceLimits& limits,
                                                 std::span<const HostFunction> functions,
                                                 std::span<const SessionFile> files) {
  for (int attempt = 0;; ++attempt) {
    auto chamber = TRY(this->chamber(policy, std::nullopt, HashOrder::kUsual));
    auto cell = run::SessionCell::open(*chamber, limits, functions, files);
    replace_taken_cell(chamber, run::process_limits(limits));
    if (cell) return OpenedSession{std::move(chamber), std::move(*cell)};
    if (cell.error().kind != ErrorKind::kIsolation) return std::unexpected(std::move(cell).error());
    // A zygote that somebody killed is replaced once. One that lives can give cells: then it is the
    // files that this one could not be given.
    if (!files.empty() && chamber->is_alive()) return bad_request(std::move(cell).error().message);
    drop_chamber(policy, HashOrder::kUsual, chamber);
    if (attempt > 0) return std::unexpected(std::move(cell).error());
  }
}

Result<void> Rooms::warm(const Policy& policy, const PieceLimits& limits) {
  TRY(chamber(policy, run::process_limits(limits), HashOrder::kUsual));
  return {};
}

}  // namespace airlock

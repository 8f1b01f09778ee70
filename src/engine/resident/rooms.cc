#include "engine/resident/rooms.h"

#include <chrono>
#include <optional>
#include <utility>

#include "engine/load/vet_source.h"
#include "engine/policy/policy_hash.h"

namespace airlock {

namespace {

constexpr auto kVetPatience = std::chrono::seconds(10);
// More than run at once are not kept.
constexpr std::size_t kMostIdleVetters = 8;

std::string key_of(const Policy& policy) {
  std::string key = policy_hash(policy);
  for (const std::string& name : policy.preloaded) key += " " + name;
  return key;
}

}  // namespace

Rooms::Room& Rooms::room_of(const Policy& policy) {
  const std::scoped_lock held(lock_);
  auto& room = rooms_[key_of(policy)];
  if (!room) room = std::make_unique<Room>();
  return *room;
}

Result<run::VetterClient> Rooms::take_vetter(Room& room, const Policy& policy, bool& was_idle) {
  {
    const std::scoped_lock held(room.lock);
    was_idle = !room.idle_vetters.empty();
    if (was_idle) {
      run::VetterClient vetter = std::move(room.idle_vetters.back());
      room.idle_vetters.pop_back();
      return vetter;
    }
  }
  std::optional<Result<run::VetterClient>> started;
  starter_.run([&] { started = run::VetterClient::start(host_program_, policy); });
  return std::move(*started);
}

Result<run::Screened> Rooms::screen(const Policy& policy, std::string_view raw,
                                    run::Screening screening, TextKind kind) {
  Room& room = room_of(policy);
  while (true) {
    bool was_idle = false;
    auto vetter = TRY(take_vetter(room, policy, was_idle));
    auto answer = vetter.screen(raw, screening, kind, kVetPatience);
    if (answer) {
      const std::scoped_lock held(room.lock);
      if (room.idle_vetters.size() < kMostIdleVetters)
        room.idle_vetters.push_back(std::move(vetter));
      return *std::move(answer);
    }
    // One that has been idle may have died before it was asked; a fresh one did not.
    if (was_idle) continue;
    return run::Screened{refuse_unfinished(answer.error().why), std::nullopt};
  }
}

Result<std::shared_ptr<run::Chamber>> Rooms::chamber_of(Room& room, const Policy& policy) {
  const std::scoped_lock held(room.lock);
  if (room.chamber) return room.chamber;
  std::optional<Result<std::unique_ptr<run::Chamber>>> started;
  starter_.run([&] { started = run::Chamber::start(host_program_, policy); });
  auto chamber = TRY(std::move(*started));
  TRY(chamber->await_ready());
  room.chamber = std::move(chamber);
  return room.chamber;
}

void Rooms::drop_chamber(Room& room, const std::shared_ptr<run::Chamber>& lost) {
  const std::scoped_lock held(room.lock);
  if (room.chamber == lost) room.chamber.reset();
}

Result<Rooms::OpenedSession> Rooms::open_session(const Policy& policy, const PieceLimits& limits,
                                                 std::span<const HostFunction> functions,
                                                 std::span<const SessionFile> files) {
  Room& room = room_of(policy);
  for (int attempt = 0;; ++attempt) {
    auto chamber = TRY(chamber_of(room, policy));
    auto cell = run::SessionCell::open(*chamber, limits, functions, files);
    chamber->request_spare_cell(run::process_limits(limits));
    if (cell) return OpenedSession{std::move(chamber), std::move(*cell)};
    // A zygote that somebody killed is replaced once.
    if (cell.error().kind != ErrorKind::kIsolation || attempt > 0)
      return std::unexpected(std::move(cell).error());
    drop_chamber(room, chamber);
  }
}

Result<void> Rooms::warm(const Policy& policy, const PieceLimits& limits) {
  auto chamber = TRY(chamber_of(room_of(policy), policy));
  chamber->request_spare_cell(run::process_limits(limits));
  return {};
}

}  // namespace airlock

// What a resident engine keeps warm: vetters and chambers, one kind for each policy that was asked
// for. Whoever needs one borrows it; a process that died meanwhile is replaced, once, before anyone
// hears of it. Pipelines take it as their Supply; sessions are opened here.
//
// Processes are started by one thread of their own (starter.h) and end with this object; nothing
// that was borrowed may outlive it. Threads: all functions from any thread.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/load/supply.h"
#include "engine/resident/starter.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "run/chamber.h"
#include "run/session_cell.h"
#include "run/vetter_client.h"

namespace airlock {

class Rooms final : public Supply {
 public:
  // `host_program` is airlock-host.
  explicit Rooms(std::string host_program) : host_program_(std::move(host_program)) {}

  // By a warm vetter of the policy. A text that ends its vetter is refused, as everywhere.
  Result<Verdict> vet(const Policy& policy, std::string_view raw, Stages stages,
                      TextKind kind) override;
  Result<run::Screened> screen(const Policy& policy, std::string_view raw, run::Screening screening,
                               TextKind kind) override;
  // Shared by all who ask for the policy, and ready. A spare cell is kept in it.
  Result<std::shared_ptr<run::Chamber>> chamber(const Policy& policy,
                                                const std::optional<RunLimits>& first_cell,
                                                HashOrder order) override;
  void drop_chamber(const Policy& policy, HashOrder order,
                    const std::shared_ptr<run::Chamber>& lost) override;
  void replace_taken_cell(const std::shared_ptr<run::Chamber>& chamber,
                          const RunLimits& limits) override;
  bool is_warm() const override { return true; }

  // A cell that holds a new session, in a chamber of this policy (with kSessionRuntime preloaded).
  // An Error: a function that is none, or this host cannot give the isolation.
  struct OpenedSession {
    std::shared_ptr<run::Chamber> chamber;  // in which it lives
    std::unique_ptr<run::SessionCell> cell;
  };
  Result<OpenedSession> open_session(const Policy& policy, const PieceLimits& limits,
                                     std::span<const HostFunction> functions,
                                     std::span<const SessionFile> files);

  // Starts what a first session would wait for.
  Result<void> warm(const Policy& policy, const PieceLimits& limits);

 private:
  // Who wants it while it starts waits for it.
  struct WarmChamber {
    std::mutex lock;
    std::shared_ptr<run::Chamber> chamber;  // none yet, or it was lost
  };

  // Everything of one policy.
  struct Room {
    explicit Room(Policy its_policy) : policy(std::move(its_policy)) {}

    const Policy policy;
    std::mutex lock;
    std::vector<run::VetterClient> idle_vetters;  // under `lock`
    std::array<WarmChamber, 2> chambers;          // by HashOrder

    std::optional<run::VetterClient> take_idle_vetter();
    void keep_vetter(run::VetterClient vetter);

    WarmChamber& chamber_of(HashOrder order) {
      return chambers[order == HashOrder::kUsual ? 0 : 1];
    }
  };

  Room& room_of(const Policy& policy);
  Result<run::VetterClient> start_vetter(const Policy& policy);
  void warm_vetter(Room& room);
  Result<run::VetterClient> take_vetter(Room& room, const Policy& policy);
  template <typename Question>
  auto ask_vetter(const Policy& policy, const Question& question)
      -> Result<std::invoke_result_t<Question, run::VetterClient&>>;

  const std::string host_program_;
  std::mutex lock_;
  std::vector<std::unique_ptr<Room>> rooms_;  // few: one for each policy and set of packages
  Starter starter_;  // last, so that it ends first: the processes are told to end by their owners
};

}  // namespace airlock

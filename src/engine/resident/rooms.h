// What a resident engine keeps warm: vetters and chambers, one kind for each policy that was asked
// for. Whoever needs one borrows it; a process that died meanwhile is replaced, once, before anyone
// hears of it.
//
// Processes are started by one thread of their own (starter.h) and end with this object; nothing
// that was borrowed may outlive it. Threads: all functions from any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/resident/starter.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "run/chamber.h"
#include "run/session_cell.h"
#include "run/vetter_client.h"

namespace airlock {

class Rooms {
 public:
  // `host_program` is airlock-host.
  explicit Rooms(std::string host_program) : host_program_(std::move(host_program)) {}

  // Judged by a warm vetter of the policy. A text that ends its vetter is refused, as everywhere
  // (engine/load/vet_source.h). An Error: no vetter can be had.
  Result<run::Screened> screen(const Policy& policy, std::string_view raw, run::Screening screening,
                               TextKind kind);

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
  // Everything of one policy.
  struct Room {
    std::mutex lock;
    std::vector<run::VetterClient> idle_vetters;
    std::shared_ptr<run::Chamber> chamber;  // none yet, or it was lost
  };

  Room& room_of(const Policy& policy);
  Result<run::VetterClient> take_vetter(Room& room, const Policy& policy, bool& was_idle);
  Result<std::shared_ptr<run::Chamber>> chamber_of(Room& room, const Policy& policy);
  void drop_chamber(Room& room, const std::shared_ptr<run::Chamber>& lost);

  const std::string host_program_;
  std::mutex lock_;
  std::map<std::string, std::unique_ptr<Room>> rooms_;  // by what a host is told of the policy
  Starter starter_;  // last, so that it ends first: the processes are told to end by their owners
};

}  // namespace airlock

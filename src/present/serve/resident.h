// What all connections of one server share: warm rooms, the policies and packages that it was
// started with, and the bounds of what runs and is open at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/bulk/kept_extractors.h"
#include "engine/resident/rooms.h"
#include "engine/session/packages.h"
#include "model/policy.h"
#include "model/user_dirs.h"
#include "present/serve/activity.h"
#include "present/serve/task_threads.h"
#include "present/serve/work_slots.h"

namespace airlock::serve {

struct ServeOptions {
  std::string host_program;
  UserDirs user_dirs;
  std::vector<std::string> policies;         // names or files; clients choose among them
  SessionPackages packages;                  // of all sessions
  std::size_t workers = 0;                   // how much runs at once
  std::vector<std::string> file_roots = {};  // below which clients may name files; real paths
  double idle_seconds = 0;                   // after which a session that nobody uses is closed
  std::size_t more_clients = 0;              // descriptors that are theirs, and no session's
};

class Resident {
 public:
  // A session that is open, of any client; until it is given up.
  class Counted {
   public:
    Counted() = default;
    explicit Counted(std::atomic<std::size_t>& count) : count_(&count) {}
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    Counted& operator=(Counted&& other) noexcept {
      std::swap(count_, other.count_);
      return *this;
    }
    ~Counted() {
      if (count_ != nullptr) --*count_;
    }

   private:
    std::atomic<std::size_t>* count_ = nullptr;
  };

  // An Error: a policy that cannot be read.
  static Result<std::unique_ptr<Resident>> make(ServeOptions options);

  const ServeOptions& options() const { return options_; }
  Rooms& rooms() { return rooms_; }
  KeptExtractors& extractors() { return extractors_; }
  TaskThreads& threads() { return threads_; }
  WorkSlots& slots() { return slots_; }
  // An Error: as many are open as there are descriptors for.
  Result<Counted> count_session();
  // What is told to whoever watches the server.
  std::size_t sessions_open() const { return open_sessions_; }
  std::atomic<std::uint64_t>& pieces_run() { return pieces_run_; }
  std::atomic<std::uint64_t>& calls_denied() { return calls_denied_; }
  Activity& activity() { return activity_; }
  // Those that the server was started with, by their names.
  const std::map<std::string, Policy>& policies() const { return policies_; }
  // One of them; an Error that lists them otherwise.
  Result<const Policy*> policy(const std::string& name) const;

 private:
  Resident(ServeOptions options, std::map<std::string, Policy> policies);

  ServeOptions options_;
  std::map<std::string, Policy> policies_;
  Rooms rooms_;
  KeptExtractors extractors_;
  WorkSlots slots_;
  const std::size_t most_sessions_;
  std::atomic<std::size_t> open_sessions_ = 0;
  std::atomic<std::uint64_t> pieces_run_ = 0;
  std::atomic<std::uint64_t> calls_denied_ = 0;  // of pieces, by the kernel
  Activity activity_;
  TaskThreads threads_;
};

}  // namespace airlock::serve

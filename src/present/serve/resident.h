// What all connections of one server share: warm rooms, the policies and packages that it was
// started with, and the threads that do the work.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/resident/rooms.h"
#include "model/policy.h"
#include "model/user_dirs.h"
#include "present/serve/task_threads.h"
#include "present/serve/work_slots.h"

namespace airlock::serve {

struct ServeOptions {
  std::string host_program;
  UserDirs user_dirs;
  std::vector<std::string> policies;  // names or files; clients choose among them
  std::vector<std::string> packages;  // imported before the first session
  std::size_t workers = 0;            // how much runs at once
  double idle_seconds = 0;            // after which a session that nobody uses is closed
};

class Resident {
 public:
  // An Error: a policy that cannot be read.
  static Result<std::unique_ptr<Resident>> make(ServeOptions options);

  const ServeOptions& options() const { return options_; }
  Rooms& rooms() { return rooms_; }
  TaskThreads& threads() { return threads_; }
  WorkSlots& slots() { return slots_; }
  // One of those that the server was started with; an Error that lists them otherwise.
  Result<const Policy*> policy(const std::string& name) const;

 private:
  Resident(ServeOptions options, std::map<std::string, Policy> policies);

  ServeOptions options_;
  std::map<std::string, Policy> policies_;
  Rooms rooms_;
  WorkSlots slots_;
  TaskThreads threads_;
};

}  // namespace airlock::serve

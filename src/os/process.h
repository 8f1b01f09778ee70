// A child program that we own: started with one descriptor, in a process group of its own, killed
// and reaped through a pidfd.
//
// A pidfd stands for one process for good, where a number may belong to another one as soon as the
// process was reaped: no signal of ours can hit a stranger. A Process owns its child: when it goes
// out of scope the child is killed and reaped, so nothing that we start outlives us by accident.
// One thread uses it at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

// How a child ended.
struct ExitStatus {
  bool was_signalled = false;
  int number = 0;  // the exit code or the signal

  std::string describe() const;  // "exit code 3", "signal 31 (Bad system call)"
};

// The variables that a child sees: none, or all of ours.
enum class ChildEnvironment : std::uint8_t { kEmpty, kOurs };

class Process {
 public:
  // The child sees `channel` as descriptor 3, /dev/null as 0, 1 and 2, and nothing else.
  static Result<Process> start(const std::string& program,
                               const std::vector<std::string>& arguments, const Fd& channel,
                               ChildEnvironment environment = ChildEnvironment::kEmpty);
  // A process that has become a child of ours without being started here.
  static Result<Process> adopt(pid_t id);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();  // kills and reaps

  pid_t id() const { return id_; }
  // SIGKILL. All of these do nothing once the child was reaped.
  void kill();
  // With everything that is still in its process group.
  void kill_group();
  void signal(int number);
  // Waits without a limit; asked again, it gives the same answer.
  ExitStatus wait();
  bool has_ended_within(std::chrono::milliseconds time);
  // Readable when it has ended.
  int handle() const { return handle_.get(); }

 private:
  Process(pid_t id, Fd handle) : id_(id), handle_(std::move(handle)) {}

  pid_t id_ = -1;
  Fd handle_;  // the pidfd
  std::optional<ExitStatus> status_;
};

}  // namespace airlock::os

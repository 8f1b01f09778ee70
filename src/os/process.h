// A child program that we own: started with an empty environment and one descriptor, killed and
// reaped through a pidfd.
#pragma once

#include <sys/types.h>

#include <chrono>
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

class Process {
 public:
  // The child sees `channel` as descriptor 3, /dev/null as 0, 1 and 2, nothing else, and no
  // environment.
  static Result<Process> start(const std::string& program,
                               const std::vector<std::string>& arguments, const Fd& channel);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();  // kills and reaps

  pid_t id() const { return id_; }
  void kill();
  ExitStatus wait();
  bool has_ended_within(std::chrono::milliseconds time);

 private:
  Process(pid_t id, Fd handle) : id_(id), handle_(std::move(handle)) {}

  pid_t id_ = -1;
  Fd handle_;  // the pidfd
  std::optional<ExitStatus> status_;
};

}  // namespace airlock::os

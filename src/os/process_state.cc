#include "os/process_state.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

namespace airlock::os {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// The number of the process in our own namespace; -1 when it is gone.
long process_of(int pidfd) {
  const File info(std::fopen(("/proc/self/fdinfo/" + std::to_string(pidfd)).c_str(), "re"),
                  &std::fclose);
  char line[256];
  long process = -1;
  while (info != nullptr && std::fgets(line, sizeof line, info.get()) != nullptr) {
    // NOLINTNEXTLINE(cert-err34-c): the kernel writes a number
    if (std::sscanf(line, "Pid: %ld", &process) == 1) break;
  }
  return process;
}

// 'R', 'S', 'T', …; '\0' when it is gone. The letter stands behind the name, which may hold
// anything but is closed by the last bracket.
char state_of(long process) {
  const File stat(std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "re"),
                  &std::fclose);
  char text[512];
  if (stat == nullptr || std::fgets(text, sizeof text, stat.get()) == nullptr) return '\0';
  const char* bracket = std::strrchr(text, ')');
  return bracket != nullptr && bracket[1] == ' ' ? bracket[2] : '\0';
}

}  // namespace

bool is_stopped_within(int pidfd, std::chrono::milliseconds time) {
  const long process = process_of(pidfd);
  if (process <= 0) return false;
  const auto end = std::chrono::steady_clock::now() + time;
  constexpr timespec kMoment{0, 20'000};
  while (true) {
    const char state = state_of(process);
    if (state == 'T' || state == 't') return true;
    if (state == '\0' || state == 'Z' || state == 'X' || std::chrono::steady_clock::now() > end)
      return false;
    ::nanosleep(&kMoment, nullptr);
  }
}

std::optional<clockid_t> processor_clock(int pidfd) {
  const long process = process_of(pidfd);
  clockid_t clock = 0;
  if (process <= 0 || ::clock_getcpuclockid(static_cast<pid_t>(process), &clock) != 0)
    return std::nullopt;
  return clock;
}

std::chrono::nanoseconds processor_time(clockid_t clock) {
  timespec used{};
  if (::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace airlock::os

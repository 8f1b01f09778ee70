#include "os/process_state.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace airlock::os {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// The number that stands behind `key` in a file of the kernel's; -1 when it is not there.
long number_in(const std::string& path, const char* key) {
  const File file(std::fopen(path.c_str(), "re"), &std::fclose);
  const std::size_t length = std::strlen(key);
  char line[256];
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (std::strncmp(line, key, length) == 0) return std::strtol(line + length, nullptr, 10);
  }
  return -1;
}

std::string folder_of(long process) {
  return "/proc/" + std::to_string(process);
}

// 'R', 'S', 'T', …; '\0' when it is gone. The letter stands behind the name, which may hold
// anything but is closed by the last bracket.
char state_in(const std::string& folder) {
  const File stat(std::fopen((folder + "/stat").c_str(), "re"), &std::fclose);
  char text[512];
  if (stat == nullptr || std::fgets(text, sizeof text, stat.get()) == nullptr) return '\0';
  const char* bracket = std::strrchr(text, ')');
  return bracket != nullptr && bracket[1] == ' ' ? bracket[2] : '\0';
}

bool is_gone(char state) {
  return state == '\0' || state == 'Z' || state == 'X';
}

// Of a process whose first thread is stopped: the others too. One that has ended meanwhile does not
// move either.
bool are_all_stopped(long process) {
  std::error_code wrong;
  for (const auto& thread :
       std::filesystem::directory_iterator(folder_of(process) + "/task", wrong)) {
    const char state = state_in(thread.path().string());
    if (state != 'T' && state != 't' && !is_gone(state)) return false;
  }
  return !wrong;
}

}  // namespace

long process_number(int pidfd) {
  return number_in("/proc/self/fdinfo/" + std::to_string(pidfd), "Pid:");
}

bool queue_signal(long process, std::int32_t thread, int signal, int number) {
  siginfo_t about{};
  about.si_code = SI_QUEUE;
  about.si_value.sival_int = number;
  return ::syscall(SYS_rt_tgsigqueueinfo, process, thread, signal, &about) == 0;
}

bool is_stopped_within(int pidfd, std::chrono::milliseconds time) {
  const long process = process_number(pidfd);
  if (process <= 0) return false;
  const auto end = std::chrono::steady_clock::now() + time;
  constexpr timespec kMoment{0, 20'000};
  while (true) {
    const char state = state_in(folder_of(process));
    if ((state == 'T' || state == 't') && are_all_stopped(process)) return true;
    if (is_gone(state) || std::chrono::steady_clock::now() > end) return false;
    ::nanosleep(&kMoment, nullptr);
  }
}

std::uint32_t thread_count(int pidfd) {
  const long process = process_number(pidfd);
  const long threads = process > 0 ? number_in(folder_of(process) + "/status", "Threads:") : 0;
  return static_cast<std::uint32_t>(std::max(0L, threads));
}

std::optional<clockid_t> processor_clock(int pidfd) {
  const long process = process_number(pidfd);
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

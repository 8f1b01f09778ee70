#include "os/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace airlock::os {

namespace {

// posix_spawn's two set-up objects, given back whatever happens.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  // Returns an errno.
  int prepare(int channel) {
    for (int number = 0; number <= 2; ++number) {
      const int mode = number == 0 ? O_RDONLY : O_WRONLY;
      if (const int error =
              posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", mode, 0))
        return error;
    }
    // The order matters: 0 to 2 are opened first, which is why sockets are kept above 3
    // (make_socket_pair); then the channel becomes 3, and all above is closed.
    if (const int error = posix_spawn_file_actions_adddup2(&actions_, channel, 3)) return error;
    if (const int error = posix_spawn_file_actions_addclosefrom_np(&actions_, 4)) return error;
    // A mask and ignored signals are inherited over exec; the child starts with neither.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);  // Ctrl-C is for us; we end the child ourselves
    return posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::string ExitStatus::describe() const {
  if (!was_signalled) return "exit code " + std::to_string(number);
  const char* name = ::sigdescr_np(number);
  return "signal " + std::to_string(number) +
         (name != nullptr ? " (" + std::string(name) + ")" : "");
}

Result<Process> Process::start(const std::string& program,
                               const std::vector<std::string>& arguments, const Fd& channel,
                               ChildEnvironment environment) {
  const auto spawn_error = [&](int error) {
    return fail("start " + program + ": " + std::generic_category().message(error));
  };
  SpawnPlan plan;
  if (const int error = plan.prepare(channel.get())) return spawn_error(error);
  std::vector<char*> argv;
  // Its name, not its place: that is nobody's business on the other side.
  std::string name = program.substr(program.rfind('/') + 1);
  argv.push_back(name.data());
  for (const std::string& one : arguments) argv.push_back(const_cast<char*>(one.c_str()));
  argv.push_back(nullptr);
  char* nothing[] = {nullptr};
  pid_t id = -1;
  if (const int error =
          ::posix_spawn(&id, program.c_str(), plan.actions(), plan.attributes(), argv.data(),
                        environment == ChildEnvironment::kOurs ? environ : nothing)) {
    return spawn_error(error);
  }
  auto started = TRY(within("start " + program, adopt(id)));
  return started;
}

Result<Process> Process::adopt(pid_t id) {
  Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  if (handle.is_open()) return Process(id, std::move(handle));
  Error error = errno_error("watch a child");
  // A child that cannot be watched is not left running.
  ::kill(id, SIGKILL);
  ::waitpid(id, nullptr, 0);
  return std::unexpected(std::move(error));
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      handle_(std::move(other.handle_)),
      status_(other.status_) {}

// Swapped: what this one held ends when `other` does.
Process& Process::operator=(Process&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(handle_, other.handle_);
  std::swap(status_, other.status_);
  return *this;
}

Process::~Process() {
  if (id_ < 0 || status_) return;
  kill();
  wait();
}

void Process::kill() {
  if (id_ > 0 && !status_) ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
}

void Process::signal(int number) {
  if (id_ > 0 && !status_) ::syscall(SYS_pidfd_send_signal, handle_.get(), number, nullptr, 0);
}

// While the leader is not reaped its number, and so that of the group, belongs to nobody else.
void Process::kill_group() {
  if (id_ > 0 && !status_) ::kill(-id_, SIGKILL);
  kill();
}

bool Process::has_ended_within(std::chrono::milliseconds time) {
  if (id_ < 0 || status_) return true;
  pollfd ended{handle_.get(), POLLIN, 0};
  return ::poll(&ended, 1, static_cast<int>(time.count())) == 1;
}

// P_PIDFD: the process itself, never another one that got its number.
ExitStatus Process::wait() {
  if (status_) return *status_;
  siginfo_t info{};
  while (::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &info,
                  WEXITED) != 0) {
    if (errno != EINTR) break;
  }
  status_ = ExitStatus{info.si_code != CLD_EXITED, info.si_status};
  return *status_;
}

}  // namespace airlock::os

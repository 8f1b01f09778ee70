#include "os/terminal_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace airlock::os {

namespace {

// Keys that are meant for the program on the terminal must not end us.
constexpr std::array kKeys = {SIGINT, SIGQUIT};
// What we ignore or handle ourselves, and a program does not expect to inherit.
constexpr std::array kOurs = {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTERM, SIGWINCH};

// Puts the former handlers back when it goes out of scope.
class KeysIgnored {
 public:
  KeysIgnored() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < kKeys.size(); ++i) ::sigaction(kKeys[i], &ignore, &before_[i]);
  }
  ~KeysIgnored() {
    for (std::size_t i = 0; i < kKeys.size(); ++i) ::sigaction(kKeys[i], &before_[i], nullptr);
  }
  KeysIgnored(const KeysIgnored&) = delete;
  KeysIgnored& operator=(const KeysIgnored&) = delete;

 private:
  std::array<struct sigaction, kKeys.size()> before_{};
};

enum class Ties : std::uint8_t { kOurTerminal, kNone };

// Returns an errno, as posix_spawn does. On our terminal the child stays in our process group, so
// that it owns the terminal and its keys; without ties it has a session and empty streams of its
// own.
int spawn(pid_t& id, const std::vector<std::string>& words, Ties ties) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int number : kOurs) sigaddset(&usual, number);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  const int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                    (ties == Ties::kNone ? POSIX_SPAWN_SETSID : 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  posix_spawn_file_actions_t streams{};
  posix_spawn_file_actions_init(&streams);
  if (ties == Ties::kNone) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  }
  const int error =
      ::posix_spawnp(&id, words.front().c_str(), &streams, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  posix_spawnattr_destroy(&attributes);
  return error;
}

bool is_executable_file(const std::string& name) {
  struct stat facts{};
  return ::stat(name.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::access(name.c_str(), X_OK) == 0;
}

}  // namespace

Result<ExitStatus> run_on_terminal(const std::vector<std::string>& words) {
  if (words.empty()) return bad_request("start a program: it has no name");
  // As system() does it: Ctrl-C in an editor goes to the whole foreground group, us included.
  const KeysIgnored ignored;
  pid_t id = -1;
  if (const int error = spawn(id, words, Ties::kOurTerminal); error != 0)
    return bad_request("start " + words.front() + ": " + std::generic_category().message(error));
  int status = 0;
  while (::waitpid(id, &status, 0) < 0) {
    if (errno != EINTR) return bad_request_errno("wait for " + words.front());
  }
  if (WIFSIGNALED(status)) return ExitStatus{true, WTERMSIG(status)};
  return ExitStatus{false, WEXITSTATUS(status)};
}

Result<void> start_detached(const std::vector<std::string>& words) {
  if (words.empty()) return bad_request("start a program: it has no name");
  pid_t id = -1;
  if (const int error = spawn(id, words, Ties::kNone); error != 0)
    return bad_request("start " + words.front() + ": " + std::generic_category().message(error));
  return {};
}

bool is_program(const std::string& name) {
  if (name.empty()) return false;
  if (name.contains('/')) return is_executable_file(name);
  const char* path = std::getenv("PATH");
  // As a shell: an empty part of PATH is the current folder.
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string folder(rest.substr(0, end));
    if (is_executable_file((folder.empty() ? "." : folder) + "/" + name)) return true;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return false;
}

}  // namespace airlock::os

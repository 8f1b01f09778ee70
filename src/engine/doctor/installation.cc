#include "engine/doctor/installation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/fd.h"
#include "os/process.h"
#include "os/process_limits.h"

namespace airlock {

namespace {

std::string words_of(int error) {
  return std::generic_category().message(error);
}

// Why it cannot be started; nothing when it can, or when that has nothing to do with the file (no
// memory, too many processes).
std::optional<std::string> why_not(const std::string& program, const Fd& null) {
  struct stat facts{};
  if (::stat(program.c_str(), &facts) != 0) return words_of(errno);
  if (!S_ISREG(facts.st_mode)) return "it is not a file";
  if (::access(program.c_str(), X_OK) != 0) return "it is not executable";
  const auto started = os::Process::start(program, {}, null);  // without a role it ends at once
  if (started) return std::nullopt;
  const std::string& message = started.error().message;
  // The start reports in words; these three errors have a meaning of their own here.
  if (message.ends_with(words_of(ENOEXEC))) return "it is not a program of this machine";
  if (message.ends_with(words_of(ENOENT))) return "the loader that it names is not there";
  if (message.ends_with(words_of(EACCES))) return words_of(EACCES);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> installation_trouble(const std::string& host_program) {
  struct stat facts{};
  if (::lstat("/proc/self/exe", &facts) != 0) {
    return "/proc is not mounted here: through it airlock finds airlock-host, and sees what its "
           "own "
           "processes are. Mount it (mount -t proc proc /proc) and try again.";
  }
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.is_open())
    return "/dev/null cannot be opened (" + words_of(errno) +
           "): every process that airlock starts "
           "needs it.";
  const auto why = why_not(host_program, null);
  if (!why) return std::nullopt;
  return host_program + " cannot be started: " + *why +
         ". The program airlock-host must stand beside airlock (or in ../libexec/airlock), "
         "executable, as the same build or package brought it.";
}

std::optional<std::string> limits_trouble(std::string_view error) {
  const std::vector<std::string> low = os::limits_too_low(error);
  if (low.empty()) return std::nullopt;
  std::string text = low.size() == 1 ? "A limit of this process is too low. "
                                     : "Limits of this process are too low. ";
  for (const std::string& one : low) text += one + ". ";
  return text +
         "Raise it where airlock is started (ulimit in a shell, Limit…= in a service, --ulimit in "
         "a "
         "container) and try again.";
}

}  // namespace airlock

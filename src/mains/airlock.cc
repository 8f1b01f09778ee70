// airlock: the supervisor. Reads its environment once, then hands over to the command. Links no
// Python and never executes a line of anyone's code.
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/variable.h"
#include "present/cli/program.h"

namespace {

using airlock::cli::Colour;

// Nothing is left half done: reports are written whole, and the vetters die with us. A pipe that
// nobody reads (2>&1 | less) has no room for the word: we end without it.
void end_on_interrupt(int) {
  constexpr std::string_view kMessage = "\nairlock: interrupted\n";
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, 0) > 0) {
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  }
  ::_exit(airlock::cli::kInterrupted);
}

void handle_signals() {
  struct sigaction action{};
  action.sa_handler = end_on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  action.sa_handler = SIG_IGN;
  // A reader that went away is an error of the write, too, and is answered where the write is.
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);  // a file that grew too large is an error of the write
}

// NO_COLOR counts when it is set and not empty (no-color.org).
Colour colour_for(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  const bool is_unwanted = no_colour != nullptr && *no_colour != '\0';
  return ::isatty(descriptor) == 1 && !is_dumb && !is_unwanted ? Colour::kAlways : Colour::kNever;
}

// Beside this program, or where an installation puts it. Empty when nobody knows where this program
// stands (no /proc): whatever has that name in the working folder must not be taken for it.
std::string find_host() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  for (const fs::path& place : {here / "airlock-host", here / "../libexec/airlock/airlock-host"}) {
    if (fs::exists(place, error)) return place.lexically_normal().native();
  }
  return (here / "airlock-host").native();
}

airlock::UserDirs find_user_dirs() {
  return {airlock::variable("AIRLOCK_HOME"), airlock::variable("XDG_DATA_HOME"),
          airlock::variable("HOME"), airlock::variable("XDG_CONFIG_HOME")};
}

}  // namespace

int main(int count, char** words) {
  handle_signals();
  const std::vector<std::string> arguments(words + 1, words + count);
  const airlock::cli::Environment environment{find_host(), colour_for(STDOUT_FILENO),
                                              colour_for(STDERR_FILENO), find_user_dirs()};
  return airlock::cli::run_program(arguments, environment);
}

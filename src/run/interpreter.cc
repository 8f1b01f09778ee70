#include "run/interpreter.h"

#include <algorithm>
#include <chrono>

#include "os/channel.h"
#include "os/process.h"

namespace airlock::run {

namespace {

constexpr auto kInterpreterTimeout = std::chrono::seconds(20);
constexpr std::size_t kLongestAnswer = 1024;  // bytes; a version has about a hundred

}  // namespace

Result<std::string> interpreter_of(const std::string& host_program) {
  constexpr std::string_view kDoing = "ask which interpreter there is";
  auto sockets = TRY(as(ErrorKind::kIsolation, within(kDoing, os::make_socket_pair())));
  auto process =
      TRY(as(ErrorKind::kIsolation,
             within(kDoing, os::Process::start(host_program, {"interpreter"}, sockets.second))));
  sockets.second.reset();
  os::Channel channel(std::move(sockets.first));
  auto answer =
      channel.receive(kLongestAnswer, std::chrono::steady_clock::now() + kInterpreterTimeout);
  if (!answer || answer->empty()) {
    process.kill();
    return no_isolation(std::string(kDoing) + ": " + host_program + " gave no answer (" +
                        process.wait().describe() + ")");
  }
  // CPython puts a line break before the compiler.
  std::ranges::replace_if(*answer, [](unsigned char letter) { return letter < ' '; }, ' ');
  return *std::move(answer);
}

}  // namespace airlock::run

#include "run/vetter_client.h"

#include <utility>

#include "wire/identity.h"
#include "wire/messages.h"

namespace airlock::run {

namespace {

// To start CPython and raise the walls: milliseconds, on a machine that has time for us.
constexpr auto kVetterStartTimeout = std::chrono::seconds(20);

}  // namespace

Result<VetterClient> VetterClient::start(const std::string& program, const Policy& policy) {
  auto sockets = TRY(as(ErrorKind::kIsolation, within("start the vetter", os::make_socket_pair())));
  auto process =
      TRY(as(ErrorKind::kIsolation,
             within("start the vetter",
                    os::Process::start(program, {"vetter", std::string(wire::identity())},
                                       sockets.second))));
  sockets.second.reset();
  os::Channel channel(std::move(sockets.first));
  // When it died before this, the answer below says why.
  channel.send(wire::encode_hello(policy), os::deadline_in(kVetterStartTimeout));
  const auto answer = channel.receive(wire::kMaxReply, os::deadline_in(kVetterStartTimeout));
  if (!answer) {
    process.kill();
    return no_isolation("start the vetter: " + program + " gave no answer (" +
                        process.wait().describe() + ")");
  }
  if (const auto trouble = wire::decode_trouble(*answer))
    return no_isolation("start the vetter: " + *trouble);
  auto walls = wire::decode_ready(*answer);
  if (!walls)
    return no_isolation("start the vetter: " + program + " gave an answer that is not understood");
  return VetterClient(std::move(process), std::move(channel), std::move(*walls));
}

// After any mismatch nothing that this process says can be trusted: it is killed, never asked
// again.
VetterLost VetterClient::lost(std::string why) {
  process_.kill();
  const os::ExitStatus status = process_.wait();
  if (why.empty()) why = "it ended with " + status.describe();
  return VetterLost{std::move(why)};
}

std::expected<Verdict, VetterLost> VetterClient::vet(std::string_view raw, Stages stages,
                                                     TextKind kind,
                                                     std::chrono::milliseconds patience) {
  stages.compile = false;  // code is for those who screen it
  return ask(wire::encode_vet(raw, stages, kind), patience);
}

std::expected<Screened, VetterLost> VetterClient::screen(std::string_view raw, Screening screening,
                                                         TextKind kind,
                                                         std::chrono::milliseconds patience) {
  Stages stages = screening.stages();
  stages.compile = true;
  auto verdict = TRY(ask(wire::encode_vet(raw, stages, kind), patience));
  std::string compiled = std::exchange(verdict.compiled, {});
  Screened screened{.verdict = std::move(verdict), .code = std::nullopt};
  if (screened.verdict.decision != Decision::kAccepted) return screened;
  // An acceptance without code would leave nothing to run that was vetted.
  if (compiled.empty()) return std::unexpected(lost("it accepted the code and did not compile it"));
  screened.code.emplace(Vetted::Key(), std::move(compiled));
  return screened;
}

std::expected<Verdict, VetterLost> VetterClient::ask(const std::string& question,
                                                     std::chrono::milliseconds patience) {
  // Nothing of it is sent: this vetter can be asked again.
  if (question.size() > wire::kMaxRequest)
    return std::unexpected(VetterLost{"it has " + std::to_string(question.size()) +
                                      " bytes, and of so many none is read"});
  const os::Deadline deadline = os::deadline_in(patience);
  if (!channel_.send(question, deadline)) return std::unexpected(lost(""));
  const auto answer = channel_.receive(wire::kMaxReply, deadline);
  if (!answer) {
    if (answer.error() == os::NoMessage::kTimedOut) {
      return std::unexpected(
          lost("it gave no answer within " + std::to_string(patience.count()) + " ms"));
    }
    return std::unexpected(
        lost(answer.error() == os::NoMessage::kClosed ? "" : "its answer was too long"));
  }
  auto verdict = wire::decode_verdict(*answer);
  if (!verdict) return std::unexpected(lost("its answer was not a verdict"));
  return std::move(*verdict);
}

}  // namespace airlock::run

// Order matters: the interpreter is started while files can still be read, then the walls go up,
// and only then is the first byte taken from the socket. What comes first is the policy (ours); the
// code of strangers comes after it.
#include <optional>
#include <utility>

#include "guest/host_exit.h"
#include "guest/roles.h"
#include "jail/vetter_jail.h"
#include "os/channel.h"
#include "python/tree.h"
#include "vet/vetter.h"
#include "wire/messages.h"

namespace airlock::guest {

namespace {

int answer(os::Channel& channel, const vet::Vetter& vetter) {
  while (true) {
    const auto message = channel.receive(wire::kMaxRequest, std::nullopt);
    if (!message) return message.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
    const auto request = wire::decode_vet(*message);
    if (!request) return kBadRequest;
    const Verdict verdict = vetter.vet(request->raw, request->stages, request->kind);
    if (!channel.send(wire::encode_verdict(verdict), std::nullopt)) return kPeerGone;
  }
}

}  // namespace

int run_vetter(Fd socket) {
  os::Channel channel(std::move(socket));
  auto interpreter = python::Interpreter::start();
  if (!interpreter) return report_trouble(channel, interpreter.error());
  // Never given back: finalizing would take longer than the process has left to live.
  static_cast<void>(interpreter->release());  // NOLINT(bugprone-unused-return-value)
  const auto walls = jail::lock_down_vetter();
  if (!walls) return report_trouble(channel, walls.error());

  const auto policy = receive_policy(channel);
  if (!policy) return policy.error();
  const vet::Vetter vetter(*policy);
  if (!channel.send(wire::encode_ready(*walls), std::nullopt)) return kPeerGone;
  return answer(channel, vetter);
}

}  // namespace airlock::guest

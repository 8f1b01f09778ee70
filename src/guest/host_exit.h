// How a process of airlock-host ends when nobody kills it. The supervisor reads it as one sentence
// in a report and decides nothing by it: a guest could end its process with any of these.
#pragma once

#include <expected>
#include <optional>
#include <utility>

#include "base/result.h"
#include "os/channel.h"
#include "wire/messages.h"

namespace airlock::guest {

enum HostExit { kDone = 0, kCannotStart = 3, kBadRequest = 4, kPeerGone = 5 };

// Tells the supervisor why this process cannot go on.
inline int report_trouble(os::Channel& channel, const Error& error) {
  channel.send(error.kind == ErrorKind::kRequest ? wire::encode_mistake(error.message)
                                                 : wire::encode_trouble(error.message),
               std::nullopt);
  return kCannotStart;
}

// What the supervisor says first; or how this process ends without it.
inline std::expected<Policy, HostExit> receive_policy(os::Channel& channel) {
  const auto hello = channel.receive(wire::kMaxRequest, std::nullopt);
  if (!hello) return std::unexpected(hello.error() == os::NoMessage::kClosed ? kDone : kBadRequest);
  auto policy = wire::decode_hello(*hello);
  if (!policy) return std::unexpected(kBadRequest);
  return *std::move(policy);
}

}  // namespace airlock::guest

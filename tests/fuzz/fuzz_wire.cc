// The wire takes any bytes from either side. What must hold for all of them:
// (1) what a decoder accepts is stable: encoding it and decoding that gives the same bytes again;
// (2) no decoder takes more memory than a small multiple of what it was given (the fuzzer's own
//     limits see to that);
// (3) a channel hands out exactly the frames that were written, however they were cut, and stops at
//     the first that is too long.
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "os/channel.h"
#include "require.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"

namespace {

using namespace airlock;

void check_decoders(std::string_view message) {
  using namespace wire;
  fuzz::check_stable(message, decode_hello, encode_hello);
  fuzz::check_stable(message, decode_ready, encode_ready);
  fuzz::check_stable(message, decode_vet, [](const VetRequest& one) {
    return encode_vet(one.raw, one.stages, one.kind);
  });
  fuzz::check_stable(message, decode_verdict, encode_verdict);
  fuzz::check_stable(message, decode_trouble, encode_trouble);
  fuzz::check_stable(message, decode_mistake, encode_mistake);
  fuzz::check_stable(message, decode_reap, encode_reap);
  fuzz::check_stable(message, decode_forget, encode_forget);
  fuzz::check_stable(message, decode_born, encode_born);
  fuzz::check_stable(message, decode_ended, encode_ended);
  fuzz::check_stable(message, decode_prepare, encode_prepare);
  fuzz::check_stable(message, decode_load, [](const LoadRequest& one) {
    return encode_load(one.ticket, one.limits, one.compiled);
  });
  fuzz::check_stable(message, decode_path,
                     [](const PathRequest& one) { return encode_path(one.ticket, one.path); });
  fuzz::check_stable(message, decode_locked, encode_locked);
  fuzz::check_stable(message, decode_outcome,
                     [](const Outcome& one) { return encode_outcome(one.ticket, one.outcome); });
  type_of(message);
  is_cell(message);
}

constexpr std::size_t kLongest = 512;

struct Frames {
  std::vector<std::string> messages;
  os::NoMessage ending = os::NoMessage::kClosed;
};

// The same grammar, read the plain way.
Frames expected_frames(std::string_view stream) {
  Frames frames;
  while (stream.size() >= 4) {
    std::size_t length = 0;
    for (std::size_t i = 4; i > 0; --i)
      length = length << 8 | static_cast<unsigned char>(stream[i - 1]);
    if (length > kLongest) {
      frames.ending = os::NoMessage::kTooLong;
      return frames;
    }
    if (stream.size() - 4 < length) return frames;
    frames.messages.emplace_back(stream.substr(4, length));
    stream.remove_prefix(4 + length);
  }
  return frames;
}

// Writes the stream in pieces of `step` bytes and reads what has come after each.
Frames frames_through_channel(std::string_view stream, std::size_t step) {
  auto ends = os::make_socket_pair();
  fuzz::require(ends.has_value());
  Fd writer = std::move(ends->first);
  os::Channel channel(std::move(ends->second));
  const os::Deadline now = std::chrono::steady_clock::time_point();
  Frames frames;
  while (true) {
    const std::string_view piece = stream.substr(0, step);
    if (piece.empty())
      writer.reset();
    else
      fuzz::require(::send(writer.get(), piece.data(), piece.size(), MSG_NOSIGNAL) ==
                    static_cast<ssize_t>(piece.size()));
    stream.remove_prefix(piece.size());
    auto message = channel.receive(kLongest, now);
    while (message) {
      frames.messages.push_back(std::move(*message));
      message = channel.receive(kLongest, now);
    }
    if (message.error() == os::NoMessage::kTimedOut) continue;
    frames.ending = message.error();
    return frames;
  }
}

void check_channel(std::string_view stream) {
  const std::size_t step =
      stream.empty()
          ? 1
          : 1 + stream.size() / 32 + static_cast<unsigned char>(stream[0]) * stream.size() / 256;
  const Frames expected = expected_frames(stream);
  const Frames got = frames_through_channel(stream, step);
  fuzz::require(got.messages == expected.messages);
  fuzz::require(got.ending == expected.ending);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_decoders(bytes);
  check_channel(bytes.substr(0, 4096));
  return 0;
}

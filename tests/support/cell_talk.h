// A real zygote and its cells, spoken to in bytes (host_talk.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/host_talk.h"

namespace airlock::guest::test {

inline constexpr std::uint64_t kTicket = 0x1122334455667788U;

// The near end of a cell: its socket, its process, and the notes that both see.
struct CellTalk {
  Talk talk;
  Fd handle;
  std::uint32_t id = 0;
  os::SharedNotes notes;

  // Raises its walls; which ones stand, or nothing when it did not say so.
  std::optional<std::vector<std::string>> lock(wire::Prepare limits = {100'000'000, 60}) {
    talk.say(wire::encode_prepare(limits), notes.descriptor());
    return wire::decode_locked(talk.hear().value_or(""));
  }
  std::optional<wire::Outcome> load(std::string_view compiled, const RunLimits& limits = {},
                                    std::uint64_t ticket = kTicket) {
    talk.say(wire::encode_load(ticket, limits, compiled));
    return wire::decode_outcome(talk.hear().value_or(""));
  }
  std::optional<wire::Outcome> call(std::string_view path, std::uint64_t ticket = kTicket + 1) {
    talk.say(wire::encode_path(ticket, path));
    return wire::decode_outcome(talk.hear().value_or(""));
  }
};

class Zygote {
 public:
  explicit Zygote(std::string_view policy = "extractor") : host_("zygote") {
    host_.say(hello(policy));
    EXPECT_TRUE(wire::decode_ready(host_.hear().value_or("")));
    handle_ = host_.take_descriptor();
  }

  Host& host() { return host_; }

  CellTalk make_cell() {
    auto sockets = os::make_socket_pair().value();
    host_.say(wire::encode_cell(), sockets.second.get());
    sockets.second.reset();
    const auto id = wire::decode_born(host_.hear().value_or(""));
    EXPECT_TRUE(id);
    return {Talk(std::move(sockets.first)), host_.take_descriptor(), id.value_or(0),
            os::SharedNotes::make().value()};
  }

  // How a cell ended; waits for its end.
  std::optional<wire::Ended> reap(std::uint32_t id) {
    host_.say(wire::encode_reap(id));
    return wire::decode_ended(host_.hear().value_or(""));
  }

 private:
  Host host_;
  Fd handle_;  // of the zygote's own process
};

}  // namespace airlock::guest::test

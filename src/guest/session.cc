#include "guest/session.h"

#include <set>
#include <string>
#include <utility>

#include "guest/denials.h"
#include "guest/host_exit.h"
#include "os/output_log.h"
#include "python/session_code.h"
#include "wire/cell_messages.h"

namespace airlock::guest {

namespace {

constexpr std::string_view kCutMark = "\n[output cut off at the limit]\n";

class Session final : public python::HostCalls {
 public:
  Session(os::Channel& channel, os::SharedNotes& notes, const PieceLimits& limits)
      : channel_(channel),
        notes_(notes),
        limits_(limits),
        output_(notes.output_log(), [this](std::string_view records) { send_printed(records); }) {}

  int serve(python::GuestCode& code, const wire::OpenRequest& open) {
    code.stream_output(
        [this](OutputStream stream, std::string_view text) { return print(stream, text); });
    auto session = python::SessionCode::open(open.functions, limits_, *this);
    if (!session) return report_trouble(channel_, session.error());
    if (!channel_.send(wire::encode_opened(), std::nullopt)) return kPeerGone;
    while (true) {
      const auto message = channel_.receive(wire::kMaxCellRequest, std::nullopt);
      if (!message) return message.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
      // A result that came too late for its piece.
      if (wire::decode_result(*message)) continue;
      const auto piece = wire::decode_piece(*message);
      if (!piece) return kBadRequest;
      if (!answer(*session, *piece)) return kPeerGone;
    }
  }

  std::optional<std::uint32_t> call(std::string_view name, std::string_view arguments,
                                    bool is_waiting) override {
    if (!is_running_ || calls_ >= limits_.calls) return std::nullopt;
    ++calls_;
    flush();  // what was printed before the call is seen before it
    const std::uint32_t number = ++last_call_;
    const wire::CallMessage message{.call = number,
                                    .is_waiting = is_waiting,
                                    .name = std::string(name),
                                    .arguments = std::string(arguments)};
    channel_.send(wire::encode_call(message), std::nullopt);
    has_said_that_it_waits_ = is_waiting;
    return number;
  }

  bool has_arrived() const override { return channel_.has_input(); }
  int descriptor() const override { return channel_.descriptor(); }

  void begin_waiting() override {
    if (std::exchange(has_said_that_it_waits_, true)) return;
    flush();
    channel_.send(wire::encode_waiting(), std::nullopt);
  }
  void end_waiting() override { has_said_that_it_waits_ = false; }

  Arrived take() override {
    const auto message = channel_.receive(wire::kMaxCellRequest, std::nullopt);
    auto read = message ? wire::decode_result(*message) : std::nullopt;
    if (!read) return {};
    has_said_that_it_waits_ = false;
    if (forgotten_.erase(read->call) > 0)
      return {.how = Taken::kForgotten, .call = 0, .result = {}};
    return {.how = Taken::kResult, .call = read->call, .result = std::move(read->result)};
  }

  void forget(std::uint32_t call) override { forgotten_.insert(call); }

 private:
  bool answer(python::SessionCode& session, const wire::PieceRequest& piece) {
    calls_ = 0;
    printed_ = 0;
    forgotten_.clear();
    is_running_ = true;
    rename_guest_code(session.name_piece(piece.number));
    // In this order: from here on a signal is for this piece.
    python::SessionCode::forget_signals();
    notes_.begin_path();
    wire::PieceAnswer answer;
    answer.ticket = piece.ticket;
    answer.outcome = session.run(piece.compiled, piece.number, piece.source, piece.inputs);
    is_running_ = false;
    // Also when the guest has caught what it was told then.
    if (printed_ > limits_.flood_bytes) {
      answer.outcome.success = false;
      answer.outcome.value.reset();
      answer.outcome.shown.reset();
      answer.outcome.error_type = "OutputLimitError";
    }
    answer.records = output_.take();
    return channel_.send(wire::encode_piece_outcome(answer), std::nullopt);
  }

  bool print(OutputStream stream, std::string_view text) {
    const std::uint64_t before = printed_;
    printed_ += text.size();
    if (before < limits_.output_bytes) {
      const std::size_t room = limits_.output_bytes - before;
      output_.write(static_cast<std::uint8_t>(stream), text.substr(0, room));
      if (text.size() > room)
        output_.write(static_cast<std::uint8_t>(OutputStream::kError), kCutMark);
    }
    return printed_ <= limits_.flood_bytes;
  }

  void flush() {
    if (!output_.is_empty()) send_printed(output_.take());
  }

  void send_printed(std::string_view records) {
    channel_.send(wire::encode_printed(records), std::nullopt);
  }

  os::Channel& channel_;
  os::SharedNotes& notes_;
  PieceLimits limits_;
  os::OutputWriter output_;
  bool is_running_ = false;  // between two pieces there is nobody to answer a call
  bool has_said_that_it_waits_ = false;
  std::uint32_t calls_ = 0;  // of this piece
  std::uint32_t last_call_ = 0;
  std::uint64_t printed_ = 0;  // of this piece
  std::set<std::uint32_t> forgotten_;
};

}  // namespace

int run_session(os::Channel& channel, python::GuestCode& code, os::SharedNotes& notes,
                const wire::OpenRequest& open) {
  Session session(channel, notes, open.limits);
  return session.serve(code, open);
}

}  // namespace airlock::guest

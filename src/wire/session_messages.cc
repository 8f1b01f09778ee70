#include "wire/session_messages.h"

#include "wire/bytes.h"

namespace airlock::wire {

namespace {

constexpr std::size_t kMostFunctions = 1000;
constexpr std::uint8_t kHasValue = 2;
constexpr std::uint8_t kHasShown = 4;

void put_limits(MessageWriter& out, const PieceLimits& limits) {
  for (const std::uint32_t number :
       {limits.output_bytes, limits.flood_bytes, limits.value_bytes, limits.shown_bytes,
        limits.call_bytes, limits.calls, limits.depth, limits.memory_bytes})
    out.put_number(number);
}

PieceLimits read_limits(MessageReader& in) {
  PieceLimits limits;
  for (std::uint32_t* number :
       {&limits.output_bytes, &limits.flood_bytes, &limits.value_bytes, &limits.shown_bytes,
        &limits.call_bytes, &limits.calls, &limits.depth, &limits.memory_bytes})
    *number = in.number();
  return limits;
}

bool read_flag(MessageReader& in) {
  const std::uint8_t flag = in.byte();
  if (flag > 1) in.fail();
  return flag == 1;
}

}  // namespace

std::string encode_open(const OpenRequest& open) {
  MessageWriter out = begin_message('S');
  put_limits(out, open.limits);
  out.put_number(static_cast<std::uint32_t>(open.functions.size()));
  for (const HostFunction& function : open.functions) {
    out.put_text(function.name);
    out.put_text(function.doc);
    out.put_text(function.signature);
    out.put_byte(function.is_async ? 1 : 0);
  }
  return out.take();
}

std::optional<OpenRequest> decode_open(std::string_view message) {
  MessageReader in = open_message(message, 'S');
  OpenRequest open;
  open.limits = read_limits(in);
  const std::uint32_t count = in.count(13);
  if (count > kMostFunctions) in.fail();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    HostFunction& function = open.functions.emplace_back();
    function.name = in.clean_text();
    function.doc = in.clean_text();
    function.signature = in.clean_text();
    function.is_async = read_flag(in);
  }
  if (!in.is_finished()) return std::nullopt;
  return open;
}

std::string encode_piece(const PieceRequest& piece) {
  MessageWriter out = begin_message('I');
  out.put_wide(piece.ticket);
  out.put_number(piece.number);
  out.put_text(piece.compiled);
  out.put_text(piece.source);
  out.put_text(piece.inputs);
  return out.take();
}

std::optional<PieceRequest> decode_piece(std::string_view message) {
  MessageReader in = open_message(message, 'I');
  PieceRequest piece;
  piece.ticket = in.wide();
  piece.number = in.number();
  piece.compiled = in.text();
  piece.source = in.text();
  piece.inputs = in.text();
  if (!in.is_finished()) return std::nullopt;
  return piece;
}

std::string encode_result(std::uint32_t call, const CallResult& result) {
  MessageWriter out = begin_message('a');
  out.put_number(call);
  out.put_byte(result.success ? 1 : 0);
  out.put_text(result.value);
  out.put_text(result.error_type);
  out.put_text(result.error);
  return out.take();
}

std::optional<ResultMessage> decode_result(std::string_view message) {
  MessageReader in = open_message(message, 'a');
  ResultMessage read;
  read.call = in.number();
  read.result.success = read_flag(in);
  read.result.value = in.clean_text();
  read.result.error_type = in.clean_text();
  read.result.error = in.clean_text();
  if (!in.is_finished()) return std::nullopt;
  return read;
}

std::string encode_opened() {
  return "s";
}
bool is_opened(std::string_view message) {
  return message == "s";
}

std::string encode_waiting() {
  return "w";
}
bool is_waiting(std::string_view message) {
  return message == "w";
}

std::string encode_printed(std::string_view records) {
  MessageWriter out = begin_message('o');
  out.put_text(records);
  return out.take();
}

std::optional<std::string_view> decode_printed(std::string_view message) {
  MessageReader in = open_message(message, 'o');
  const std::string_view records = in.text();
  if (!in.is_finished()) return std::nullopt;
  return records;
}

std::string encode_call(const CallMessage& call) {
  MessageWriter out = begin_message('c');
  out.put_number(call.call);
  out.put_byte(call.is_waiting ? 1 : 0);
  out.put_text(call.name);
  out.put_text(call.arguments);
  return out.take();
}

std::optional<CallMessage> decode_call(std::string_view message) {
  MessageReader in = open_message(message, 'c');
  CallMessage call;
  call.call = in.number();
  call.is_waiting = read_flag(in);
  call.name = in.clean_text();
  call.arguments = in.clean_text();
  if (!in.is_finished()) return std::nullopt;
  return call;
}

std::string encode_piece_outcome(const PieceAnswer& answer) {
  const PieceOutcome& outcome = answer.outcome;
  MessageWriter out = begin_message('d');
  out.put_wide(answer.ticket);
  out.put_byte(static_cast<std::uint8_t>((outcome.success ? 1 : 0) |
                                         (outcome.value ? kHasValue : 0) |
                                         (outcome.shown ? kHasShown : 0)));
  out.put_text(outcome.value.value_or(""));
  out.put_text(outcome.shown.value_or(""));
  out.put_text(outcome.error_type);
  out.put_text(outcome.error);
  out.put_number(outcome.error_line);
  out.put_text(outcome.traceback);
  out.put_number(static_cast<std::uint32_t>(outcome.microseconds));
  out.put_text(answer.records);
  return out.take();
}

std::optional<PieceAnswer> decode_piece_outcome(std::string_view message) {
  MessageReader in = open_message(message, 'd');
  PieceAnswer answer;
  PieceOutcome& outcome = answer.outcome;
  answer.ticket = in.wide();
  const std::uint8_t bits = in.byte();
  if (bits > 7) in.fail();
  outcome.success = (bits & 1) != 0;
  std::string value = in.clean_text();
  std::string shown = in.clean_text();
  if ((bits & kHasValue) != 0) outcome.value = std::move(value);
  if ((bits & kHasShown) != 0) outcome.shown = std::move(shown);
  outcome.error_type = in.clean_text();
  outcome.error = in.clean_text();
  outcome.error_line = in.number();
  outcome.traceback = in.clean_text();
  outcome.microseconds = in.number();
  answer.records = std::string(in.text());
  if (!in.is_finished()) return std::nullopt;
  return answer;
}

}  // namespace airlock::wire

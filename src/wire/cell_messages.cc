#include "wire/cell_messages.h"

#include "base/utf8.h"
#include "wire/bytes.h"

namespace airlock::wire {

namespace {

// Frames that are taken from a guest; an outcome with more is refused.
constexpr std::size_t kMaxTrace = 64;

std::string encode_number(char type, std::uint32_t number) {
  MessageWriter out = begin_message(type);
  out.put_number(number);
  return out.take();
}

std::optional<std::uint32_t> decode_number(std::string_view message, char type) {
  MessageReader in = open_message(message, type);
  const std::uint32_t number = in.number();
  if (!in.is_finished()) return std::nullopt;
  return number;
}

void put_texts(MessageWriter& out, const std::vector<std::string>& texts) {
  out.put_number(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) out.put_text(text);
}

}  // namespace

std::string encode_cell() {
  return "C";
}
bool is_cell(std::string_view message) {
  return message == "C";
}

std::string encode_own_folder(std::string_view place) {
  MessageWriter out = begin_message('F');
  out.put_text(place);
  return out.take();
}
std::optional<std::string> decode_own_folder(std::string_view message) {
  MessageReader in = open_message(message, 'F');
  std::string place = in.clean_text();
  if (!in.is_finished()) return std::nullopt;
  return place;
}

std::string encode_reap(std::uint32_t id) {
  return encode_number('W', id);
}
std::optional<std::uint32_t> decode_reap(std::string_view message) {
  return decode_number(message, 'W');
}

std::string encode_forget(std::uint32_t id) {
  return encode_number('G', id);
}
std::optional<std::uint32_t> decode_forget(std::string_view message) {
  return decode_number(message, 'G');
}

std::string encode_born(std::uint32_t id) {
  return encode_number('B', id);
}
std::optional<std::uint32_t> decode_born(std::string_view message) {
  return decode_number(message, 'B');
}

std::string encode_answer(std::uint32_t error) {
  return encode_number('A', error);
}
std::optional<std::uint32_t> decode_answer(std::string_view message) {
  return decode_number(message, 'A');
}

std::string encode_attempt(const CrimeRequest& attempt) {
  MessageWriter out = begin_message('X');
  out.put_text(attempt.crime);
  out.put_number(attempt.process);
  out.put_number(attempt.shared_memory);
  out.put_text(attempt.host_name);
  out.put_text(attempt.file);
  return out.take();
}
std::optional<CrimeRequest> decode_attempt(std::string_view message) {
  MessageReader in = open_message(message, 'X');
  CrimeRequest attempt;
  attempt.crime = in.clean_text();
  attempt.process = in.number();
  attempt.shared_memory = in.number();
  attempt.host_name = in.clean_text();
  attempt.file = in.clean_text();
  if (!in.is_finished()) return std::nullopt;
  return attempt;
}

std::string encode_ended(const Ended& ended) {
  MessageWriter out = begin_message('E');
  out.put_byte(ended.was_signalled ? 1 : 0);
  out.put_number(ended.number);
  out.put_number(ended.peak_kb);
  return out.take();
}

std::optional<Ended> decode_ended(std::string_view message) {
  MessageReader in = open_message(message, 'E');
  Ended ended;
  const std::uint8_t was_signalled = in.byte();
  if (was_signalled > 1) in.fail();
  ended.was_signalled = was_signalled == 1;
  ended.number = in.number();
  ended.peak_kb = in.number();
  if (!in.is_finished()) return std::nullopt;
  return ended;
}

std::string encode_prepare(const Prepare& prepare) {
  MessageWriter out = begin_message('R');
  out.put_number(prepare.memory_bytes);
  out.put_number(prepare.cpu_seconds);
  out.put_number(prepare.out_bytes);
  out.put_number(static_cast<std::uint32_t>(prepare.files.size()));
  for (const SessionFile& file : prepare.files) {
    out.put_text(file.name);
    out.put_text(file.path);
    out.put_wide(file.device);
    out.put_wide(file.inode);
  }
  return out.take();
}

std::optional<Prepare> decode_prepare(std::string_view message) {
  MessageReader in = open_message(message, 'R');
  Prepare prepare;
  prepare.memory_bytes = in.number();
  prepare.cpu_seconds = in.number();
  prepare.out_bytes = in.number();
  const std::uint32_t files = in.count(24);
  for (std::uint32_t i = 0; i < files && in.ok(); ++i) {
    SessionFile& file = prepare.files.emplace_back();
    file.name = in.text();  // names on the host: any bytes
    file.path = in.text();
    file.device = in.wide();
    file.inode = in.wide();
  }
  if (!in.is_finished()) return std::nullopt;
  return prepare;
}

std::string encode_load(std::uint64_t ticket, const RunLimits& limits, std::string_view compiled) {
  MessageWriter out = begin_message('L');
  out.put_wide(ticket);
  out.put_number(limits.timeout_ms);
  out.put_number(limits.memory_bytes);
  out.put_number(limits.result_bytes);
  out.put_number(limits.output_bytes);
  out.put_number(limits.result_depth);
  out.put_text(compiled);
  return out.take();
}

std::optional<LoadRequest> decode_load(std::string_view message) {
  MessageReader in = open_message(message, 'L');
  LoadRequest request;
  request.ticket = in.wide();
  request.limits.timeout_ms = in.number();
  request.limits.memory_bytes = in.number();
  request.limits.result_bytes = in.number();
  request.limits.output_bytes = in.number();
  request.limits.result_depth = in.number();
  request.compiled = in.text();
  if (!in.is_finished()) return std::nullopt;
  return request;
}

std::string encode_path(std::uint64_t ticket, std::string_view path) {
  MessageWriter out = begin_message('P');
  out.put_wide(ticket);
  out.put_text(path);
  return out.take();
}

std::optional<PathRequest> decode_path(std::string_view message) {
  MessageReader in = open_message(message, 'P');
  PathRequest request;
  request.ticket = in.wide();
  request.path = in.text();
  if (!in.is_finished()) return std::nullopt;
  return request;
}

std::string encode_locked(const std::vector<std::string>& walls) {
  MessageWriter out = begin_message('K');
  put_texts(out, walls);
  return out.take();
}

std::optional<std::vector<std::string>> decode_locked(std::string_view message) {
  MessageReader in = open_message(message, 'K');
  const std::uint32_t count = in.count(4);
  std::vector<std::string> walls;
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) walls.push_back(in.clean_text());
  if (!in.is_finished()) return std::nullopt;
  return walls;
}

std::string encode_outcome(std::uint64_t ticket, const GuestOutcome& outcome) {
  MessageWriter out = begin_message('O');
  out.put_wide(ticket);
  out.put_byte(
      static_cast<std::uint8_t>((outcome.success ? 1 : 0) | (outcome.output_was_cut ? 2 : 0)));
  out.put_text(outcome.value);
  out.put_text(outcome.error_type);
  out.put_text(outcome.error);
  out.put_number(outcome.error_line);
  out.put_number(static_cast<std::uint32_t>(outcome.trace.size()));
  for (const TraceLine& line : outcome.trace) {
    out.put_number(line.line);
    out.put_text(line.function);
  }
  out.put_text(outcome.output);
  out.put_text(outcome.error_output);
  out.put_number(static_cast<std::uint32_t>(outcome.microseconds));
  return out.take();
}

std::optional<Outcome> decode_outcome(std::string_view message) {
  MessageReader in = open_message(message, 'O');
  Outcome read;
  read.ticket = in.wide();
  GuestOutcome& outcome = read.outcome;
  // Bit 0: success; bit 1: the output was cut. Others do not exist.
  const std::uint8_t bits = in.byte();
  if (bits > 3) in.fail();
  outcome.success = (bits & 1) != 0;
  outcome.output_was_cut = (bits & 2) != 0;
  outcome.value = in.clean_text();
  outcome.error_type = in.clean_text();
  outcome.error = in.clean_text();
  outcome.error_line = in.number();
  // A frame is at least a line number and the length of a name: 8 bytes.
  const std::uint32_t lines = in.count(8);
  if (lines > kMaxTrace) in.fail();
  for (std::uint32_t i = 0; i < lines && in.ok(); ++i) {
    const std::uint32_t line = in.number();
    outcome.trace.push_back({line, in.clean_text()});
  }
  outcome.output = in.clean_text();
  outcome.error_output = in.clean_text();
  outcome.microseconds = in.number();
  if (!in.is_finished()) return std::nullopt;
  return read;
}

}  // namespace airlock::wire

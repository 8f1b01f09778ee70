#include "wire/node_messages.h"

#include "wire/bytes.h"

namespace airlock::wire {

namespace {

// The letters of the grammar in the header.
constexpr char kStart = 'S', kNode = 'N', kPut = 'P', kResolve = 'V', kKeep = 'K', kDone = 'D',
               kValue = 'J', kKept = 'W';

std::string only(char kind) {
  return std::string(1, kind);
}

std::string with_texts(char kind, std::initializer_list<std::string_view> texts) {
  MessageWriter out = begin_message(kind);
  for (const std::string_view text : texts) out.put_text(text);
  return out.take();
}

std::string with_number(char kind, std::uint32_t number) {
  MessageWriter out = begin_message(kind);
  out.put_number(number);
  return out.take();
}

bool is_only(std::string_view message, char kind) {
  return message.size() == 1 && message[0] == kind;
}

// A byte that is neither 0 nor 1 is a failure, not "true".
bool flag(MessageReader& in) {
  const std::uint8_t value = in.byte();
  if (value > 1) in.fail();
  return value == 1;
}

std::optional<std::string> one_text(std::string_view message, char kind) {
  MessageReader in = open_message(message, kind);
  std::string text(in.text());
  if (!in.is_finished()) return std::nullopt;
  return text;
}

std::optional<std::pair<std::string, std::string>> two_texts(std::string_view message, char kind) {
  MessageReader in = open_message(message, kind);
  std::string first(in.text());
  std::string second(in.text());
  if (!in.is_finished()) return std::nullopt;
  return std::pair{std::move(first), std::move(second)};
}

std::optional<std::uint32_t> one_number(std::string_view message, char kind) {
  MessageReader in = open_message(message, kind);
  const std::uint32_t number = in.number();
  if (!in.is_finished()) return std::nullopt;
  return number;
}

}  // namespace

std::string encode_start_nodes(std::string_view shared) {
  return with_texts(kStart, {shared});
}
std::string encode_put(std::string_view name, std::string_view entry) {
  return with_texts(kPut, {name, entry});
}
std::string encode_resolve(std::string_view value) {
  return with_texts(kResolve, {value});
}
std::string encode_checkpoint() {
  return only(kKeep);
}
std::string encode_checkpoint_ready(std::uint32_t process) {
  return with_number(kKept, process);
}

std::string encode_node(const NodeRequest& request) {
  MessageWriter out = begin_message(kNode);
  for (const std::string* text : {&request.name, &request.params, &request.actions})
    out.put_text(*text);
  out.put_number(request.attempts);
  out.put_number(request.wait_ms);
  out.put_byte(request.goes_on ? 1 : 0);
  return out.take();
}

std::string encode_done(const NodeDone& done) {
  MessageWriter out = begin_message(kDone);
  for (const std::string* text : {&done.action, &done.phase, &done.error_type}) out.put_text(*text);
  out.put_number(done.line);
  out.put_byte(done.has_result ? 1 : 0);
  out.put_byte(done.is_exact ? 1 : 0);
  for (const std::string* text : {&done.result, &done.error, &done.output, &done.error_output})
    out.put_text(*text);
  return out.take();
}

std::string encode_value(const ResolvedValue& value) {
  MessageWriter out = begin_message(kValue);
  out.put_text(value.json);
  out.put_text(value.problem);
  out.put_byte(value.is_json ? 1 : 0);
  return out.take();
}

std::optional<std::string> decode_start_nodes(std::string_view message) {
  return one_text(message, kStart);
}
std::optional<std::pair<std::string, std::string>> decode_put(std::string_view message) {
  return two_texts(message, kPut);
}
std::optional<std::string> decode_resolve(std::string_view message) {
  return one_text(message, kResolve);
}
bool is_checkpoint(std::string_view message) {
  return is_only(message, kKeep);
}
std::optional<std::uint32_t> decode_checkpoint_ready(std::string_view message) {
  return one_number(message, kKept);
}

std::optional<NodeRequest> decode_node(std::string_view message) {
  MessageReader in = open_message(message, kNode);
  NodeRequest request;
  for (std::string* text : {&request.name, &request.params, &request.actions}) *text = in.text();
  request.attempts = in.number();
  request.wait_ms = in.number();
  request.goes_on = flag(in);
  if (!in.is_finished()) return std::nullopt;
  return request;
}

std::optional<NodeDone> decode_done(std::string_view message) {
  MessageReader in = open_message(message, kDone);
  NodeDone done;
  for (std::string* text : {&done.action, &done.phase, &done.error_type}) *text = in.text();
  done.line = in.number();
  done.has_result = flag(in);
  done.is_exact = flag(in);
  for (std::string* text : {&done.result, &done.error, &done.output, &done.error_output})
    *text = in.text();
  if (!in.is_finished()) return std::nullopt;
  return done;
}

std::optional<ResolvedValue> decode_value(std::string_view message) {
  MessageReader in = open_message(message, kValue);
  ResolvedValue value;
  value.json = in.text();
  value.problem = in.text();
  value.is_json = flag(in);
  if (!in.is_finished()) return std::nullopt;
  return value;
}

}  // namespace airlock::wire

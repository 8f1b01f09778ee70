#include "wire/messages.h"

#include "base/utf8.h"
#include "model/rule.h"
#include "wire/bytes.h"

namespace airlock::wire {

namespace {

void put_place(MessageWriter& out, const Place& place) {
  out.put_number(place.line);
  out.put_number(place.column);
  out.put_number(place.end_line);
  out.put_number(place.end_column);
}

Place read_place(MessageReader& in) {
  Place place;
  place.line = in.number();
  place.column = in.number();
  place.end_line = in.number();
  place.end_column = in.number();
  return place;
}

void put_finding(MessageWriter& out, const Finding& finding) {
  out.put_number(static_cast<std::uint32_t>(finding.rule->code));
  out.put_byte(static_cast<std::uint8_t>(finding.severity));
  put_place(out, finding.place);
  out.put_text(finding.item);
  out.put_text(finding.message);
  out.put_text(finding.suggestion);
}

Finding read_finding(MessageReader& in) {
  Finding finding;
  const std::uint32_t code = in.number();
  // Only a rule of our own table: its texts and its stage come from there, not from the wire.
  finding.rule = code <= UINT16_MAX ? find_rule(static_cast<std::uint16_t>(code)) : nullptr;
  if (finding.rule == nullptr) in.fail();
  const std::uint8_t severity = in.byte();
  if (severity > static_cast<std::uint8_t>(Severity::kNote)) in.fail();
  finding.severity = static_cast<Severity>(severity);
  finding.place = read_place(in);
  finding.item = in.clean_text();
  finding.message = in.clean_text();
  finding.suggestion = in.clean_text();
  return finding;
}

// ---- the policy
void put(MessageWriter& out, const std::string& text) {
  out.put_text(text);
}
void put(MessageWriter& out, const Permit& permit) {
  out.put_text(permit.name);
  out.put_text(permit.why);
}
void put(MessageWriter& out, const Refusal& refusal) {
  out.put_text(refusal.name);
  out.put_text(refusal.why);
  out.put_text(refusal.instead);
}
void put(MessageWriter& out, const Folder& folder) {
  out.put_text(folder.place);
  out.put_text(folder.source);
  out.put_number(folder.memory_bytes);
}
void put(MessageWriter& out, const PackageFolder& folder) {
  out.put_text(folder.path);
  out.put_byte(folder.hides_host ? 1 : 0);
}
void put(MessageWriter& out, const Surface& surface);
template <typename Item>
void put(MessageWriter& out, const std::vector<Item>& list) {
  out.put_number(static_cast<std::uint32_t>(list.size()));
  for (const Item& item : list) put(out, item);
}
void put(MessageWriter& out, const Surface& surface) {
  out.put_text(surface.name);
  out.put_text(surface.why);
  put(out, surface.attributes);
  put(out, surface.refused);
}

void read(MessageReader& in, std::string& text) {
  text = in.clean_text();
}
void read(MessageReader& in, Permit& permit) {
  read(in, permit.name);
  read(in, permit.why);
}
void read(MessageReader& in, Refusal& refusal) {
  read(in, refusal.name);
  read(in, refusal.why);
  read(in, refusal.instead);
}
void read(MessageReader& in, Folder& folder) {
  read(in, folder.place);
  folder.source = in.text();  // a name on the host: any bytes
  folder.memory_bytes = in.number();
}
void read(MessageReader& in, PackageFolder& folder) {
  folder.path = in.text();  // any bytes, as above
  const std::uint8_t hides_host = in.byte();
  if (hides_host > 1) in.fail();
  folder.hides_host = hides_host == 1;
}
void read(MessageReader& in, Surface& surface);
template <typename Item>
void read(MessageReader& in, std::vector<Item>& list) {
  const std::uint32_t count = in.count(4);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) read(in, list.emplace_back());
}
void read(MessageReader& in, Surface& surface) {
  read(in, surface.name);
  read(in, surface.why);
  read(in, surface.attributes);
  read(in, surface.refused);
}

// One list of fields for both directions: what is written is what is read.
template <typename Policy, typename Each>
void for_each_field(Policy& policy, Each&& each) {
  each(policy.name);
  each(policy.summary);
  each(policy.modules);
  each(policy.packages);
  each(policy.refused_modules);
  each(policy.classes);
  each(policy.builtins);
  each(policy.refused_builtins);
  each(policy.readable_special);
  each(policy.definable_special);
  each(policy.private_names);
  each(policy.introspection);
  each(policy.file_operations);
  each(policy.grants);
  each(policy.parts_left_out);
  each(policy.preloaded);
  each(policy.package_folder);
  each(policy.folders);
}

}  // namespace

std::optional<MessageType> type_of(std::string_view message) {
  if (message.empty()) return std::nullopt;
  const auto type = static_cast<MessageType>(message[0]);
  switch (type) {
    case MessageType::kHello:
    case MessageType::kReady:
    case MessageType::kVet:
    case MessageType::kVerdict:
    case MessageType::kTrouble:
    case MessageType::kMistake:
      return type;
  }
  return std::nullopt;
}

std::string encode_hello(const Policy& policy) {
  MessageWriter out = begin_message(MessageType::kHello);
  for_each_field(policy, [&](const auto& field) { put(out, field); });
  out.put_number(policy.limits.source_bytes);
  out.put_number(policy.limits.bracket_depth);
  out.put_number(policy.limits.tree_depth);
  return out.take();
}

std::optional<Policy> decode_hello(std::string_view message) {
  MessageReader in = open_message(message, MessageType::kHello);
  Policy policy;
  for_each_field(policy, [&](auto& field) { read(in, field); });
  policy.limits.source_bytes = in.number();
  policy.limits.bracket_depth = in.number();
  policy.limits.tree_depth = in.number();
  if (!in.is_finished()) return std::nullopt;
  return policy;
}

std::string encode_ready(const std::vector<std::string>& walls) {
  MessageWriter out = begin_message(MessageType::kReady);
  put(out, walls);
  return out.take();
}

std::optional<std::vector<std::string>> decode_ready(std::string_view message) {
  MessageReader in = open_message(message, MessageType::kReady);
  std::vector<std::string> walls;
  read(in, walls);
  if (!in.is_finished()) return std::nullopt;
  return walls;
}

std::string encode_vet(std::string_view raw, Stages stages, TextKind kind) {
  MessageWriter out = begin_message(MessageType::kVet);
  // Bits: 1 security, 2 signature, 4 compile, 8 the text is a program (not an answer).
  out.put_byte(static_cast<std::uint8_t>((stages.security ? 1 : 0) | (stages.signature ? 2 : 0) |
                                         (stages.compile ? 4 : 0) |
                                         (static_cast<unsigned>(kind) << 3)));
  out.put_number(stages.piece);
  out.put_text(raw);
  return out.take();
}

std::optional<VetRequest> decode_vet(std::string_view message) {
  MessageReader in = open_message(message, MessageType::kVet);
  const std::uint8_t bits = in.byte();
  if (bits >> 3 > static_cast<unsigned>(TextKind::kPiece)) in.fail();
  const std::uint32_t piece = in.number();
  VetRequest request{{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, piece},
                     static_cast<TextKind>(bits >> 3 & 3),
                     in.text()};
  if (!in.is_finished()) return std::nullopt;
  return request;
}

std::string encode_verdict(const Verdict& verdict) {
  MessageWriter out = begin_message(MessageType::kVerdict);
  out.put_byte(static_cast<std::uint8_t>(verdict.decision));
  out.put_byte(static_cast<std::uint8_t>(verdict.stage));
  out.put_text(verdict.code);
  out.put_text(verdict.compiled);
  out.put_byte(verdict.has_sets ? 1 : 0);
  out.put_number(static_cast<std::uint32_t>(verdict.lines.lines.size()));
  for (const RawLine& line : verdict.lines.lines) {
    out.put_number(line.line);
    out.put_number(static_cast<std::uint32_t>(line.column));
  }
  out.put_number(static_cast<std::uint32_t>(verdict.findings.size()));
  for (const Finding& finding : verdict.findings) put_finding(out, finding);
  return out.take();
}

std::optional<Verdict> decode_verdict(std::string_view message) {
  MessageReader in = open_message(message, MessageType::kVerdict);
  Verdict verdict;
  const std::uint8_t decision = in.byte();
  const std::uint8_t stage = in.byte();
  if (decision > static_cast<std::uint8_t>(Decision::kRefused)) in.fail();
  if (stage > static_cast<std::uint8_t>(Stage::kComplete)) in.fail();
  verdict.decision = static_cast<Decision>(decision);
  verdict.stage = static_cast<Stage>(stage);
  verdict.code = in.clean_text();
  verdict.compiled = std::string(in.text());
  const std::uint8_t has_sets = in.byte();
  if (has_sets > 1) in.fail();
  verdict.has_sets = has_sets == 1;
  // Two numbers a line.
  const std::uint32_t lines = in.count(8);
  verdict.lines.lines.reserve(lines);
  for (std::uint32_t i = 0; i < lines && in.ok(); ++i) {
    const std::uint32_t line = in.number();
    verdict.lines.lines.push_back({line, static_cast<std::int32_t>(in.number())});
  }
  // A finding is at least its rule (4), severity (1), place (16) and three lengths (12).
  const std::uint32_t findings = in.count(33);
  verdict.findings.reserve(findings);
  for (std::uint32_t i = 0; i < findings && in.ok(); ++i)
    verdict.findings.push_back(read_finding(in));
  // An acceptance with an error in it, or a refusal without one, is a lie.
  if (in.ok()) {
    bool has_error = false;
    for (const Finding& one : verdict.findings)
      has_error = has_error || one.severity == Severity::kError;
    const bool is_accepted = verdict.decision == Decision::kAccepted;
    if (is_accepted == has_error || is_accepted != (verdict.stage == Stage::kComplete)) in.fail();
  }
  if (!in.is_finished()) return std::nullopt;
  return verdict;
}

namespace {

std::string encode_words(MessageType type, std::string_view words) {
  MessageWriter out = begin_message(type);
  out.put_text(words);
  return out.take();
}

std::optional<std::string> decode_words(MessageType type, std::string_view message) {
  MessageReader in = open_message(message, type);
  std::string words = in.clean_text();
  if (!in.is_finished()) return std::nullopt;
  return words;
}

}  // namespace

std::string encode_trouble(std::string_view what) {
  return encode_words(MessageType::kTrouble, what);
}
std::optional<std::string> decode_trouble(std::string_view message) {
  return decode_words(MessageType::kTrouble, message);
}

std::string encode_mistake(std::string_view what) {
  return encode_words(MessageType::kMistake, what);
}
std::optional<std::string> decode_mistake(std::string_view message) {
  return decode_words(MessageType::kMistake, message);
}

}  // namespace airlock::wire

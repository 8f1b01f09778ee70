// simdjson reads the bytes: UTF-8, grammar, numbers, strings, and the depth, all before anything of
// ours looks. What it accepts is walked once, along its tape, by the judge. What it refuses is read
// again by the careful reader, only to say why.
#include "admit/admit.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "admit/careful_reader.h"
#include "admit/judge.h"
#include "admit/secret_name.h"
#include "base/utf8.h"

namespace airlock {

namespace {

// Escapes that can write what is no character: NUL and surrogates. Only then are decoded strings
// looked at again.
bool has_odd_escapes(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (end - at >= 6) {
    const void* found = std::memchr(at, '\\', static_cast<std::size_t>(end - at) - 5);
    if (found == nullptr) return false;
    at = static_cast<const char*>(found) + 1;
    if (*at != 'u') continue;
    if ((at[1] | 0x20) == 'd' || std::memcmp(at + 1, "0000", 4) == 0) return true;
  }
  return false;
}

enum class Strings { kAsSimdjsonLeftThem, kLookAgain };

void look_again(std::string_view text, Judge& judge) {
  if (text.find('\0') != std::string_view::npos)
    judge.complain(AdmitErrorType::kEncoding, "There is a NUL character here. Take it out.");
  if (find_invalid_utf8(text)) {
    judge.complain(AdmitErrorType::kEncoding,
                   "There is half a surrogate pair here, which is no character.");
  }
}

template <Strings kStrings>
void walk(const JsonTape& tape, Judge& judge) {
  const std::size_t end = tape.end();
  std::size_t at = JsonTape::kRoot;
  bool wants_key = false;
  // One bit a level would do; what the simdjson tape lacks is only whether we are inside an object.
  std::vector<bool> in_object;
  const auto after_value = [&] { wants_key = !in_object.empty() && in_object.back(); };
  while (at < end) {
    const char type = tape.type(at);
    switch (type) {
      case '"': {
        const std::string_view text = tape.string(at++);
        if (wants_key) {
          judge.key(text);
          wants_key = false;
        } else {
          judge.string(text);
          after_value();
        }
        if constexpr (kStrings == Strings::kLookAgain) look_again(text, judge);
        break;
      }
      case '{':
      case '[':
        judge.open(type == '{' ? ValueKind::kObject : ValueKind::kArray);
        in_object.push_back(type == '{');
        wants_key = type == '{';
        ++at;
        break;
      case '}':
      case ']':
        judge.close();
        in_object.pop_back();
        after_value();
        ++at;
        break;
      case 'l':
        judge.scalar(tape.integer(at) < 0 ? ValueKind::kNegative : ValueKind::kInteger);
        after_value();
        at += 2;
        break;
      case 'u':
        judge.scalar(ValueKind::kInteger);
        after_value();
        at += 2;
        break;
      case 'd':
        judge.scalar(ValueKind::kReal);
        after_value();
        at += 2;
        break;
      default:
        judge.scalar(type == 't'   ? ValueKind::kTrue
                     : type == 'f' ? ValueKind::kFalse
                                   : ValueKind::kNull);
        after_value();
        ++at;
        break;
    }
  }
}

std::unexpected<Refusal> refuse(AdmitErrorType type, std::string message) {
  Refusal refusal;
  refusal.errors.push_back({type, {}, std::move(message)});
  return std::unexpected(std::move(refusal));
}

}  // namespace

struct Admitter::Parts {
  Parts(AdmitLimits given, ScrubOptions scrub) : limits(given), scrubber(std::move(scrub)) {}

  AdmitLimits limits;
  SecretNames names;
  KeyMemory memory{names};
  TextScrubber scrubber;
  simdjson::dom::parser parser;
  std::unique_ptr<char[]> padded;  // a copy of the document, with the room that simdjson reads past
  std::size_t padded_size = 0;
};

Admitter::Admitter(AdmitLimits limits, ScrubOptions scrub)
    : parts_(std::make_unique<Parts>(limits, std::move(scrub))) {}
Admitter::~Admitter() = default;
Admitter::Admitter(Admitter&&) noexcept = default;
Admitter& Admitter::operator=(Admitter&&) noexcept = default;

const AdmitLimits& Admitter::limits() const {
  return parts_->limits;
}

std::expected<Admitted, Refusal> Admitter::admit(std::string_view bytes, Form form) {
  Parts& parts = *parts_;
  const AdmitLimits& limits = parts.limits;
  if (bytes.size() > limits.document_bytes) {
    return refuse(AdmitErrorType::kSize,
                  fmt::format("The document is larger than {} bytes. Write what is large to a file "
                              "and name that in raw_artifacts.",
                              limits.document_bytes));
  }
  const std::size_t room = bytes.size() + simdjson::SIMDJSON_PADDING;
  if (parts.padded_size < room) {
    parts.padded = std::make_unique_for_overwrite<char[]>(room);
    parts.padded_size = room;
  }
  std::memcpy(parts.padded.get(), bytes.data(), bytes.size());
  std::memset(parts.padded.get() + bytes.size(), ' ', simdjson::SIMDJSON_PADDING);

  Judge judge(form, limits, parts.memory, parts.scrubber);
  simdjson::dom::document document;
  simdjson::error_code error = simdjson::SUCCESS;
  if (parts.parser.capacity() < bytes.size() || parts.parser.capacity() == 0) {
    error = parts.parser.allocate(std::max<std::size_t>(bytes.size(), 4096),
                                  std::max<std::size_t>(limits.depth, 1));
  }
  if (!error && !bytes.starts_with("\xEF\xBB\xBF")) {
    error =
        parts.parser.parse_into_document(document, parts.padded.get(), bytes.size(), false).error();
  } else if (!error) {
    error = simdjson::UTF8_ERROR;
  }
  if (error) {
    read_carefully(bytes, judge, limits);
    if (!judge.has_complaints())
      judge.complain(AdmitErrorType::kJsonValue, "The document cannot be read as JSON.");
    return std::unexpected(std::move(judge).refusal());
  }
  JsonTape tape(std::move(document.tape), std::move(document.string_buf));
  if (has_odd_escapes(bytes))
    walk<Strings::kLookAgain>(tape, judge);
  else
    walk<Strings::kAsSimdjsonLeftThem>(tape, judge);
  if (judge.has_complaints()) return std::unexpected(std::move(judge).refusal());
  return Admitted(Admitted::Key(), std::move(tape), form);
}

}  // namespace airlock

// simdjson reads the bytes: UTF-8, grammar, numbers, strings, and the depth, all before anything of
// ours looks. What it accepts is walked once, along its tape, by the judge. What it refuses is read
// again by the careful reader, only to say why.
#include "admit/admit.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "admit/document_judge.h"
#include "admit/invalid_json.h"
#include "admit/secret_name.h"
#include "base/utf8.h"

namespace airlock {

namespace {

// Escapes that can write what is no character: \u0000 and the surrogates \uD800 to \uDFFF. Such a
// document is rare, and only then are decoded strings looked at again. Six bytes is the length of
// one escape; a backslash nearer to the end cannot begin one.
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

// A template argument, so that the common walk pays nothing for the rare check.
enum class Strings { kAsParsed, kLookAgain };

// simdjson accepts an escaped NUL, and decodes half a surrogate pair into bytes that are no UTF-8.
void look_again(std::string_view text, DocumentJudge& judge) {
  if (text.find('\0') != std::string_view::npos)
    judge.complain(AdmitErrorType::kEncoding, "There is a NUL character here. Take it out.");
  if (find_invalid_utf8(text)) {
    judge.complain(AdmitErrorType::kEncoding,
                   "There is half a surrogate pair here, which is no character.");
  }
}

// Tells the judge of the value at `at`. Returns the place behind it, or behind the bracket that
// opens it. Numbers take two words of the tape, everything else one.
template <Strings kStrings>
std::size_t tell_value(const JsonTape& tape, std::size_t at, DocumentJudge& judge) {
  switch (tape.type(at)) {
    case '"': {
      const std::string_view text = tape.string(at);
      judge.string(text);
      if constexpr (kStrings == Strings::kLookAgain) look_again(text, judge);
      return at + 1;
    }
    case '{':
      judge.open(ValueKind::kObject);
      return at + 1;
    case '[':
      judge.open(ValueKind::kArray);
      return at + 1;
    case 'l':
      judge.scalar(tape.integer(at) < 0 ? ValueKind::kNegative : ValueKind::kInteger);
      return at + 2;
    case 'u':
      judge.scalar(ValueKind::kInteger);
      return at + 2;
    case 'd':
      judge.scalar(ValueKind::kReal);
      return at + 2;
    case 't':
      judge.scalar(ValueKind::kTrue);
      return at + 1;
    case 'f':
      judge.scalar(ValueKind::kFalse);
      return at + 1;
    default:
      judge.scalar(ValueKind::kNull);
      return at + 1;
  }
}

// Along the tape from the first value to the last; keys and values of an object alternate on it.
template <Strings kStrings>
void walk(const JsonTape& tape, DocumentJudge& judge) {
  const std::size_t end = tape.end();
  for (std::size_t at = JsonTape::kRoot; at < end;) {
    const char type = tape.type(at);
    if (type == '}' || type == ']') {
      judge.close();
      ++at;
      continue;
    }
    if (judge.is_in_object()) {
      const std::string_view key = tape.string(at);
      judge.key(key);
      if constexpr (kStrings == Strings::kLookAgain) look_again(key, judge);
      ++at;
    }
    at = tell_value<kStrings>(tape, at, judge);
  }
}

std::unexpected<NotAdmitted> refuse(AdmitErrorType type, std::string message) {
  NotAdmitted refusal;
  refusal.errors.push_back({type, {}, std::move(message)});
  return std::unexpected(std::move(refusal));
}

}  // namespace

// What is kept from one document to the next: buffers, and verdicts about keys. No bytes of a
// document can be seen by a later one: the copy is overwritten, and the cache answers for equal
// keys only.
struct Admitter::Parts {
  Parts(AdmitLimits given, ScrubOptions scrub) : limits(given), scrubber(std::move(scrub)) {}

  AdmitLimits limits;
  SecretNames names;
  KeyVerdictCache memory{[this](std::string_view key) { return names.looks_secret(key); }};
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

std::expected<Admitted, NotAdmitted> Admitter::admit(std::string_view bytes, Form form) {
  Parts& parts = *parts_;
  const AdmitLimits& limits = parts.limits;
  if (bytes.size() > limits.document_bytes) {
    return refuse(AdmitErrorType::kSize,
                  fmt::format("The document is larger than {} bytes. Write what is large to a file "
                              "and name that in raw_artifacts.",
                              limits.document_bytes));
  }
  // simdjson reads in blocks past the end, so it gets a copy with room behind it.
  const std::size_t room = bytes.size() + simdjson::SIMDJSON_PADDING;
  if (parts.padded_size < room) {
    parts.padded = std::make_unique_for_overwrite<char[]>(room);
    parts.padded_size = room;
  }
  std::memcpy(parts.padded.get(), bytes.data(), bytes.size());
  std::memset(parts.padded.get() + bytes.size(), ' ', simdjson::SIMDJSON_PADDING);

  DocumentJudge judge(form, limits, parts.memory, parts.scrubber);
  simdjson::dom::document document;
  simdjson::error_code error = simdjson::SUCCESS;
  if (parts.parser.capacity() < bytes.size() || parts.parser.capacity() == 0) {
    error = parts.parser.allocate(std::max<std::size_t>(bytes.size(), 4096),
                                  limits.depth + 1);  // it counts what is in the last one, too
  }
  // simdjson skips a byte-order mark; our rule is plain UTF-8.
  if (!error && !bytes.starts_with("\xEF\xBB\xBF")) {
    error =
        parts.parser.parse_into_document(document, parts.padded.get(), bytes.size(), false).error();
  } else if (!error) {
    error = simdjson::UTF8_ERROR;
  }
  if (error) {
    diagnose_invalid_json(bytes, judge, limits);
    // The careful reader found nothing wrong. simdjson decides: what it refused is never admitted.
    if (!judge.has_complaints())
      judge.complain(AdmitErrorType::kJsonValue, "The document cannot be read as JSON.");
    return std::unexpected(std::move(judge).refusal());
  }
  JsonTape tape(std::move(document.tape), std::move(document.string_buf));
  if (has_odd_escapes(bytes))
    walk<Strings::kLookAgain>(tape, judge);
  else
    walk<Strings::kAsParsed>(tape, judge);
  if (judge.has_complaints()) return std::unexpected(std::move(judge).refusal());
  return Admitted(Admitted::Key(), std::move(tape), form);
}

}  // namespace airlock

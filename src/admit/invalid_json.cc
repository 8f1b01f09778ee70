// A state machine with an explicit stack (`open_`): Next says what has to come, each state reads it
// and says what comes then. kNothing ends it, after a complaint about where the text breaks.
#include "admit/invalid_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"

namespace airlock {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What Python and JavaScript write where JSON has no word for it.
struct ForeignWord {
  std::string_view word;
  std::string_view message;
};
constexpr std::array kForeignWords = {
    ForeignWord{"NaN", "NaN is not a JSON value. Leave it out, or use null."},
    ForeignWord{"nan", "nan is not a JSON value. Leave it out, or use null."},
    ForeignWord{"Infinity", "Infinity is not a JSON value. Leave it out, or use null."},
    ForeignWord{"-Infinity", "-Infinity is not a JSON value. Leave it out, or use null."},
    ForeignWord{"inf", "inf is not a JSON value. Leave it out, or use null."},
    ForeignWord{"-inf", "-inf is not a JSON value. Leave it out, or use null."},
    ForeignWord{"None", "None is Python; JSON says null. Write it with json.dumps."},
    ForeignWord{"True", "True is Python; JSON says true. Write it with json.dumps."},
    ForeignWord{"False", "False is Python; JSON says false. Write it with json.dumps."},
    ForeignWord{"undefined", "undefined is not a JSON value. Leave it out, or use null."},
};

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '.' || c == '+' || c == '-';
}
// kFine is a whole number from 0 to 2^64 - 1; the others are what their names say.
enum class NumberVerdict { kNoNumber, kFine, kNegative, kReal, kTooLarge };

// By JSON's grammar, and by the range that simdjson has: 64 bits for whole numbers, a finite double
// for others.
NumberVerdict judge_number(std::string_view word) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at - from;
  };
  const bool is_negative = word.starts_with('-');
  at = is_negative ? 1 : 0;
  const std::size_t whole_at = at;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && word[whole_at] == '0')) return NumberVerdict::kNoNumber;
  if (at == word.size()) {
    std::int64_t number = 0;
    std::uint64_t natural = 0;
    const char* end = word.data() + word.size();
    if (std::from_chars(word.data(), end, number).ec == std::errc())
      return number < 0 ? NumberVerdict::kNegative : NumberVerdict::kFine;
    if (!is_negative && std::from_chars(word.data(), end, natural).ec == std::errc())
      return NumberVerdict::kFine;
    return NumberVerdict::kTooLarge;
  }
  if (word[at] == '.') {
    ++at;
    if (digits() == 0) return NumberVerdict::kNoNumber;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    if (digits() == 0) return NumberVerdict::kNoNumber;
  }
  if (at != word.size()) return NumberVerdict::kNoNumber;
  const double number = std::strtod(std::string(word).c_str(), nullptr);
  return std::isfinite(number) ? NumberVerdict::kReal : NumberVerdict::kTooLarge;
}

// One document. Positions are offsets of bytes in `text_`.
class InvalidJsonReader {
 public:
  InvalidJsonReader(std::string_view text, DocumentJudge& judge, const AdmitLimits& limits)
      : text_(text), judge_(judge), limits_(limits) {}

  void read();

 private:
  // What has to come next.
  enum class Next { kValue, kFirst, kComma, kNothing };

  Next value();
  Next first();
  Next comma();
  Next key();
  Next close();
  Next open(ValueKind kind);
  Next word();
  Next strange_value(std::string_view word);
  // False: there is nothing to read, and it has been said why.
  bool begins_well();
  void check_nothing_follows();
  void skip_too_deep_value();

  // Reads the string whose quote stands here. False when it has no end: reported.
  bool quoted(std::string& out);
  void plain_bytes(std::string& out);
  void escape(std::string& out);
  void unicode_escape(std::string& out);
  bool unit(std::size_t at, char32_t& out) const;

  bool at_end() const { return at_ >= text_.size(); }
  char here() const { return at_end() ? '\0' : text_[at_]; }
  bool looking_at(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  std::string place() const;
  Next stop(AdmitErrorType type, std::string_view message);
  Next stop_at_byte();

  // What can be wrong with one string, each said once.
  struct Troubles {
    bool escape = false;
    bool surrogate = false;
    bool bytes = false;
    bool control = false;
    bool nul = false;
  };
  void complain_of(const Troubles& troubles);

  std::string_view text_;
  DocumentJudge& judge_;
  const AdmitLimits& limits_;
  std::size_t at_ = 0;
  std::string open_;              // '{' and '[', the outermost first
  std::deque<std::string> keys_;  // the judge's strings stay where they are
  std::string scratch_;
  Troubles troubles_;  // of the string that was read last
};

// Of the byte that is being looked at: "line 3, column 7".
std::string InvalidJsonReader::place() const {
  const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

InvalidJsonReader::Next InvalidJsonReader::stop(AdmitErrorType type, std::string_view message) {
  judge_.complain(type, fmt::format("{} ({})", message, place()));
  return Next::kNothing;
}

// A byte that JSON has no place for.
InvalidJsonReader::Next InvalidJsonReader::stop_at_byte() {
  if (at_end())
    return stop(AdmitErrorType::kJsonValue, "The text ends in the middle of the document.");
  const auto byte = static_cast<unsigned char>(here());
  if (byte == 0) return stop(AdmitErrorType::kEncoding, "There is a NUL byte here.");
  if (byte >= 0x80 && decode_utf8(text_, at_).bytes == 0)
    return stop(AdmitErrorType::kEncoding, "The bytes here are not UTF-8. Write JSON as UTF-8.");
  if (looking_at(kByteOrderMark))
    return stop(AdmitErrorType::kEncoding, "There is a byte-order mark here. Take it out.");
  if (looking_at("//") || looking_at("/*") || byte == '#')
    return stop(AdmitErrorType::kJsonValue, "JSON has no comments. Take it out.");
  if (byte == '\'') {
    return stop(AdmitErrorType::kJsonValue,
                "JSON has double quotes only. Write it with json.dumps, not with str() or repr().");
  }
  return stop(AdmitErrorType::kJsonValue, "This is not JSON: something unexpected stands here.");
}

bool InvalidJsonReader::begins_well() {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    judge_.complain(AdmitErrorType::kEncoding, "This looks like UTF-16. Write JSON as UTF-8.");
    return false;
  }
  if (looking_at(kByteOrderMark)) {
    judge_.complain(AdmitErrorType::kEncoding,
                    "The document begins with a byte-order mark. Write plain UTF-8 without one.");
    at_ = kByteOrderMark.size();
  }
  skip_spaces();
  if (!at_end()) return true;
  judge_.complain(AdmitErrorType::kJsonValue, "There is nothing here: the document is empty.");
  return false;
}

void InvalidJsonReader::check_nothing_follows() {
  skip_spaces();
  if (at_end()) return;
  if (here() == '\0' || static_cast<unsigned char>(here()) >= 0x80) {
    stop_at_byte();
    return;
  }
  stop(AdmitErrorType::kJsonValue,
       "Something stands after the end of the document. Send one JSON document and nothing else.");
}

// The loop of the state machine. Each turn reads at least one byte or ends, so it always ends.
void InvalidJsonReader::read() {
  if (!begins_well()) return;
  Next next = Next::kValue;
  while (next != Next::kNothing) {
    skip_spaces();
    switch (next) {
      case Next::kValue:
        next = value();
        break;
      case Next::kFirst:
        next = first();
        break;
      default:
        if (open_.empty()) {
          check_nothing_follows();
          return;
        }
        next = comma();
        break;
    }
  }
}

InvalidJsonReader::Next InvalidJsonReader::close() {
  ++at_;
  open_.pop_back();
  judge_.close();
  return Next::kComma;
}

// Behind a bracket that has just been opened.
InvalidJsonReader::Next InvalidJsonReader::first() {
  const bool is_object = open_.back() == '{';
  if (here() == (is_object ? '}' : ']')) return close();
  return is_object ? key() : Next::kValue;
}

// Behind a value inside a container: a comma and the next item, or the end of the container.
InvalidJsonReader::Next InvalidJsonReader::comma() {
  const bool is_object = open_.back() == '{';
  const char closing = is_object ? '}' : ']';
  if (here() == closing) return close();
  if (here() != ',') return stop_at_byte();
  ++at_;
  skip_spaces();
  if (here() == closing)
    return stop(AdmitErrorType::kJsonValue, "JSON allows no comma after the last element.");
  return is_object ? key() : Next::kValue;
}

InvalidJsonReader::Next InvalidJsonReader::key() {
  if (here() != '"') {
    if (at_end() || here() == '\'' || !is_word(here())) return stop_at_byte();
    return stop(AdmitErrorType::kJsonValue, "A key must be a string, in double quotes.");
  }
  // Kept until the end: the judge compares keys and names places with them.
  keys_.emplace_back();
  if (!quoted(keys_.back())) return Next::kNothing;
  judge_.key(keys_.back());
  complain_of(troubles_);
  skip_spaces();
  if (here() == ',' || here() == '}')
    return stop(AdmitErrorType::kJsonValue, "This key has no value (a set is not a JSON value).");
  if (here() != ':') return stop_at_byte();
  ++at_;
  return Next::kValue;
}

InvalidJsonReader::Next InvalidJsonReader::open(ValueKind kind) {
  judge_.open(kind);
  // The judge has complained of the depth; what is inside is skipped, so that the rest can be
  // judged.
  if (open_.size() >= limits_.depth) {
    judge_.close();
    skip_too_deep_value();
    return Next::kComma;
  }
  open_ += here();
  ++at_;
  return Next::kFirst;
}

// Only brackets and strings count here: what is inside is not judged.
void InvalidJsonReader::skip_too_deep_value() {
  std::size_t depth = 0;
  for (; !at_end(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      for (++at_; !at_end() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      ++at_;
      return;
    }
  }
}

InvalidJsonReader::Next InvalidJsonReader::value() {
  switch (here()) {
    case '{':
      return open(ValueKind::kObject);
    case '[':
      return open(ValueKind::kArray);
    case '"':
      scratch_.clear();
      if (!quoted(scratch_)) return Next::kNothing;
      judge_.string(scratch_);
      complain_of(troubles_);
      return Next::kComma;
    default:
      return word();
  }
}

// Everything that is neither a container nor a string: the three words, numbers, and what is
// neither.
InvalidJsonReader::Next InvalidJsonReader::word() {
  std::size_t end = at_;
  while (end < text_.size() && is_word(text_[end])) ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  const auto take = [&](ValueKind kind) {
    judge_.scalar(kind);
    at_ = end;
    return Next::kComma;
  };
  if (word == "true") return take(ValueKind::kTrue);
  if (word == "false") return take(ValueKind::kFalse);
  if (word == "null") return take(ValueKind::kNull);
  switch (judge_number(word)) {
    case NumberVerdict::kFine:
      return take(ValueKind::kInteger);
    case NumberVerdict::kNegative:
      return take(ValueKind::kNegative);
    case NumberVerdict::kReal:
      return take(ValueKind::kReal);
    case NumberVerdict::kTooLarge:
      judge_.scalar(ValueKind::kBroken);
      judge_.complain(AdmitErrorType::kJsonValue,
                      "This number is out of range: integers go from -2^63 to 2^64 - 1, others to "
                      "about 1.8e308. Write it as a string.");
      at_ = end;
      return Next::kComma;
    case NumberVerdict::kNoNumber:
      break;
  }
  return strange_value(word);
}

InvalidJsonReader::Next InvalidJsonReader::strange_value(std::string_view word) {
  judge_.scalar(ValueKind::kBroken);
  const auto* row = std::ranges::find(kForeignWords, word, &ForeignWord::word);
  if (row != kForeignWords.end()) {
    judge_.complain(AdmitErrorType::kJsonValue, std::string(row->message));
    at_ += word.size();
    return Next::kComma;
  }
  // Guesses at what was meant, from the particular to the general.
  const char behind = at_ + word.size() < text_.size() ? text_[at_ + word.size()] : '\0';
  if ((word == "b" || word == "B") && (behind == '\'' || behind == '"')) {
    return stop(AdmitErrorType::kJsonValue,
                "Bytes are not a JSON value. Decode them to text, or write them to a file.");
  }
  if (here() == '(')
    return stop(AdmitErrorType::kJsonValue, "A tuple is not a JSON value. Use a list.");
  if (here() == '<')
    return stop(AdmitErrorType::kJsonValue, "An object or a callable is not a JSON value.");
  if (!word.empty() && behind == '(') {
    return stop(AdmitErrorType::kJsonValue,
                "This is the repr of an object, not a JSON value. Report strings and numbers.");
  }
  if (!word.empty() && (is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.'))
    return stop(AdmitErrorType::kJsonValue, "This is not a number as JSON writes one.");
  if (!word.empty()) return stop(AdmitErrorType::kJsonValue, "This word is not a JSON value.");
  if (here() == ',' || here() == ']' || here() == '}')
    return stop(AdmitErrorType::kJsonValue, "A value is missing here.");
  return stop_at_byte();
}

// Appends what the string stands for. Troubles inside are noted, and reading goes on, so that each
// is told once for each string.
bool InvalidJsonReader::quoted(std::string& out) {
  troubles_ = {};
  ++at_;
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c == '\\')
      escape(out);
    else
      plain_bytes(out);
  }
  stop(AdmitErrorType::kJsonValue, "A string begins and does not end.");
  return false;
}

// One character as it stands. What JSON does not allow is left out and noted.
void InvalidJsonReader::plain_bytes(std::string& out) {
  const auto byte = static_cast<unsigned char>(here());
  if (byte == 0) {
    troubles_.nul = true;
    ++at_;
  } else if (byte < 0x20) {
    troubles_.control = true;
    ++at_;
  } else if (const CodePoint point = decode_utf8(text_, at_); point.bytes > 0) {
    out.append(text_.substr(at_, point.bytes));
    at_ += point.bytes;
  } else {
    troubles_.bytes = true;
    ++at_;
  }
}

void InvalidJsonReader::escape(std::string& out) {
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (letter == 'u') {
    unicode_escape(out);
    return;
  }
  const std::size_t known = kLetters.find(letter);
  if (known == std::string_view::npos) {
    troubles_.escape = true;
    ++at_;
    return;
  }
  out += kMeanings[known];
  at_ += 2;
}

// Four hex digits at `at`.
bool InvalidJsonReader::unit(std::size_t at, char32_t& out) const {
  if (at + 4 > text_.size()) return false;
  out = 0;
  for (const char c : text_.substr(at, 4)) {
    const int digit = hex_value(c);
    if (digit < 0) return false;
    out = out * 16 + static_cast<char32_t>(digit);
  }
  return true;
}

// \uXXXX, or two of them that make one character beyond U+FFFF.
void InvalidJsonReader::unicode_escape(std::string& out) {
  char32_t first = 0;
  if (!unit(at_ + 2, first)) {
    troubles_.escape = true;
    at_ += 2;
    return;
  }
  at_ += 6;
  if (first == 0) {
    troubles_.nul = true;
  } else if (first < 0xD800 || first > 0xDFFF) {
    append_utf8(out, first);
  } else if (char32_t second = 0; first < 0xDC00 && looking_at("\\u") && unit(at_ + 2, second) &&
                                  second >= 0xDC00 && second <= 0xDFFF) {
    append_utf8(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    at_ += 6;
  } else {
    troubles_.surrogate = true;
  }
}

void InvalidJsonReader::complain_of(const Troubles& troubles) {
  const auto say = [&](bool is_so, AdmitErrorType type, std::string_view message) {
    if (is_so) judge_.complain(type, std::string(message));
  };
  say(troubles.bytes, AdmitErrorType::kEncoding,
      "There are bytes here that are not UTF-8. Decode them first.");
  say(troubles.surrogate, AdmitErrorType::kEncoding,
      "There is half a surrogate pair here, which is no character.");
  say(troubles.nul, AdmitErrorType::kEncoding, "There is a NUL character here. Take it out.");
  say(troubles.control, AdmitErrorType::kJsonValue,
      "There is a raw control character in this string. JSON wants it escaped.");
  say(troubles.escape, AdmitErrorType::kJsonValue,
      "There is an escape here that JSON does not know.");
}

}  // namespace

void diagnose_invalid_json(std::string_view text, DocumentJudge& judge, const AdmitLimits& limits) {
  InvalidJsonReader(text, judge, limits).read();
}

}  // namespace airlock

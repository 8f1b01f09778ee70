#include "admit/strict_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "admit/document_judge.h"
#include "base/ascii.h"
#include "base/utf8.h"

namespace airlock {

namespace {

// Inside a string: bytes that need no second look.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x80; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

// Up to here every key is compared with every other; beyond, they are sorted.
constexpr std::size_t kFewKeys = 16;
// A number that is shorter, and has no exponent, is finite.
constexpr std::size_t kLongNumber = 300;

}  // namespace

// Only for strings that string() has accepted: every escape is complete, every pair whole.
std::string unescape_json(std::string_view text) {
  std::string out;
  const auto unit = [&](std::size_t at) {
    char32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value * 16 + static_cast<char32_t>(hex_value(text[at + i]));
    return value;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    const char what = text[++at];
    if (what != 'u') {
      constexpr std::string_view kLetters = "bfnrt";
      const std::size_t which = kLetters.find(what);
      out += which == std::string_view::npos ? what : "\b\f\n\r\t"[which];
      continue;
    }
    char32_t point = unit(at + 1);
    at += 4;
    if (point >= 0xD800 && point < 0xDC00) {
      point = 0x10000 + ((point - 0xD800) << 10) + (unit(at + 3) - 0xDC00);
      at += 6;
    }
    append_utf8(out, point);
  }
  return out;
}

bool StrictJson::is_object(std::string_view text) {
  begin(text);
  return peek() == '{' && scan();
}

bool StrictJson::is_value(std::string_view text) {
  begin(text);
  return scan();
}

void StrictJson::begin(std::string_view text) {
  text_ = text;
  at_ = 0;
  frames_.clear();
  keys_.clear();
  unescaped_.clear();
  skip_spaces();
}

// An explicit stack instead of recursion: a hostile text cannot choose how deep our stack goes.
bool StrictJson::scan() {
  do {
    if (!value()) return false;
    // A value has just ended; close what ends with it.
    while (!frames_.empty() && !wants_value_) {
      skip_spaces();
      const bool is_object = frames_.back().is_object;
      const char c = peek();
      ++at_;
      if (c == ',') {
        if (is_object && !key()) return false;
        wants_value_ = true;
      } else if (c != (is_object ? '}' : ']') || !close()) {
        return false;
      }
    }
  } while (!frames_.empty());
  skip_spaces();
  return at_ == text_.size();
}

// One value, or the beginning of a container up to where its first value is wanted.
bool StrictJson::value() {
  skip_spaces();
  wants_value_ = false;
  switch (peek()) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case '"':
      return string();
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      return number();
  }
}

// An empty container is a whole value and leaves no frame.
bool StrictJson::open(bool is_object) {
  ++at_;
  if (frames_.size() == depth_) return false;
  skip_spaces();
  if (peek() == (is_object ? '}' : ']')) {
    ++at_;
    return true;
  }
  frames_.push_back({is_object, keys_.size()});
  wants_value_ = true;
  return !is_object || key();
}

bool StrictJson::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (!frame.is_object) return true;
  if (has_duplicate_keys(frame.first_key)) return false;
  keys_.resize(frame.first_key);
  return true;
}

bool StrictJson::has_duplicate_keys(std::size_t first) {
  const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto is_same = [](const Key& a, const Key& b) {
    return a.digest == b.digest && a.text == b.text;
  };
  if (keys_.size() - first <= kFewKeys) {
    for (auto one = from; one != keys_.end(); ++one) {
      if (std::any_of(from, one, [&](const Key& other) { return is_same(*one, other); }))
        return true;
    }
    return false;
  }
  // By digest, then by text, so that colliding digests change nothing but the time.
  std::sort(from, keys_.end(), [](const Key& a, const Key& b) {
    return a.digest != b.digest ? a.digest < b.digest : a.text < b.text;
  });
  return std::adjacent_find(from, keys_.end(), is_same) != keys_.end();
}

bool StrictJson::key() {
  skip_spaces();
  const std::size_t from = at_ + 1;
  if (peek() != '"' || !string()) return false;
  std::string_view text = text_.substr(from, at_ - from - 1);
  if (is_escaped_) text = unescaped_.emplace_back(unescape_json(text));
  // Compared without escapes: "a" and "\u0061" are the same key.
  keys_.push_back({digest_of(text), text});
  skip_spaces();
  if (peek() != ':') return false;
  ++at_;
  return true;
}

bool StrictJson::word(std::string_view wanted) {
  if (!text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

bool StrictJson::digits() {
  const std::size_t from = at_;
  while (is_digit(peek())) ++at_;
  return at_ > from;
}

// By the grammar alone. Only a number with an exponent, or a very long one, can be beyond a double.
bool StrictJson::number() {
  const std::size_t from = at_;
  bool is_real = false;
  bool is_large = false;
  if (peek() == '-') ++at_;
  if (peek() == '0') {
    ++at_;
  } else if (!digits()) {
    return false;
  }
  if (peek() == '.') {
    is_real = true;
    ++at_;
    if (!digits()) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    is_real = is_large = true;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!digits()) return false;
  }
  if (!is_real || (!is_large && at_ - from < kLongNumber)) return true;
  return std::isfinite(std::strtod(std::string(text_.substr(from, at_ - from)).c_str(), nullptr));
}

// Runs of plain bytes are skipped by table; only escapes and other scripts are looked at closely.
bool StrictJson::string() {
  ++at_;
  is_escaped_ = false;
  while (true) {
    while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
    if (at_ >= text_.size()) return false;
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '"') {
      ++at_;
      return true;
    }
    if (byte == '\\') {
      is_escaped_ = true;
      if (!escape()) return false;
    } else {
      if (byte < 0x20) return false;
      const CodePoint point = decode_utf8(text_, at_);
      if (point.bytes == 0) return false;
      at_ += point.bytes;
    }
  }
}

bool StrictJson::escape() {
  ++at_;
  const char c = peek();
  ++at_;
  if (c != 'u') return c != '\0' && std::string_view("\"\\/bfnrt").contains(c);
  const int unit = hex4();
  // A low surrogate must follow a high one; alone it is no character.
  if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
  if (unit < 0xD800 || unit >= 0xE000) return true;
  if (!text_.substr(at_).starts_with("\\u")) return false;
  at_ += 2;
  const int low = hex4();
  return low >= 0xDC00 && low < 0xE000;
}

int StrictJson::hex4() {
  int unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const int digit = hex_value(peek());
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

}  // namespace airlock

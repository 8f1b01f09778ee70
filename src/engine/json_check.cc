#include "engine/json_check.h"

#include <array>
#include <bitset>
#include <cstdint>

#include "base/utf8.h"

namespace airlock {

namespace {

constexpr std::size_t kMaxDepth = 70;  // a little more than a cell writes

// Inside a string: bytes that need no second look.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x80; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool scan() {
    skip_spaces();
    if (peek() != '{') return false;
    do {
      if (!value()) return false;
      // A value has just ended; close what ends with it.
      while (depth_ > 0 && !wants_value_) {
        skip_spaces();
        const char c = peek();
        ++at_;
        if (c == ',') {
          if (is_object() && !key()) return false;
          wants_value_ = true;
        } else if (c == (is_object() ? '}' : ']')) {
          --depth_;
        } else {
          return false;
        }
      }
    } while (depth_ > 0);
    skip_spaces();
    return at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_object() const { return objects_[depth_ - 1]; }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  // One value, or the beginning of a container up to where its first value is wanted.
  bool value() {
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

  bool open(bool is_object) {
    ++at_;
    if (depth_ == kMaxDepth) return false;
    skip_spaces();
    if (peek() == (is_object ? '}' : ']')) {
      ++at_;
      return true;
    }
    objects_[depth_++] = is_object;
    wants_value_ = true;
    return !is_object || key();
  }

  bool key() {
    skip_spaces();
    if (peek() != '"' || !string()) return false;
    skip_spaces();
    if (peek() != ':') return false;
    ++at_;
    return true;
  }

  bool word(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  bool digits() {
    const std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > from;
  }

  bool number() {
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else if (!digits()) {
      return false;
    }
    if (peek() == '.') {
      ++at_;
      if (!digits()) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return false;
    }
    return true;
  }

  bool string() {
    ++at_;
    while (true) {
      while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ >= text_.size()) return false;
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') {
        ++at_;
        return true;
      }
      if (byte == '\\') {
        if (!escape()) return false;
      } else {
        if (byte < 0x20) return false;
        const CodePoint point = decode_utf8(text_, at_);
        if (point.bytes == 0) return false;
        at_ += point.bytes;
      }
    }
  }

  bool escape() {
    ++at_;
    const char c = peek();
    ++at_;
    if (c != 'u') return c != '\0' && std::string_view("\"\\/bfnrt").contains(c);
    const int unit = hex4();
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
    if (unit < 0xD800 || unit >= 0xE000) return true;
    if (!text_.substr(at_).starts_with("\\u")) return false;
    at_ += 2;
    const int low = hex4();
    return low >= 0xDC00 && low < 0xE000;
  }

  int hex4() {
    int unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      int digit = -1;
      if (c >= '0' && c <= '9') digit = c - '0';
      if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
      if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
      if (digit < 0) return -1;
      unit = unit * 16 + digit;
    }
    return unit;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::bitset<kMaxDepth> objects_;  // which of the open containers are objects
  std::size_t depth_ = 0;
  bool wants_value_ = false;
};

}  // namespace

bool is_json_object(std::string_view text) {
  return Scanner(text).scan();
}

}  // namespace airlock

#include "engine/bulk/rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace airlock {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_unit(std::string& out, unsigned unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 0xF];
}

// Bytes that go out as they are.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x7F; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

// Eight at once: none below space, none past ~, no quote, no backslash. Each test sets the high bit
// of a byte that is; a byte above another that is may be taken for one too, which only means a
// closer look.
bool are_plain(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  const auto has_zero = [](std::uint64_t w) { return (w - kOnes) & ~w & kHighs; };
  const std::uint64_t below_space = (word - kOnes * 0x20) & ~word & kHighs;
  const std::uint64_t is_delete = has_zero(word ^ (kOnes * 0x7F));
  const std::uint64_t is_quote = has_zero(word ^ (kOnes * '"'));
  const std::uint64_t is_backslash = has_zero(word ^ (kOnes * '\\'));
  return ((word & kHighs) | below_space | is_delete | is_quote | is_backslash) == 0;
}

// Every character that is_terminal_control() begins with one of these.
constexpr std::string_view kLeads = "\x7F\xC2\xD8\xE2";

// What JSON lets through and a terminal, or a page that shows the row, would act on: DEL and the
// C1 controls, what turns the direction of text, and Unicode's own line ends.
bool is_terminal_control(char32_t value) {
  return (value >= 0x7F && value < 0xA0) || value == 0x061C || value == 0x200E || value == 0x200F ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
}

std::size_t append_special(std::string& out, std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += static_cast<char>(byte);
    } else {
      append_unit(out, byte);
    }
    return 1;
  }
  const CodePoint point = decode_utf8(text, at);
  if (point.bytes == 0) {
    append_unit(out, 0xDC00U + byte);
    return 1;
  }
  if (is_terminal_control(point.value)) {
    append_unit(out, static_cast<unsigned>(point.value));
  } else {
    out += text.substr(at, point.bytes);
  }
  return point.bytes;
}

// JSON outside of strings is plain ASCII, so the finished text can be gone through. Most rows hold
// none of the leads, and looking for four bytes costs next to nothing.
void append_data(std::string& out, std::string_view data) {
  if (std::ranges::none_of(kLeads, [&](char lead) { return data.contains(lead); })) {
    out += data;
    return;
  }
  std::size_t kept = 0;  // up to here it is in `out`
  for (std::size_t at = data.find_first_of(kLeads); at != std::string_view::npos;
       at = data.find_first_of(kLeads, at)) {
    const CodePoint point = decode_utf8(data, at);
    const std::size_t end = at + std::max<std::size_t>(1, point.bytes);
    if (is_terminal_control(point.value)) {
      out += data.substr(kept, at - kept);
      append_unit(out, static_cast<unsigned>(point.value));
      kept = end;
    }
    at = end;
  }
  out += data.substr(kept);
}

}  // namespace

bool is_plain_json(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size() && are_plain(text.data() + at)) at += 8;
  while (at < text.size() && kPlain[static_cast<unsigned char>(text[at])]) ++at;
  return at == text.size();
}

void append_json_path(std::string& out, std::string_view path) {
  if (is_plain_json(path)) {
    const std::size_t start = out.size();
    out.resize(start + path.size() + 2);
    char* to = out.data() + start;
    *to = '"';
    std::memcpy(to + 1, path.data(), path.size());
    to[path.size() + 1] = '"';
    return;
  }
  out += '"';
  std::size_t at = 0;
  while (at < path.size()) {
    std::size_t end = at;
    while (end + 8 <= path.size() && are_plain(path.data() + end)) end += 8;
    while (end < path.size() && kPlain[static_cast<unsigned char>(path[end])]) ++end;
    out += path.substr(at, end - at);
    at = end;
    if (at < path.size()) at += append_special(out, path, at);
  }
  out += '"';
}

void append_row(std::string& out, std::string_view path, std::string_view data) {
  out += R"({"path": )";
  append_json_path(out, path);
  out += R"(, "ok": true, "data": )";
  append_data(out, data);
  out += "}\n";
}

void append_failed_row(std::string& out, std::string_view path, std::string_view type,
                       std::string_view message) {
  out += R"({"path": )";
  append_json_path(out, path);
  out += R"(, "ok": false, "error": {"type": )";
  append_json_path(out, type);
  out += R"(, "message": )";
  append_json_path(out, message);
  out += "}}\n";
}

}  // namespace airlock

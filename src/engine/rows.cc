#include "engine/rows.h"

#include <array>

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

// What a terminal would obey is spelt out, the C1 controls too.
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
  if (point.value < 0xA0) {
    append_unit(out, static_cast<unsigned>(point.value));
  } else {
    out += text.substr(at, point.bytes);
  }
  return point.bytes;
}

}  // namespace

void append_json_path(std::string& out, std::string_view path) {
  out += '"';
  std::size_t at = 0;
  while (at < path.size()) {
    std::size_t end = at;
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
  out += data;
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

// From the surest sign to the weakest: a byte-order mark, a file format's first bytes, NUL
// bytes on every second place (UTF-16 without a mark), a tenth of control bytes, then the first NUL
// byte and the first byte that is not UTF-8. The first answer is the one that helps most: "this is
// a PNG image" beats "invalid byte 0x89 at column 1".
#include "text/foreign_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace airlock::text {

namespace {

using namespace std::literals;

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

// UTF-32 stands before UTF-16: its little-endian mark starts with the other's.
constexpr std::array kMarks = {
    Magic{"\xFF\xFE\x00\x00"sv, "UTF-32 (little-endian)"},
    Magic{"\x00\x00\xFE\xFF"sv, "UTF-32 (big-endian)"},
    Magic{"\xFF\xFE"sv, "UTF-16 (little-endian)"},
    Magic{"\xFE\xFF"sv, "UTF-16 (big-endian)"},
};

constexpr std::array kFormats = {
    Magic{"\x7F"
          "ELF"sv,
          "an ELF program"},
    Magic{"\x89PNG"sv, "a PNG image"},
    Magic{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Magic{"GIF87a"sv, "a GIF image"},
    Magic{"GIF89a"sv, "a GIF image"},
    Magic{"PK\x03\x04"sv, "a ZIP archive"},
    Magic{"\x1F\x8B"sv, "gzip data"},
    Magic{"BZh9"sv, "bzip2 data"},
    Magic{"\xFD"
          "7zXZ\x00"sv,
          "xz data"},
    Magic{"\x28\xB5\x2F\xFD"sv, "zstd data"},
    Magic{"7z\xBC\xAF"sv, "a 7z archive"},
    Magic{"%PDF-"sv, "a PDF document"},
    Magic{"SQLite format 3\x00"sv, "an SQLite database"},
    Magic{"MZ\x90\x00"sv, "a Windows program"},
    Magic{"\xCF\xFA\xED\xFE"sv, "a Mach-O program"},
    Magic{"\xA7\x0D\x0D\x0A"sv, "compiled Python (.pyc)"},
};

constexpr std::string_view kSaveAsUtf8 = "Save the file as UTF-8 and send it again";

const Magic* find_magic(std::span<const Magic> table, std::string_view raw) {
  for (const Magic& magic : table) {
    if (raw.starts_with(magic.bytes)) return &magic;
  }
  return nullptr;
}

// Code in UTF-16 is nearly all ASCII: every second byte is NUL, and always the same second.
std::string_view unmarked_utf16(std::string_view raw) {
  // Bytes; enough to tell.
  raw = raw.substr(0, 4096);
  std::array<std::size_t, 2> nuls{};
  for (std::size_t i = 0; i < raw.size(); ++i) nuls[i % 2] += raw[i] == '\0';
  const std::size_t pairs = raw.size() / 2;
  const auto mostly = [&](int which) {
    // Six of ten on the one side, at most one of twenty on the other: texts with some characters
    // past ASCII still count.
    return nuls[static_cast<std::size_t>(which)] * 10 >= pairs * 6 &&
           nuls[static_cast<std::size_t>(1 - which)] * 20 <= pairs;
  };
  if (pairs < 2) return "";
  if (mostly(1)) return "UTF-16 (little-endian)";
  return mostly(0) ? "UTF-16 (big-endian)" : "";
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  // Tab, line feed, vertical tab, form feed and carriage return stand in honest text.
  return byte == 0x7F || (byte < 0x20 && !(byte >= '\t' && byte <= '\r'));
}

struct BytePosition {
  std::uint32_t line = 1;
  std::uint32_t column = 0;
};

// Line from 1, column in bytes from 0. A CR LF is one line end, a lone CR is one too.
BytePosition locate(std::string_view raw, std::size_t offset) {
  BytePosition at;
  for (std::size_t i = 0; i < offset; ++i) {
    const bool ends = raw[i] == '\n' || (raw[i] == '\r' && raw.substr(i + 1, 1) != "\n"sv);
    at.line += ends;
    at.column = ends ? 0 : at.column + 1;
  }
  return at;
}

Unrecoverable encoding(std::string_view what) {
  return {RuleCode::kNotUtf8,
          1,
          0,
          std::string(what.substr(0, what.find(' '))),
          fmt::format("The text is {}, not UTF-8", what),
          std::string(kSaveAsUtf8)};
}

Unrecoverable binary(std::string_view what, bool has_nul) {
  return {has_nul ? RuleCode::kNulByte : RuleCode::kNotUtf8,
          1,
          0,
          "",
          fmt::format("This is {}, not text", what),
          "Send the Python source as plain UTF-8 text"};
}

Unrecoverable nul_byte(std::string_view raw, std::size_t offset) {
  const BytePosition at = locate(raw, offset);
  return {RuleCode::kNulByte,
          at.line,
          at.column,
          "0x00",
          fmt::format("There is a NUL byte on line {}, column {}", at.line, at.column + 1),
          "Remove the NUL byte; inside a string write \\x00"};
}

Unrecoverable bad_byte(std::string_view raw, std::size_t offset) {
  const BytePosition at = locate(raw, offset);
  const std::string byte = fmt::format("0x{:02X}", static_cast<unsigned char>(raw[offset]));
  return {
      RuleCode::kNotUtf8,
      at.line,
      at.column,
      byte,
      fmt::format("The byte {} on line {}, column {} is not UTF-8", byte, at.line, at.column + 1),
      fmt::format("{}; it may be in Latin-1 or Windows-1252 now", kSaveAsUtf8)};
}

}  // namespace

std::optional<Unrecoverable> find_foreign_bytes(std::string_view raw) {
  if (const Magic* mark = find_magic(kMarks, raw)) return encoding(mark->what);
  const std::size_t nul = raw.find('\0');
  if (const Magic* format = find_magic(kFormats, raw)) return binary(format->what, nul != raw.npos);
  if (const std::string_view what = unmarked_utf16(raw); !what.empty()) return encoding(what);
  const auto controls = static_cast<std::size_t>(std::ranges::count_if(raw, is_control));
  if (controls * 10 > raw.size()) {
    return binary("binary data (more than a tenth of it are control bytes)", nul != raw.npos);
  }
  const auto bad = find_invalid_utf8(raw);
  if (nul != raw.npos && (!bad || nul < *bad)) return nul_byte(raw, nul);
  if (bad) return bad_byte(raw, *bad);
  return std::nullopt;
}

}  // namespace airlock::text

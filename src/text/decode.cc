// What is done here changes no meaning, so it is done before anything is tried: Python
// itself skips a UTF-8 byte-order mark and reads CR LF and CR as line ends. Lines keep their
// numbers, hence no line map; columns on line 1 count from behind the mark, as editors do.
//
// A declaration of another encoding ends it here: Python would read other text than we do. One that
// names no codec of Python's may be a heading ("# Decoding: the plan"), and is left to the caller.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/utf8.h"
#include "text/cleaning.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

// ---- bytes that are no UTF-8 text: a user who sent a PNG image by mistake is told so, not that
// line 1 has a syntax error
//
// From the surest sign to the weakest: a byte-order mark, a file format's first bytes, NUL
// bytes on every second place (UTF-16 without a mark), a tenth of control bytes, then the first NUL
// byte and the first byte that is not UTF-8. The first answer is the one that helps most: "this is
// a PNG image" beats "invalid byte 0x89 at column 1".

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

// What the bytes are instead of text, with where and how to fix it; nothing when they are UTF-8
// without NUL bytes. Looks behind a UTF-8 byte-order mark.
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

// ---- line ends and the byte-order mark

// U+FEFF in UTF-8.
constexpr std::string_view kMark = "\xEF\xBB\xBF";

struct LineEnds {
  std::uint32_t pairs = 0;  // CR LF
  std::uint32_t lone = 0;   // CR
  std::uint32_t first_line = 0;
};

std::string to_line_feeds(std::string_view raw, LineEnds& ends) {
  std::string out;
  out.reserve(raw.size());
  std::uint32_t line = 1;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\r') {
      const bool pair = i + 1 < raw.size() && raw[i + 1] == '\n';
      ++(pair ? ends.pairs : ends.lone);
      if (ends.first_line == 0) ends.first_line = line;
      // The LF that follows writes the line end.
      if (pair) continue;
    }
    const bool ended = raw[i] == '\n' || raw[i] == '\r';
    line += ended;
    out += ended ? '\n' : raw[i];
  }
  return out;
}

CleaningChange line_ends_change(const LineEnds& ends) {
  const auto plural = [](std::uint32_t count) { return count == 1 ? "" : "s"; };
  std::string what;
  if (ends.pairs > 0) what = fmt::format("{} CR LF line end{}", ends.pairs, plural(ends.pairs));
  if (ends.lone > 0) {
    if (!what.empty()) what += " and ";
    what += fmt::format("{} lone CR line end{}", ends.lone, plural(ends.lone));
  }
  return {RuleCode::kLineEndsChanged,
          ends.first_line,
          ends.pairs == 0  ? "CR"
          : ends.lone == 0 ? "CR LF"
                           : "CR LF, CR",
          fmt::format("Changed {} to LF, from line {} on", what, ends.first_line),
          "",
          Severity::kNote};
}

bool is_empty(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_blank(c) || c == '\n'; });
}

Decoded unrecoverable(Unrecoverable what) {
  return {{}, {std::move(what)}};
}

}  // namespace

// Foreign bytes are looked for first: nothing else makes sense of them.
Decoded decode(std::string_view raw, bool may_be_blank) {
  const bool marked = raw.starts_with(kMark);
  if (marked) raw.remove_prefix(kMark.size());
  if (auto foreign = find_foreign_bytes(raw)) return unrecoverable(std::move(*foreign));

  Decoded out;
  LineEnds ends;
  out.text.code = to_line_feeds(raw, ends);
  if (!may_be_blank && is_empty(out.text.code)) {
    return unrecoverable({RuleCode::kNoCode, 1, 0, "",
                          "The answer is empty: no code found in the answer",
                          "Answer with one Python code block that defines extract(path)"});
  }
  if (auto declared = bad_encoding_declaration(out.text.code); declared && is_codec(declared->item))
    return unrecoverable(std::move(*declared));
  if (marked) {
    out.text.changes.push_back({RuleCode::kByteOrderMarkRemoved, 1, "U+FEFF",
                                "Removed the byte-order mark in front of line 1", "",
                                Severity::kNote});
  }
  if (ends.first_line > 0) out.text.changes.push_back(line_ends_change(ends));
  return out;
}

bool is_as_it_stands(std::string_view raw, std::string_view code) {
  if (raw.starts_with(kMark)) raw.remove_prefix(kMark.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\r' && i + 1 < raw.size() && raw[i + 1] == '\n') continue;
    const char expected = raw[i] == '\r' ? '\n' : raw[i];
    if (at == code.size() || code[at] != expected) return false;
    ++at;
  }
  return at == code.size();
}

}  // namespace airlock::text

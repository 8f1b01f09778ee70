// PEP 263: a comment on line 1, or on line 2 below a line that is blank or a comment, that
// matches
//   ^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)
// names the codec of the file. We always read UTF-8, so a declaration may only say what is already
// so. CPython takes "utf-8-unix" and its like (Emacs) for UTF-8; so do we.
//
// The first line of an answer may be a heading, "# Decoding: the plan". Python refuses a file with
// a codec that it does not know, so such a text is no Python as it stands; one whose codec Python
// has would be read differently there, and is never taken for an answer.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "text/cleaning.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

struct Declared {
  std::string_view name;
  std::size_t column = 0;
};

bool is_codec_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
}

// The regular expression above by hand: "coding" may come several times before one that has a sign
// and a name behind it.
std::optional<Declared> find_declaration(std::string_view line) {
  if (!trim_left(line).starts_with('#')) return std::nullopt;
  constexpr std::string_view kWord = "coding";
  for (std::size_t at = line.find(kWord); at != line.npos; at = line.find(kWord, at)) {
    at += kWord.size();
    if (at >= line.size() || (line[at] != ':' && line[at] != '=')) continue;
    std::size_t begin = at + 1;
    while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
    std::size_t end = begin;
    while (end < line.size() && is_codec_byte(line[end])) ++end;
    if (end > begin) return Declared{line.substr(begin, end - begin), begin};
  }
  return std::nullopt;
}

// Every text encoding of CPython whose name holds no digit. A name with a digit is taken for one.
constexpr std::string_view kCodecs =
    " arabic ascii charmap chinese cp_gr cp_is csascii csisolatinarabic csisolatincyrillic "
    "csisolatingreek csisolatinhebrew csshiftjis cyrillic cyrillic_asian ebcdic_cp_be "
    "ebcdic_cp_ca ebcdic_cp_ch ebcdic_cp_he ebcdic_cp_nl ebcdic_cp_us ebcdic_cp_wt euc_cn euc_jp "
    "euc_kr euccn eucjp euckr gbk greek hebrew hkscs hz hz_gb hzgb idna iso_celtic johab korean "
    "latin mac_arabic mac_centeuro mac_croatian mac_cyrillic mac_farsi mac_greek mac_iceland "
    "mac_roman mac_romanian mac_turkish maccentraleurope maccyrillic macgreek maciceland "
    "macintosh macroman macturkish ms_kanji mskanji palmos punycode raw_unicode_escape ruscii "
    "s_jis shift_jis shiftjis sjis thai u_jis uhc ujis undefined unicode_escape "
    "unicodebigunmarked unicodelittleunmarked us us_ascii utf x_mac_japanese x_mac_korean "
    "x_mac_simp_chinese x_mac_trad_chinese mbcs oem ansi dbcs ";

// As encodings.normalize_encoding() writes it: runs of anything else become one underscore.
std::string normalized(std::string_view name) {
  std::string out;
  bool is_apart = false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      is_apart = true;
      continue;
    }
    if (is_apart && !out.empty()) out += '_';
    is_apart = false;
    out += lower(c);
  }
  return out;
}

// As CPython's get_normal_name(): "utf-8" and anything that begins with "utf-8-" are UTF-8.
bool is_harmless(std::string_view declared, std::string_view code) {
  std::string name = lower(declared);
  std::ranges::replace(name, '_', '-');
  const auto is = [&](std::string_view base) {
    return name == base || (name.starts_with(base) && name[base.size()] == '-');
  };
  if (name == "u8" || is("utf-8") || is("utf8")) return true;
  return (name == "ascii" || name == "us-ascii") && is_ascii(code);
}

}  // namespace

bool is_codec(std::string_view name) {
  if (std::ranges::any_of(name, is_digit)) return true;
  return kCodecs.find(" " + normalized(name) + " ") != kCodecs.npos;
}

std::optional<Unrecoverable> bad_encoding_declaration(std::string_view code) {
  std::string_view rest = code;
  for (std::uint32_t number = 1; number <= 2; ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (const auto declared = find_declaration(line)) {
      if (is_harmless(declared->name, code)) return std::nullopt;
      return Unrecoverable{
          RuleCode::kEncodingDeclaration,
          number,
          static_cast<std::uint32_t>(declared->column),
          std::string(declared->name),
          fmt::format(
              "The encoding declaration on line {} names '{}'; the source is always read as UTF-8",
              number, declared->name),
          "Remove the declaration, or write '# -*- coding: utf-8 -*-' and save the file as UTF-8"};
    }
    const std::string_view written = trim(line);
    if (!written.empty() && !written.starts_with('#')) return std::nullopt;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

}  // namespace airlock::text

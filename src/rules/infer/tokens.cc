#include "rules/infer/tokens.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "rules/infer/token_class.h"

namespace airlock::rules {

namespace {

// Bounds on the search for an atom, a token with delimiters inside: no date, UUID or version has
// more parts or bytes.
constexpr std::size_t kMostBoundaries = 16;
constexpr std::size_t kLongestAtom = 64;

// Numbers with dots, then perhaps what releases are called: 3.12.0, 1.0-SNAPSHOT, 2.0-rc1.
bool is_plain_version(std::string_view text) {
  if (!is_of_class(text, TokenClass::kVersion) || !text.contains('.')) return false;
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos)
    return std::ranges::all_of(text.substr(1), [](char c) { return is_digit(c) || c == '.'; });
  const std::string_view suffix = text.substr(dash + 1);
  return std::ranges::any_of(std::array<std::string_view, 8>{"SNAPSHOT", "RELEASE", "Final",
                                                             "alpha", "beta", "rc", "RC", "GA"},
                             [&](std::string_view word) { return suffix.starts_with(word); });
}

// Classes that are sure enough to be kept whole. 10-30-00 is not: only with colons is it a time.
bool is_atom(std::string_view text) {
  static constexpr std::array kAtoms = {
      TokenClass::kUuid,        TokenClass::kDatetime, TokenClass::kDate,    TokenClass::kIsoWeek,
      TokenClass::kYearQuarter, TokenClass::kRegion,   TokenClass::kAddress, TokenClass::kUid};
  return std::ranges::any_of(kAtoms, [&](TokenClass what) { return is_of_class(text, what); }) ||
         (text.contains(':') && is_of_class(text, TokenClass::kTimeOfDay)) ||
         is_plain_version(text) || is_of_class(text, TokenClass::kWrittenDate);
}

// How many bytes at the front are one token although a delimiter is in them; 0 when none are.
std::size_t atom_length(std::string_view text, std::string_view delimiters) {
  if (text.empty() || (!is_digit(text[0]) && !is_letter(text[0]))) return 0;
  std::array<std::size_t, kMostBoundaries> ends{};
  std::size_t count = 0;
  for (std::size_t i = 1; i <= text.size() && i <= kLongestAtom && count < ends.size(); ++i) {
    if (i == text.size() || delimiters.contains(text[i])) ends[count++] = i;
  }
  // The longest wins. The first boundary is no atom in our sense: nothing is delimited in it.
  while (count > 1) {
    const std::size_t end = ends[--count];
    if (is_atom(text.substr(0, end))) return end;
  }
  return 0;
}

// Extensions that stand behind another one: .csv.gz, .snappy.parquet.
constexpr std::array<std::string_view, 9> kPacked = {".gz",  ".bz2", ".xz",      ".zst", ".zip",
                                                     ".lz4", ".Z",   ".parquet", ".enc"};

bool is_extension(std::string_view text) {  // with its dot
  return text.size() >= 2 && text.size() <= 9 &&
         std::ranges::all_of(text.substr(1), [](char c) { return is_letter(c) || is_digit(c); }) &&
         is_letter(text[1]);
}

}  // namespace

// Several delimiters in a row are one. A text that begins with one has an empty first token, so
// that tokens and delimiters always alternate.
Tokens tokenize(std::string_view text, std::string_view delimiters) {
  Tokens tokens;
  std::size_t at = 0;
  while (true) {
    std::size_t end = at + atom_length(text.substr(at), delimiters);
    if (end == at) end = std::min(text.find_first_of(delimiters, at), text.size());
    tokens.texts.push_back(text.substr(at, end - at));
    if (end == text.size()) return tokens;
    const std::size_t next = std::min(text.find_first_not_of(delimiters, end), text.size());
    tokens.delimiters.push_back(text.substr(end, next - end));
    at = next;
  }
}

namespace {

// How many bytes here are a separator of this kind; 0 when none are.
std::size_t separator_length(std::string_view rest, Cut cut) {
  if (cut == Cut::kSpacedDash) return rest.starts_with(" - ") ? 3 : 0;
  if (cut == Cut::kDoubled) return rest.starts_with("__") ? 2 : 0;
  if (cut == Cut::kPadded) return rest.starts_with('_') && !rest.starts_with("__") ? 1 : 0;
  constexpr std::string_view kBrackets = "()[]{}";
  const std::size_t start = std::min(rest.find_first_not_of(' '), rest.size());
  const std::size_t end = std::min(rest.find_first_not_of("()[]{} ", start), rest.size());
  return start < rest.size() && kBrackets.contains(rest[start]) ? end : 0;
}

}  // namespace

Tokens tokenize(std::string_view text, Cut cut) {
  Tokens tokens;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = separator_length(text.substr(at), cut);
    if (length == 0) {
      ++at;
      continue;
    }
    tokens.texts.push_back(text.substr(start, at - start));
    tokens.delimiters.push_back(text.substr(at, length));
    at += length;
    start = at;
  }
  tokens.texts.push_back(text.substr(start));
  return tokens;
}

std::string signature(const Tokens& tokens) {
  std::string text;
  for (const std::string_view delimiter : tokens.delimiters) {
    text += delimiter;
    // So that "-" "-" differs from "--".
    text += '\x01';
  }
  return text;
}

std::string_view extension_of(std::string_view filename) {
  const std::size_t dot = filename.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view last = filename.substr(dot);
  // .7z begins with a digit, .mp4 contains one; but the last part of 3.12.0 is no extension.
  if (!is_extension(last) && last != ".7z") return {};
  if (std::ranges::find(kPacked, last) == kPacked.end()) return last;
  const std::size_t before = filename.rfind('.', dot - 1);
  if (before == std::string_view::npos || before == 0) return last;
  const std::string_view inner = filename.substr(before, dot - before);
  return is_extension(inner) && inner.size() <= 7 ? filename.substr(before) : last;
}

}  // namespace airlock::rules

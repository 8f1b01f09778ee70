// Cleaning takes any bytes. What must hold for all of them:
//
// - a decoded text, a candidate and a repaired candidate are UTF-8 without CR and without NUL
// - a line map is empty or has one entry for each line, and no entry points past the raw text
// - there are at most eight candidates, and never both candidates and an Unrecoverable
// - repairing keeps the line ends, and repairing twice is repairing once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "require.h"
#include "text/cleaning.h"

namespace {

using airlock::text::CodeCandidate;

std::size_t count_lines(std::string_view code) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(code, '\n'));
  return ends + (!code.empty() && code.back() != '\n');
}

void require_text(const std::string& text) {
  airlock::fuzz::require(!airlock::find_invalid_utf8(text));
}

void check_hopeless(const airlock::text::Unrecoverable& unrecoverable) {
  require_text(unrecoverable.item + unrecoverable.message + unrecoverable.suggestion);
}

void check_text(const CodeCandidate& candidate, std::size_t raw_lines) {
  airlock::fuzz::require(!airlock::find_invalid_utf8(candidate.code));
  airlock::fuzz::require(candidate.code.find('\r') == std::string::npos);
  airlock::fuzz::require(candidate.code.find('\0') == std::string::npos);
  const auto& lines = candidate.lines.lines;
  airlock::fuzz::require(lines.empty() || lines.size() == count_lines(candidate.code));
  for (const airlock::RawLine& line : lines)
    airlock::fuzz::require(line.line >= 1 && line.line <= raw_lines);
  for (const auto& change : candidate.changes) {
    airlock::fuzz::require(change.raw_line >= 1 && change.raw_line <= raw_lines);
    require_text(change.item + change.message + change.suggestion);
  }
}

void check_repair(const CodeCandidate& candidate, std::size_t raw_lines) {
  const CodeCandidate once = airlock::text::repair_characters(candidate);
  check_text(once, raw_lines);
  airlock::fuzz::require(std::ranges::count(once.code, '\n') ==
                         std::ranges::count(candidate.code, '\n'));
  const CodeCandidate twice = airlock::text::repair_characters(once);
  airlock::fuzz::require(twice.code == once.code && twice.changes.size() == once.changes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  const airlock::text::Decoded decoded = airlock::text::decode(raw);
  airlock::fuzz::require(decoded.unrecoverable.size() <= 1);
  for (const auto& one : decoded.unrecoverable) check_hopeless(one);
  if (!decoded.unrecoverable.empty()) {
    airlock::fuzz::require(decoded.text.code.empty());
    return 0;
  }
  const std::size_t raw_lines = count_lines(decoded.text.code);
  check_text(decoded.text, raw_lines);
  check_repair(decoded.text, raw_lines);
  airlock::text::looks_wrapped(decoded.text.code);
  airlock::text::bad_encoding_declaration(decoded.text.code);

  const airlock::text::Extraction found = airlock::text::extract_code(decoded.text);
  airlock::fuzz::require(found.candidates.size() <= 8 && found.unrecoverable.size() <= 1);
  for (const auto& one : found.unrecoverable) check_hopeless(one);
  airlock::fuzz::require(found.candidates.empty() || found.unrecoverable.empty());
  for (const CodeCandidate& candidate : found.candidates) {
    check_text(candidate, raw_lines);
    check_repair(candidate, raw_lines);
    const auto nesting = airlock::text::measure_nesting(candidate.code, 20);
    airlock::fuzz::require((nesting.line == 0) == (nesting.deepest <= 20));
    airlock::fuzz::require(nesting.line <= count_lines(candidate.code));
  }
  return 0;
}

// Cleaning takes any bytes. What must hold for all of them:
//
// - a decoded text, a candidate and a repaired candidate are UTF-8 without CR and without NUL
// - a line map is empty or has one entry for each line, and no entry points past the raw text
// - there are at most eight candidates, and never both candidates and an Unrecoverable
// - repairing keeps the line ends, and repairing twice is repairing once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

#include "base/utf8.h"
#include "text/cleaning.h"

namespace {

using airlock::text::CodeCandidate;

void require(bool holds, std::source_location at = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "what must hold on line %u does not\n", at.line());
  std::abort();
}

std::size_t count_lines(std::string_view code) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(code, '\n'));
  return ends + (!code.empty() && code.back() != '\n');
}

void require_text(const std::string& text) {
  require(!airlock::find_invalid_utf8(text));
}

void check_hopeless(const airlock::text::Unrecoverable& unrecoverable) {
  require_text(unrecoverable.item + unrecoverable.message + unrecoverable.suggestion);
}

void check_text(const CodeCandidate& candidate, std::size_t raw_lines) {
  require(!airlock::find_invalid_utf8(candidate.code));
  require(candidate.code.find('\r') == std::string::npos);
  require(candidate.code.find('\0') == std::string::npos);
  const auto& lines = candidate.lines.lines;
  require(lines.empty() || lines.size() == count_lines(candidate.code));
  for (const airlock::RawLine& line : lines) require(line.line >= 1 && line.line <= raw_lines);
  for (const auto& change : candidate.changes) {
    require(change.raw_line >= 1 && change.raw_line <= raw_lines);
    require_text(change.item + change.message + change.suggestion);
  }
}

void check_repair(const CodeCandidate& candidate, std::size_t raw_lines) {
  const CodeCandidate once = airlock::text::repair_characters(candidate);
  check_text(once, raw_lines);
  require(std::ranges::count(once.code, '\n') == std::ranges::count(candidate.code, '\n'));
  const CodeCandidate twice = airlock::text::repair_characters(once);
  require(twice.code == once.code && twice.changes.size() == once.changes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  const airlock::text::Decoded decoded = airlock::text::decode(raw);
  require(decoded.unrecoverable.size() <= 1);
  for (const auto& one : decoded.unrecoverable) check_hopeless(one);
  if (!decoded.unrecoverable.empty()) {
    require(decoded.text.code.empty());
    return 0;
  }
  const std::size_t raw_lines = count_lines(decoded.text.code);
  check_text(decoded.text, raw_lines);
  check_repair(decoded.text, raw_lines);
  airlock::text::looks_wrapped(decoded.text.code);
  airlock::text::bad_encoding_declaration(decoded.text.code);

  const airlock::text::Extraction found = airlock::text::extract_code(decoded.text);
  require(found.candidates.size() <= 8 && found.unrecoverable.size() <= 1);
  for (const auto& one : found.unrecoverable) check_hopeless(one);
  require(found.candidates.empty() || found.unrecoverable.empty());
  for (const CodeCandidate& candidate : found.candidates) {
    check_text(candidate, raw_lines);
    check_repair(candidate, raw_lines);
    const auto nesting = airlock::text::measure_nesting(candidate.code, 20);
    require((nesting.line == 0) == (nesting.deepest <= 20));
    require(nesting.line <= count_lines(candidate.code));
  }
  return 0;
}

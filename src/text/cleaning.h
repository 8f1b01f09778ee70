// From what a model sent to what may be Python: the public face of text/. Pure text work: nothing
// here parses or runs Python, does I/O or keeps state; the caller (vet/reading.cc) parses
// candidates in order and keeps the first that reads. The order there: decode() and parse; if that
// fails, extract_code() and parse each candidate. A text that fails because of a character is tried
// once more after repair_characters().
//
// The input is hostile: every function is linear in it, or bounded by a constant that stands with
// it. What cleaning gives is judged like any other text, so a mistake here can make good code fail
// or change what is run, but never lets anything past the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "model/line_map.h"
#include "model/rule.h"

namespace airlock::text {

// One thing that cleaning changed, to become a note. The place is in the RAW text.
struct CleaningChange {
  RuleCode rule = RuleCode::kProseRemoved;
  std::uint32_t raw_line = 1;
  std::string item;     // short: "```python", "U+00A0"
  std::string message;  // "Removed the Markdown fence ```python around the code (lines 1 to 11)"
  std::string suggestion;
  Severity severity = Severity::kNote;
};

struct CodeCandidate {
  std::string code;  // LF line ends, no byte-order mark
  LineMap lines;     // empty when every line stands where it stood
  std::vector<CleaningChange> changes;
};

// Text that no cleaning can save: said with a rule of its own instead of a syntax error somewhere
// in it.
struct Unrecoverable {
  RuleCode rule = RuleCode::kNoCode;
  std::uint32_t raw_line = 1;
  std::uint32_t raw_column = 0;  // in bytes from 0, as in Place
  std::string item;
  std::string message;
  std::string suggestion;
};

// Byte-order mark and line ends only; what is always done, before the first attempt to parse. `raw`
// is any bytes. An Unrecoverable answer: UTF-16/32, invalid UTF-8, NUL bytes, a declaration of
// another encoding of Python's than UTF-8, nothing at all.
struct Decoded {
  CodeCandidate text;
  std::vector<Unrecoverable> unrecoverable;  // at most one; when present `text` is empty
};
// `may_be_blank`: nothing at all is code too, of a kind that does nothing.
Decoded decode(std::string_view raw, bool may_be_blank = false);

// Whether `code` is `raw` but for a byte-order mark and line ends: nothing was cut or replaced.
bool is_as_it_stands(std::string_view raw, std::string_view code);

// A PEP 263 declaration on line 1 or 2 of `code` that names anything but UTF-8 (ASCII is fine for
// ASCII text). The place is in `code`, `item` is the name. decode() asks this of the raw text, the
// caller of the candidate that it keeps.
std::optional<Unrecoverable> bad_encoding_declaration(std::string_view code);
// Whether Python has a text encoding of that name (or may have: any name with a digit).
bool is_codec(std::string_view name);

// Whether text that parses as Python, and of which Python makes nothing but a value, may be a
// wrapper around code (a JSON object with the code in a string, a lone word of prose). Cheap: looks
// at both ends of the text. When extraction then finds neither a candidate nor an Unrecoverable,
// the text stands as it is.
bool looks_wrapped(std::string_view text);

// Every reading of `decoded` as a wrapped answer, most likely first; at most 8; empty when there is
// none. Each carries the Changes of `decoded` and its own. An Unrecoverable stands in place of
// candidates, never beside them: it says what the text is instead (a diff, prose only, an empty
// fence). Neither: judge the text as it is. HTML entities are left alone.
struct Extraction {
  std::vector<CodeCandidate> candidates;
  std::vector<Unrecoverable> unrecoverable;  // at most one
};
Extraction extract_code(const CodeCandidate& decoded);

// Replaces, outside string literals and comments, characters that CPython refuses and that stand
// for others (no-break and other spaces, zero-width spaces and joiners beside white space or
// punctuation, smart quotes, full-width punctuation). Never changes the number of lines and never
// joins two halves of an identifier. Returns the candidate with its Changes added; unchanged text
// gives no new Change. The caller looks at its limits and at bad_encoding_declaration() again: a
// full-width bracket or hash sign is a real one now.
CodeCandidate repair_characters(const CodeCandidate& broken);

// The deepest bracket nesting outside strings and comments, and where it first passes `limit` (line
// 0: it does not).
struct Nesting {
  std::uint32_t deepest = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
Nesting measure_nesting(std::string_view code, std::uint32_t limit);

}  // namespace airlock::text

// What is done here changes no meaning, so it is done before anything is tried: Python
// itself skips a UTF-8 byte-order mark and reads CR LF and CR as line ends. Lines keep their
// numbers, hence no line map; columns on line 1 count from behind the mark, as editors do.
//
// A declaration of another encoding ends it here: Python would read other text than we do. One that
// names no codec of Python's may be a heading ("# Decoding: the plan"), and is left to the caller.
#include <fmt/format.h>

#include <algorithm>

#include "text/cleaning.h"
#include "text/foreign_bytes.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

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
Decoded decode(std::string_view raw) {
  const bool marked = raw.starts_with(kMark);
  if (marked) raw.remove_prefix(kMark.size());
  if (auto foreign = find_foreign_bytes(raw)) return unrecoverable(std::move(*foreign));

  Decoded out;
  LineEnds ends;
  out.text.code = to_line_feeds(raw, ends);
  if (is_empty(out.text.code)) {
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
    if (at == code.size() || code[at++] != expected) return false;
  }
  return at == code.size();
}

}  // namespace airlock::text

// One pass writes the repaired text and reads it at the same time: a smart quote is written as a
// plain one and then *is* one, so what follows it is a string and is left alone. Since every
// decision looks only at what was written so far and at what cannot change, repairing the result
// again changes nothing.
//
// - A string that starts with a plain quote is copied whole: a smart quote inside it is content.
// - A string that starts with a smart quote ends at the next quote of its kind, smart or plain, and
//   on the same line (a triple-quoted one ends at three of them, anywhere). An apostrophe between
//   two letters does not end it.
// - Zero-width characters between two parts of a name stay, and CPython refuses them: removing them
//   could make a name that nobody can see in the text. Between two quotes they stay too: two quotes
//   and a third must not become a triple quote.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "text/cleaning.h"
#include "text/lexer.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

// What is written in place of a character: a space, nothing, a plain quote, an ASCII sign.
enum class ReplaceBy : std::uint8_t { kSpace, kNothing, kQuote, kSign };

struct GlyphKind {
  char32_t first;
  char32_t last;
  ReplaceBy replace_by;
  char ascii;  // what is written instead; for the full-width block, of its first character
  std::string_view plural;
};

// Searched in order: single characters stand before the ranges that contain them (U+FF02, U+FF07).
constexpr std::array kKinds = {
    GlyphKind{0x00A0, 0x00A0, ReplaceBy::kSpace, ' ', "no-break spaces"},
    GlyphKind{0x00AD, 0x00AD, ReplaceBy::kNothing, 0, "soft hyphens"},
    GlyphKind{0x1680, 0x1680, ReplaceBy::kSpace, ' ', "ogham spaces"},
    GlyphKind{0x2000, 0x200A, ReplaceBy::kSpace, ' ', "typographic spaces"},
    GlyphKind{0x200B, 0x200B, ReplaceBy::kNothing, 0, "zero-width spaces"},
    GlyphKind{0x200C, 0x200D, ReplaceBy::kNothing, 0, "zero-width joiners"},
    GlyphKind{0x2010, 0x2013, ReplaceBy::kSign, '-', "dash signs"},
    GlyphKind{0x2018, 0x201B, ReplaceBy::kQuote, '\'', "typographic quotes"},
    GlyphKind{0x201C, 0x201F, ReplaceBy::kQuote, '"', "typographic quotes"},
    GlyphKind{0x202F, 0x202F, ReplaceBy::kSpace, ' ', "narrow no-break spaces"},
    GlyphKind{0x205F, 0x205F, ReplaceBy::kSpace, ' ', "mathematical spaces"},
    GlyphKind{0x2060, 0x2060, ReplaceBy::kNothing, 0, "word joiners"},
    GlyphKind{0x2212, 0x2212, ReplaceBy::kSign, '-', "minus signs"},
    GlyphKind{0x3000, 0x3000, ReplaceBy::kSpace, ' ', "ideographic spaces"},
    GlyphKind{0xFEFF, 0xFEFF, ReplaceBy::kNothing, 0, "byte-order marks"},
    GlyphKind{0xFF02, 0xFF02, ReplaceBy::kQuote, '"', "full-width quotes"},
    GlyphKind{0xFF07, 0xFF07, ReplaceBy::kQuote, '\'', "full-width quotes"},
    // The full-width copies of ASCII's signs. Letters, digits and the low line are left out: names
    // may hold them.
    GlyphKind{0xFF01, 0xFF0F, ReplaceBy::kSign, '!', "full-width signs"},
    GlyphKind{0xFF1A, 0xFF20, ReplaceBy::kSign, ':', "full-width signs"},
    GlyphKind{0xFF3B, 0xFF3E, ReplaceBy::kSign, '[', "full-width signs"},
    GlyphKind{0xFF5B, 0xFF5E, ReplaceBy::kSign, '{', "full-width signs"},
};

const GlyphKind* find_kind(char32_t value) {
  if (value < kKinds.front().first) return nullptr;
  for (const GlyphKind& kind : kKinds) {
    if (value >= kind.first && value <= kind.last) return &kind;
  }
  return nullptr;
}

bool is_wide_block(const GlyphKind& kind) {
  return kind.replace_by == ReplaceBy::kSign && kind.first >= 0xFF00;
}

// One note for each kind of character, with how often it came and where first.
struct Tally {
  char32_t value = 0;
  const GlyphKind* kind = nullptr;
  std::uint32_t count = 0;
  std::uint32_t line = 1;
};

class CharacterRepair {
 public:
  explicit CharacterRepair(std::string_view code) : code_(code) { out_.reserve(code.size()); }

  // Plain strings and comments are copied whole; outside of them each character past ASCII is
  // looked at.
  void run() {
    while (at_ < code_.size()) {
      const char c = code_[at_];
      if ((c == '"' || c == '\'') && is_half_smart_triple(c)) {
        read_smart_string(c);
      } else if (c == '"' || c == '\'' || c == '#') {
        copy_to(next_span(code_, at_).end);
      } else if (static_cast<unsigned char>(c) < 0x80) {
        copy_to(at_ + 1);
      } else {
        read_wide();
      }
    }
  }

  std::string& text() { return out_; }
  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  struct ReplacedGlyph {
    CodePoint point;
    const GlyphKind* kind = nullptr;
  };

  // Text here has been decoded, but a byte that is no UTF-8 must not stop the loop.
  ReplacedGlyph glyph_at(std::size_t at) const {
    CodePoint point = decode_utf8(code_, at);
    if (point.bytes == 0) return {{0, 1}, nullptr};
    return {point, find_kind(point.value)};
  }

  void copy_to(std::size_t end) {
    const std::string_view part = code_.substr(at_, end - at_);
    out_ += part;
    line_ += static_cast<std::uint32_t>(std::ranges::count(part, '\n'));
    at_ = std::min(end, code_.size());
  }

  void note(const ReplacedGlyph& glyph) {
    const auto same = [&](const Tally& tally) { return tally.value == glyph.point.value; };
    const auto found = std::ranges::find_if(tallies_, same);
    if (found != tallies_.end()) {
      ++found->count;
    } else {
      tallies_.push_back({glyph.point.value, glyph.kind, 1, line_});
    }
  }

  void replace(const ReplacedGlyph& glyph, char ascii) {
    note(glyph);
    out_ += ascii;
    at_ += glyph.point.bytes;
  }

  void read_wide() {
    const ReplacedGlyph glyph = glyph_at(at_);
    if (glyph.kind == nullptr) return copy_to(at_ + glyph.point.bytes);
    switch (glyph.kind->replace_by) {
      case ReplaceBy::kSpace:
        return replace(glyph, ' ');
      case ReplaceBy::kNothing:
        return read_zero_width();
      case ReplaceBy::kQuote:
        return read_smart_string(glyph.kind->ascii);
      case ReplaceBy::kSign:
        return read_sign(glyph);
    }
  }

  void read_sign(const ReplacedGlyph& glyph) {
    // The full-width block is a copy of ASCII, in its order.
    const char32_t past = is_wide_block(*glyph.kind) ? glyph.point.value - glyph.kind->first : 0;
    const char ascii = static_cast<char>(glyph.kind->ascii + static_cast<char>(past));
    replace(glyph, ascii);
    if (ascii == '#') copy_to(std::min(code_.find('\n', at_), code_.size()));
  }

  void read_zero_width() {
    std::size_t end = at_;
    ReplacedGlyph next;
    while (end < code_.size()) {
      next = glyph_at(end);
      if (next.kind == nullptr || next.kind->replace_by != ReplaceBy::kNothing) break;
      end += next.point.bytes;
    }
    const bool more = end < code_.size();
    // A replaced character behind the zero-width one is no part of a name: it becomes a space or
    // sign.
    const bool name_after = more && next.kind == nullptr && is_name_byte(code_[end]);
    const bool name_before = !out_.empty() && is_name_byte(out_.back());
    const bool quote_after = more && quote_bytes(end, '"') + quote_bytes(end, '\'') > 0;
    const bool quote_before = out_.ends_with('"') || out_.ends_with('\'');
    if ((name_before && name_after) || (quote_before && quote_after)) return copy_to(end);
    while (at_ < end) {
      const ReplacedGlyph gone = glyph_at(at_);
      note(gone);
      at_ += gone.point.bytes;
    }
  }

  // Bytes of the quote of this kind, plain or smart, that stands at `at`; 0 when there is none.
  std::size_t quote_bytes(std::size_t at, char quote) const {
    if (at >= code_.size()) return 0;
    if (code_[at] == quote) return 1;
    const ReplacedGlyph glyph = glyph_at(at);
    const bool smart = glyph.kind != nullptr && glyph.kind->replace_by == ReplaceBy::kQuote;
    return smart && glyph.kind->ascii == quote ? glyph.point.bytes : 0;
  }

  bool three_quotes(std::size_t at, char quote) const {
    for (int i = 0; i < 3; ++i) {
      const std::size_t bytes = quote_bytes(at, quote);
      if (bytes == 0) return false;
      at += bytes;
    }
    return true;
  }

  // Two plain quotes and a smart one: read as "" and a string, they would turn into a triple quote.
  bool is_half_smart_triple(char quote) const {
    return code_.substr(at_ + 1, 1) == std::string_view(&quote, 1) &&
           quote_bytes(at_ + 2, quote) > 1 && three_quotes(at_, quote);
  }

  void write_quotes(int count, char quote) {
    for (int i = 0; i < count; ++i) {
      const ReplacedGlyph glyph = glyph_at(at_);
      glyph.kind == nullptr ? copy_to(at_ + 1) : replace(glyph, quote);
    }
  }

  // A smart quote between two letters, as in "don't", inside a string in single smart quotes.
  bool is_apostrophe(std::size_t bytes) const {
    const std::size_t after = at_ + bytes;
    if (bytes == 1 || after >= code_.size() || glyph_at(after).kind != nullptr) return false;
    return is_name_byte(out_.back()) && is_name_byte(code_[after]);
  }

  // Up to the closing quote, which may be smart or plain; an unclosed one ends with its line, where
  // the parser will complain.
  void read_smart_string(char quote) {
    const bool triple = three_quotes(at_, quote);
    write_quotes(triple ? 3 : 1, quote);
    while (at_ < code_.size() && (triple || code_[at_] != '\n')) {
      const std::size_t bytes = quote_bytes(at_, quote);
      const bool ends = triple ? three_quotes(at_, quote) : bytes > 0;
      if (ends && (triple || quote == '"' || !is_apostrophe(bytes))) {
        return write_quotes(triple ? 3 : 1, quote);
      }
      copy_character();
    }
  }

  // Inside a string: a backslash takes the next character with it.
  void copy_character() {
    const bool escape = code_[at_] == '\\';
    copy_to(at_ + glyph_at(at_).point.bytes);
    if (escape && at_ < code_.size()) copy_to(at_ + glyph_at(at_).point.bytes);
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::string out_;
  std::vector<Tally> tallies_;  // at most one for each character of the table
};

std::string_view written_instead(const GlyphKind& kind) {
  switch (kind.replace_by) {
    case ReplaceBy::kSpace:
      return "by spaces";
    case ReplaceBy::kQuote:
      return "by plain quotes";
    default:
      return "by their ASCII forms";
  }
}

CleaningChange to_change(const Tally& tally, const LineMap& lines) {
  const std::uint32_t raw = lines.to_raw({.line = tally.line}).line;
  const std::string name = fmt::format("U+{:04X}", static_cast<std::uint32_t>(tally.value));
  std::string_view noun = tally.kind->plural;
  if (tally.count == 1) noun.remove_suffix(1);
  const std::string what = fmt::format("{} {} ({})", tally.count, noun, name);
  const std::string where = fmt::format("{} line {}", tally.count == 1 ? "on" : "first on", raw);
  std::string message =
      tally.kind->replace_by == ReplaceBy::kNothing
          ? fmt::format("Removed {}, {}", what, where)
          : fmt::format("Replaced {} {}, {}", what, written_instead(*tally.kind), where);
  return {RuleCode::kCharactersReplaced, raw, name, std::move(message), "", Severity::kNote};
}

}  // namespace

CodeCandidate repair_characters(const CodeCandidate& broken) {
  CharacterRepair repair(broken.code);
  repair.run();
  CodeCandidate out{std::move(repair.text()), broken.lines, broken.changes};
  for (const Tally& tally : repair.tallies()) {
    out.changes.push_back(to_change(tally, broken.lines));
  }
  return out;
}

}  // namespace airlock::text

// What differs is found by cutting, from the most telling cut to the least: all values have the
// same delimiters; they have so when only one kind counts (a pod's name may have any number of
// dashes between two underscores); they begin or end alike and differ in the middle. What a cut
// leaves is cut again, until it is of one class, the same in all, or text.
#include "rules/infer/token_layout.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "base/ascii.h"
#include "rules/infer/tokens.h"
#include "rules/infer/vocabulary.h"

namespace airlock::rules {

namespace {

using Values = std::vector<std::string_view>;

constexpr int kDeepestCut = 6;              // cuts inside of cuts
constexpr std::size_t kFewChoices = 12;     // different values that may be a choice
constexpr std::size_t kLongestCode = 7;     // characters: T1, R108, A001234
constexpr std::size_t kLongestNumber = 14;  // characters; longer ones are accounts (IBAN)

// Classes that are not met by accident: such a column is a slot as it is, and is cut no further.
bool is_strong(TokenClass what) {
  return what != TokenClass::kCode && what != TokenClass::kWord && what != TokenClass::kText;
}

bool has_empty(const Values& values) {
  return std::ranges::any_of(values, [](std::string_view value) { return value.empty(); });
}

bool has_delimiters(const Values& values) {
  return std::ranges::any_of(values, [](std::string_view value) {
    return value.find_first_of(kAllDelimiters) != std::string_view::npos;
  });
}

// A constant date deserves a slot: that all samples are of one day is probably chance.
bool is_constant_time(const Values& values) {
  const TokenClass what = common_class(values);
  return what == TokenClass::kDate || what == TokenClass::kDatetime ||
         what == TokenClass::kYearQuarter || what == TokenClass::kIsoWeek;
}

// Small letters, and more letters than digits.
bool has_lowercase_words(const Values& values) {
  return std::ranges::all_of(values, [](std::string_view value) {
    return std::ranges::any_of(value, is_lower) &&
           std::ranges::count_if(value, is_digit) * 2 <= std::ssize(value);
  });
}

// How the values of two columns go together.
struct Pairing {
  std::size_t left = 0;   // different values
  std::size_t right = 0;  // different values
  std::size_t pairs = 0;  // different pairs
};

// `left` and `right` have one value for each path, in the same order.
Pairing pair_up(const Values& left, const Values& right) {
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> partners;
  Pairing found;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (partners[left[i]].insert(right[i]).second) ++found.pairs;
  found.left = partners.size();
  found.right = count_distinct(right);
  return found;
}

// Each value of one goes with exactly one of the other: two halves of one name.
bool go_together(const Pairing& found) {
  return found.pairs == found.left && found.pairs == found.right;
}

// Few values on both sides in many combinations: two choices, not two words of a text.
bool are_two_choices(const Pairing& found, std::size_t count) {
  const std::size_t larger = std::max(found.left, found.right);
  // Each value comes three times on average, and the same value with different partners.
  return count >= 8 && larger <= 2 * kFewChoices && larger * 3 <= count && found.pairs > larger;
}

// A few values again and again: four times each on average.
bool is_choice(const Values& values) {
  const std::size_t different = count_distinct(values);
  return values.size() >= 12 && different <= kFewChoices && different * 4 <= values.size();
}

// "S01E02" → "a9a9": runs of letters and digits; empty when there is anything else.
std::string runs_of(std::string_view text) {
  std::string runs;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c)) return {};
    const char kind = is_digit(c) ? '9' : 'a';
    if (runs.empty() || runs.back() != kind) runs += kind;
  }
  return runs;
}

// The end of the run of digits, or of anything but digits, that begins at `at`.
std::size_t run_end(std::string_view text, std::size_t at) {
  const bool is_number = is_digit(text[at]);
  while (at < text.size() && is_digit(text[at]) == is_number) ++at;
  return at;
}

bool have_runs(const Values& values, std::string_view runs) {
  return std::ranges::all_of(values,
                             [&](std::string_view value) { return runs_of(value) == runs; });
}

using Cutter = std::function<Tokens(std::string_view)>;

Cutter at_any_of(std::string_view delimiters) {
  return [delimiters](std::string_view text) { return tokenize(text, delimiters); };
}
Cutter at(Cut cut) {
  return [cut](std::string_view text) { return tokenize(text, cut); };
}

// Builds the pieces from left to right, recursively: build() appends what one column of texts
// gives, after cutting it further where that says more.
class LayoutBuilder {
 public:
  std::vector<LayoutPiece> read(Values values) {
    build(std::move(values), 0);
    // sub-01 alone is a word and a number; sub-01_ses-02 are two keys.
    const bool is_keyed = pieces_.size() > 2 && pieces_[2].kind == LayoutPiece::Kind::kLiteral &&
                          pieces_[2].literal.starts_with('_');
    if (pieces_.size() > 1 && !is_keyed && pieces_[0].literal.ends_with('-'))
      pieces_[1].key.clear();
    return std::move(pieces_);
  }

 private:
  // All values cut in one way. Columns are token `index` of every value.
  struct Cutting {
    std::vector<Tokens> tokens;

    Values column(std::size_t index) const {
      Values values;
      for (const Tokens& one : tokens) values.push_back(one.texts[index]);
      return values;
    }
    Values column_from_end(std::size_t index) const {
      Values values;
      for (const Tokens& one : tokens) values.push_back(one.texts[one.texts.size() - index]);
      return values;
    }
    // The same delimiters in the same order in all values, and at least one.
    bool is_regular() const {
      const std::string first = signature(tokens.front());
      return !first.empty() && std::ranges::all_of(tokens, [&](const Tokens& one) {
        return signature(one) == first;
      });
    }
    // Tokens that every value has.
    std::size_t least() const {
      std::size_t least = tokens.front().texts.size();
      for (const Tokens& one : tokens) least = std::min(least, one.texts.size());
      return least;
    }
    // The text from one token to another, delimiters between included.
    Values joined(std::size_t first, std::size_t last) const {
      Values values;
      for (const Tokens& one : tokens) values.push_back(between(one, first, last));
      return values;
    }
    static std::string_view between(const Tokens& one, std::size_t first, std::size_t last) {
      const char* start = one.texts[first].data();
      const char* end = one.texts[last].data() + one.texts[last].size();
      return {start, static_cast<std::size_t>(end - start)};
    }
  };

  static Cutting cut(const Values& values, const Cutter& cutter) {
    Cutting cutting;
    for (const std::string_view value : values) cutting.tokens.push_back(cutter(value));
    return cutting;
  }

  // From the surest to the least sure; the first that applies decides. `depth`: how many cuts led
  // here.
  void build(Values values, int depth) {
    if (is_constant(values) && !is_constant_time(values)) {
      add_literal(values.front());
      return;
    }
    // In some paths nothing stands here, so the slot must be allowed to be empty.
    if (has_empty(values)) {
      add_slot(std::move(values), true);
      pieces_.back().pattern = ".*";
      return;
    }
    const TokenClass what = common_class(values);
    // Q1 and W03 are letters with a number, and the number is what people want.
    const bool is_counted = what == TokenClass::kQuarter || what == TokenClass::kWeek;
    if (is_strong(what) && !is_counted) {
      add_slot(std::move(values), false);
      return;
    }
    // web01, R1: words of a vocabulary as they are.
    if (!is_counted && !has_delimiters(values) && name_for_values(values)) {
      add_slot(std::move(values), false);
      return;
    }
    if (split_prefix(values, depth) || split_word_and_time(values) || split_two_counts(values) ||
        split_unit(values))
      return;
    if (!has_delimiters(values) && split_common_start(values)) return;
    if (depth < kDeepestCut && build_by_cutting(values, depth)) return;
    add_slot(std::move(values), false);
  }

  // False when the values are better left whole; nothing is added then.
  bool build_by_cutting(const Values& values, int depth) {
    if (!has_delimiters(values)) return false;
    const bool has_digits = std::ranges::any_of(
        values, [](std::string_view value) { return std::ranges::any_of(value, is_digit); });
    // eu-west, non-free: one word of a vocabulary
    if (!has_digits && name_for_values(values)) return false;
    if (is_one_choice(values) || is_one_number(values, depth)) return false;
    if (build_by_levels(values, depth)) return true;
    // Tried in this order: all delimiters if the values agree in all; else the separators that
    // people use above others; else one kind at a time, from those that part whole words to those
    // inside of words.
    const std::array cutters = {at_any_of(kAllDelimiters),
                                at(Cut::kSpacedDash),
                                at(Cut::kBrackets),
                                at(Cut::kDoubled),
                                at_any_of("_."),
                                at_any_of("_"),
                                at(Cut::kPadded),
                                at_any_of("-."),
                                at_any_of("-"),
                                at_any_of("."),
                                at_any_of(" "),
                                at_any_of("@"),
                                at_any_of("+"),
                                at_any_of(","),
                                at_any_of("=")};
    for (const Cutter& cutter : cutters) {
      const Cutting cutting = cut(values, cutter);
      if (!cutting.is_regular()) continue;
      build_columns(cutting, depth);
      return true;
    }
    // No way of cutting gives all values the same tokens: at least their ends may agree.
    return build_by_ends(values, depth);
  }

  // Copy_Number_Variation, Transcriptome_Profiling: a few words that are said as a whole, unless
  // they are combined, or stand behind a word that says what they are (client-acme).
  static bool is_one_choice(const Values& values) {
    if (!is_choice(values)) return false;
    const bool is_words = std::ranges::all_of(
        values, [](std::string_view value) { return std::ranges::none_of(value, is_digit); });
    if (!is_words) return false;
    const Cutting cutting = cut(values, at_any_of(kAllDelimiters));
    if (!cutting.is_regular()) return true;
    const Values first = cutting.column(0);
    if (is_constant(first))
      return !is_entity_word(first.front()) && !is_known_behind(first.front());
    for (std::size_t i = 0; i + 1 < cutting.least(); ++i)
      if (are_two_choices(pair_up(cutting.column(i), cutting.column(i + 1)), values.size()))
        return false;
    return true;
  }

  // 0001193125-21-000017, or TCGA-PC-1531-01A between other delimiters: parts of one number.
  static bool is_one_number(const Values& values, int depth) {
    const Cutting cutting = cut(values, at_any_of(kAllDelimiters));
    if (!cutting.is_regular() || cutting.least() < 3) return false;
    const auto& delimiters = cutting.tokens.front().delimiters;
    if (std::ranges::any_of(delimiters, [](std::string_view one) { return one != "-"; }))
      return false;
    std::size_t varying = 0;
    for (std::size_t i = 0; i < cutting.least(); ++i) {
      const Values column = cutting.column(i);
      const TokenClass what = common_class(column);
      const bool is_part = what == TokenClass::kNumber ||
                           (depth > 0 && what == TokenClass::kCode && !have_runs(column, "a9a9"));
      if (!is_part) return false;
      if (what == TokenClass::kNumber && depth == 0 && !is_of_one_width(column)) return false;
      if (!is_constant(column)) ++varying;
    }
    return varying > 1;
  }

  static bool is_of_one_width(const Values& values) {
    return std::ranges::all_of(
        values, [&](std::string_view value) { return value.size() == values.front().size(); });
  }

  // Between underscores, what has dashes is one thing: AB-10233 in AB-10233_revC_draft.
  bool build_by_levels(const Values& values, int depth) {
    const bool has_both = std::ranges::all_of(values, [](std::string_view value) {
      return value.contains('_') && value.find_first_of("-.") != std::string_view::npos;
    });
    if (!has_both) return false;
    // 2024-01-15_10-30 is one thing, underscore and all.
    for (const std::string_view value : values)
      for (const std::string_view token : tokenize(value, kAllDelimiters).texts)
        if (token.contains('_')) return false;
    // sample.star_counts, sample.htseq_counts: here dots separate parts that contain underscores.
    const Cutting dotted = cut(values, at_any_of("."));
    if (dotted.is_regular()) {
      for (std::size_t i = 0; i < dotted.least(); ++i) {
        const Values column = dotted.column(i);
        if (!has_delimiters(column) || !is_one_choice(column) || is_constant(column)) continue;
        build_columns(dotted, depth);
        return true;
      }
    }
    const Cutting cutting = cut(values, at_any_of("_"));
    if (!cutting.is_regular()) return false;
    build_columns(cutting, depth);
    return true;
  }

  void add_literal(std::string_view text) {
    if (text.empty()) return;
    if (pieces_.empty() || pieces_.back().kind != LayoutPiece::Kind::kLiteral)
      pieces_.emplace_back();
    pieces_.back().literal += text;
  }

  // What stands in front of the slot is noted now, while the literal before it is the last piece.
  void add_slot(Values values, bool is_free) {
    LayoutPiece piece;
    piece.kind = LayoutPiece::Kind::kSlot;
    piece.what = is_free ? TokenClass::kText : common_class(values);
    piece.word_before = word_before();
    piece.key = key_before();
    piece.is_assigned = !piece.key.empty() && pieces_.back().literal.ends_with('=');
    piece.values = std::move(values);
    piece.is_free = is_free;
    pieces_.push_back(std::move(piece));
  }

  // The letters right before this place, with at most one delimiter between.
  std::string word_before() const {
    if (pieces_.empty() || pieces_.back().kind != LayoutPiece::Kind::kLiteral) return {};
    std::string_view text = pieces_.back().literal;
    while (!text.empty() && kAllDelimiters.contains(text.back())) text.remove_suffix(1);
    // INV-2024-0017: the word before the year.
    if (text.empty() && pieces_.size() > 1) {
      const LayoutPiece& before = pieces_[pieces_.size() - 2];
      return before.what == TokenClass::kYear ? before.word_before : std::string();
    }
    std::size_t start = text.size();
    while (start > 0 && is_letter(text[start - 1])) --start;
    return std::string(text.substr(start));
  }

  // val_loss= in front, or task- when what stands before it is an underscore or nothing.
  std::string key_before() const {
    if (pieces_.empty() || pieces_.back().kind != LayoutPiece::Kind::kLiteral) return {};
    std::string_view text = pieces_.back().literal;
    if (!text.ends_with('=') && !text.ends_with('-')) return {};
    const bool is_equals = text.ends_with('=');
    text.remove_suffix(1);
    std::size_t start = text.size();
    while (start > 0 && (is_letter(text[start - 1]) || (is_equals && text[start - 1] == '_')))
      --start;
    // sub-01_ses-02: a dash makes a key only if the word before it begins the name or follows an
    // underscore. A - between other words is punctuation.
    const bool is_clear = is_equals || (start > 0 ? text[start - 1] == '_' : pieces_.size() == 1);
    while (start < text.size() && text[start] == '_') ++start;
    return is_clear ? std::string(text.substr(start)) : std::string();
  }

  // W3SVC1: what is the same in all ends in a letter, and digits follow.
  bool split_common_start(const Values& values) {
    std::size_t same = values.front().size();
    for (const std::string_view value : values) {
      const auto differ = std::ranges::mismatch(value, values.front()).in1;
      same = std::min(same, static_cast<std::size_t>(differ - value.begin()));
    }
    while (same > 0 && is_digit(values.front()[same - 1])) --same;
    // Shorter beginnings are shared by chance.
    if (same < 3 || !is_letter(values.front()[same - 1])) return false;
    if (std::ranges::any_of(
            values, [&](std::string_view value) { return !is_all_digits(value.substr(same)); }))
      return false;
    Values rest;
    for (const std::string_view value : values) rest.push_back(value.substr(same));
    add_literal(values.front().substr(0, same));
    add_slot(std::move(rest), false);
    return true;
  }

  // frame0001 … frame0420: the letters are the same in all, and digits follow. revA: so do capitals
  // behind small letters.
  bool split_prefix(const Values& values, int depth) {
    const std::string_view first = values.front();
    std::size_t letters = 0;
    while (letters < first.size() && is_letter(first[letters])) ++letters;
    if (letters == first.size()) {
      letters = 0;
      while (letters < first.size() && is_lower(first[letters])) ++letters;
      if (letters < 3) return false;
    }
    if (letters == 0 || letters == first.size()) return false;
    const std::string_view prefix = first.substr(0, letters);
    // One letter alone is part of a code (T1, R108), unless it is one that is read as a word, or
    // there are more digits than a code has.
    const bool is_long = letters == 1 && std::ranges::all_of(values, [](std::string_view value) {
                           return value.size() > kLongestCode && is_all_digits(value.substr(1));
                         });
    const bool is_account = letters <= 3 && std::ranges::all_of(values, [](std::string_view value) {
                              return value.size() > kLongestNumber;
                            });
    if (is_account && prefix.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos)
      return false;  // DE89370400440532013000
    if (is_long && !name_of_long_count(prefix)) return false;
    // s3 between other tokens is a count as well: small letters are no code.
    const bool is_week = prefix == "w" && common_class(values) != TokenClass::kWeek;
    const bool is_read = is_known_behind(prefix) && !is_week;
    const bool is_count = depth > 0 && is_lower(prefix[0]);
    if (letters < 2 && !is_long && !is_read && !is_count) return false;
    Values rest;
    for (const std::string_view value : values) {
      if (!value.starts_with(prefix) || value.size() == letters) return false;
      const std::string_view behind = value.substr(letters);
      const bool is_capital = behind.size() == 1 && is_upper(behind[0]);
      if (!is_all_digits(behind) && !is_capital) return false;
      rest.push_back(behind);
    }
    add_literal(prefix);
    add_slot(std::move(rest), false);
    if (is_long) pieces_.back().name = name_of_long_count(prefix).value_or("");
    if (is_week && letters == 1) pieces_.back().name = prefix;
    return true;
  }

  static std::pair<Values, Values> cut_behind_first_run(const Values& values) {
    std::pair<Values, Values> parts;
    for (const std::string_view value : values) {
      const std::size_t end = run_end(value, 0);
      parts.first.push_back(value.substr(0, end));
      parts.second.push_back(value.substr(end));
    }
    return parts;
  }

  // 30s, 120s: numbers with a unit that is the same in all.
  bool split_unit(const Values& values) {
    if (!have_runs(values, "9a")) return false;
    auto [numbers, units] = cut_behind_first_run(values);
    if (!is_constant(units) || units.front().size() > 3) return false;
    add_slot(std::move(numbers), false);
    pieces_.back().pattern = "\\d+";
    add_literal(units.front());
    return true;
  }

  // train2017, val2014, KTLX20240115
  bool split_word_and_time(const Values& values) {
    if (!have_runs(values, "a9")) return false;
    auto [words, years] = cut_behind_first_run(values);
    const TokenClass what = common_class(years);
    const bool is_time = what == TokenClass::kYear || what == TokenClass::kDate;
    if (!is_time || is_constant(words)) return false;
    if (std::ranges::any_of(words, [](std::string_view word) { return word.size() < 3; }))
      return false;
    add_slot(std::move(words), false);
    pieces_.back().pattern = "[A-Za-z]+";
    add_slot(std::move(years), false);
    return true;
  }

  // S01E02, h18v04: two letters, each with its number.
  bool split_two_counts(const Values& values) {
    if (!have_runs(values, "a9a9")) return false;
    std::array<Values, 4> runs;
    for (const std::string_view value : values) {
      std::size_t start = 0;
      for (Values& run : runs) {
        const std::size_t end = run_end(value, start);
        run.push_back(value.substr(start, end - start));
        start = end;
      }
    }
    if (!is_constant(runs[0]) || !is_constant(runs[2])) return false;
    if (runs[0].front().size() > 1 || runs[2].front().size() > 1) return false;
    const auto names = names_of_counts(runs[0].front(), runs[2].front());
    for (const std::size_t at : {std::size_t{0}, std::size_t{2}}) {
      add_literal(runs[at].front());
      add_slot(std::move(runs[at + 1]), false);
      pieces_.back().name = at == 0 ? names.first : names.second;
      pieces_.back().pattern = "\\d+";
    }
    return true;
  }

  // Two halves of one name, or two words of a text, are one slot.
  static bool belong_together(const Values& left, const Values& right, std::string_view delimiter,
                              bool is_inner) {
    if (is_constant(left) || is_constant(right) || has_empty(left) || has_empty(right))
      return false;
    if (has_delimiters(left) || has_delimiters(right)) return false;
    const TokenClass a = common_class(left);
    const TokenClass b = common_class(right);
    const bool is_code = a == TokenClass::kCode || b == TokenClass::kCode;
    // AB-10233 between underscores
    if (is_inner && delimiter == "-" && is_code && !have_runs(right, "a9a9") &&
        (b == TokenClass::kNumber || b == TokenClass::kCode) &&
        (a == TokenClass::kNumber || a == TokenClass::kCode))
      return true;
    if (is_strong(a) || is_strong(b)) return false;
    if (name_for_values(left) || name_for_values(right)) return false;
    const Pairing found = pair_up(left, right);
    const bool is_wordy = has_lowercase_words(left) && has_lowercase_words(right);
    // Values that occur only once pair up one to one with anything, so that proves nothing.
    if (go_together(found) && (is_wordy || found.pairs * 2 <= left.size() || left.size() < 6))
      return true;
    if (!is_wordy) return false;
    return delimiter == " " || !are_two_choices(found, left.size());
  }

  // Column by column; neighbours that belong together become one slot.
  void build_columns(const Cutting& cutting, int depth) {
    const std::size_t count = cutting.tokens.front().texts.size();
    const auto& delimiters = cutting.tokens.front().delimiters;
    std::size_t at = 0;
    while (at < count) {
      std::size_t end = at + 1;
      while (end < count && belong_together(cutting.column(end - 1), cutting.column(end),
                                            delimiters[end - 1], depth > 0))
        ++end;
      if (end - at > 1) {
        add_slot(cutting.joined(at, end - 1), true);
      } else {
        build(cutting.column(at), depth + 1);
      }
      if (end < count) add_literal(delimiters[end - 1]);
      at = end;
    }
  }

  // ---- alike at the ends ----

  // Which columns of a few recurring words may count as anchors: none, those whose words have a
  // name in the vocabulary, or all.
  enum class Choices : std::uint8_t { kNone, kNamed, kAny };

  // A column that is the same in all, or of a sure class: what can be relied on to stand there.
  static bool is_anchor(const Values& values, Choices choices) {
    if (has_empty(values)) return false;
    if (is_constant(values) || is_strong(common_class(values))) return true;
    if (have_runs(values, "a9a9")) return true;
    if (choices == Choices::kNone || !is_choice(values)) return false;
    return choices == Choices::kAny || name_for_values(values).has_value();
  }

  // A cutting, and how many tokens at its beginning and end are anchors.
  struct Ends {
    Cutting cutting;
    std::size_t head = 0;
    std::size_t tail = 0;
  };

  // How many tokens at the beginning and the end are anchors, with the same delimiter towards the
  // middle.
  static Ends find_ends(const Values& values, const Cutter& cutter, bool may_choose) {
    Ends ends{cut(values, cutter), 0, 0};
    const auto& tokens = ends.cutting.tokens;
    const auto& first = tokens.front();
    const std::size_t least = ends.cutting.least();
    while (
        ends.head + 1 < least &&
        is_anchor(ends.cutting.column(ends.head), may_choose ? Choices::kNamed : Choices::kNone) &&
        std::ranges::all_of(tokens, [&](const Tokens& one) {
          return one.delimiters[ends.head] == first.delimiters[ends.head];
        }))
      ++ends.head;
    const std::size_t most = least > ends.head + 1 ? least - ends.head - 1 : 0;
    while (ends.tail < most &&
           is_anchor(ends.cutting.column_from_end(ends.tail + 1),
                     may_choose ? Choices::kAny : Choices::kNone) &&
           std::ranges::all_of(
               tokens,
               [&](const Tokens& one) {
                 return one.delimiters[one.delimiters.size() - ends.tail - 1] ==
                        first.delimiters[first.delimiters.size() - ends.tail - 1];
               }))
      ++ends.tail;
    return ends;
  }

  bool build_by_ends(const Values& values, int depth) {
    struct EndCut {
      Cutter cutter;
      bool may_choose;
    };
    const std::array cuts = {EndCut{at(Cut::kSpacedDash), true},
                             EndCut{at(Cut::kBrackets), false},
                             EndCut{at_any_of(kAllDelimiters), false},
                             EndCut{at_any_of("_"), true},
                             EndCut{at_any_of("."), true},
                             EndCut{at_any_of("-"), false},
                             EndCut{at_any_of(" "), false}};
    // The way of cutting that anchors most tokens; the first among equals.
    Ends best;
    for (const EndCut& cut : cuts) {
      Ends one = find_ends(values, cut.cutter, cut.may_choose);
      if (one.head + one.tail > best.head + best.tail) best = std::move(one);
    }
    if (best.head + best.tail == 0) return false;
    build_around_middle(best, depth);
    return true;
  }

  void build_around_middle(const Ends& ends, int depth) {
    const Cutting& cutting = ends.cutting;
    const Tokens& first = cutting.tokens.front();
    for (std::size_t i = 0; i < ends.head; ++i) {
      build(cutting.column(i), depth + 1);
      add_literal(first.delimiters[i]);
    }
    Values middle;
    for (const Tokens& one : cutting.tokens)
      middle.push_back(Cutting::between(one, ends.head, one.texts.size() - ends.tail - 1));
    // A middle that stays one slot may hold any number of words, delimiters included.
    const std::size_t before = pieces_.size();
    build(std::move(middle), depth + 1);
    if (pieces_.size() == before + 1 && pieces_.back().kind == LayoutPiece::Kind::kSlot)
      pieces_.back().is_free = true;
    for (std::size_t i = ends.tail; i > 0; --i) {
      add_literal(first.delimiters[first.delimiters.size() - i]);
      build(cutting.column_from_end(i), depth + 1);
    }
  }

  std::vector<LayoutPiece> pieces_;
};

}  // namespace

std::size_t count_distinct(std::span<const std::string_view> values) {
  return std::unordered_set<std::string_view>(values.begin(), values.end()).size();
}

std::vector<LayoutPiece> align_values(std::span<const std::string_view> values) {
  return LayoutBuilder().read(Values(values.begin(), values.end()));
}

}  // namespace airlock::rules

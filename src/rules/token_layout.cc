// Three ways are tried, from the most telling to the least: all values have the same delimiters;
// they have so when only one kind of delimiter counts (a pod's name may have any number of dashes
// between two underscores); they begin or end alike and differ in the middle.
#include "rules/token_layout.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "rules/tokens.h"
#include "rules/vocabulary.h"

namespace airlock::rules {

namespace {

using Values = std::vector<std::string_view>;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_strong(TokenClass what) {
  return what != TokenClass::kCode && what != TokenClass::kWord && what != TokenClass::kText;
}

bool is_constant(const Values& values) {
  return std::ranges::all_of(values,
                             [&](std::string_view value) { return value == values.front(); });
}

// A constant is worth a slot when it says when: all samples being of one day is chance.
bool is_constant_time(const Values& values) {
  const TokenClass what = common_class(values);
  return what == TokenClass::kDate || what == TokenClass::kDatetime ||
         what == TokenClass::kYearQuarter || what == TokenClass::kIsoWeek;
}

bool has_lowercase_words(const Values& values) {
  return std::ranges::all_of(values, [](std::string_view value) {
    return std::ranges::any_of(value, [](char c) { return c >= 'a' && c <= 'z'; });
  });
}

// Each value of one goes with exactly one of the other: two halves of one name.
bool go_together(const Values& a, const Values& b) {
  std::unordered_map<std::string_view, std::string_view> forth;
  std::unordered_map<std::string_view, std::string_view> back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (forth.emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

class Layer {
 public:
  explicit Layer(std::span<const std::string_view> values) : values_(values) {}

  std::vector<Piece> read() {
    for (const std::string_view delimiters :
         {kAllDelimiters, std::string_view("_."), std::string_view("_"), std::string_view("-."),
          std::string_view("-"), std::string_view("."), std::string_view(" ")}) {
      if (!cut(delimiters)) continue;
      add_columns(0, tokens_.front().texts.size());
      return finish();
    }
    cut_all(kAllDelimiters);
    return lay_ends();
  }

 private:
  void cut_all(std::string_view delimiters) {
    tokens_.clear();
    for (const std::string_view value : values_) tokens_.push_back(tokenize(value, delimiters));
  }

  // Whether all values have the same delimiters, of these.
  bool cut(std::string_view delimiters) {
    cut_all(delimiters);
    const std::string first = signature(tokens_.front());
    if (first.empty() && delimiters != kAllDelimiters) return false;
    return std::ranges::all_of(tokens_,
                               [&](const Tokens& tokens) { return signature(tokens) == first; });
  }

  Values column(std::size_t index) const {
    Values values;
    for (const Tokens& tokens : tokens_) values.push_back(tokens.texts[index]);
    return values;
  }
  Values column_from_end(std::size_t index) const {
    Values values;
    for (const Tokens& tokens : tokens_)
      values.push_back(tokens.texts[tokens.texts.size() - index]);
    return values;
  }

  void add_literal(std::string_view text) {
    if (text.empty()) return;
    if (pieces_.empty() || pieces_.back().kind != Piece::Kind::kLiteral) pieces_.emplace_back();
    pieces_.back().literal += text;
  }

  void add_slot(Values values, bool is_free) {
    Piece piece;
    piece.kind = Piece::Kind::kSlot;
    piece.what = is_free ? TokenClass::kText : common_class(values);
    piece.word_before = word_before();
    piece.values = std::move(values);
    piece.is_free = is_free;
    pieces_.push_back(std::move(piece));
  }

  // The letters right before this place, with at most one delimiter between.
  std::string word_before() const {
    if (pieces_.empty() || pieces_.back().kind != Piece::Kind::kLiteral) return {};
    std::string_view text = pieces_.back().literal;
    while (!text.empty() && kAllDelimiters.contains(text.back())) text.remove_suffix(1);
    std::size_t start = text.size();
    while (start > 0 && is_letter(text[start - 1])) --start;
    return std::string(text.substr(start));
  }

  void add_column(Values values) {
    if (is_constant(values) && !is_constant_time(values)) {
      add_literal(values.front());
      return;
    }
    if (std::ranges::any_of(values, [](std::string_view value) { return value.empty(); })) {
      add_slot(std::move(values), true);
      return;
    }
    if (split_prefix(values)) return;
    add_slot(std::move(values), false);
  }

  // frame0001 … frame0420: the letters are the same in all, and digits follow.
  bool split_prefix(const Values& values) {
    const std::string_view first = values.front();
    std::size_t letters = 0;
    while (letters < first.size() && is_letter(first[letters])) ++letters;
    if (letters == 0 || letters == first.size()) return false;
    const TokenClass what = common_class(values);
    const bool is_counted = what == TokenClass::kQuarter || what == TokenClass::kWeek;
    if (is_strong(what) && !is_counted) return false;
    const std::string_view prefix = first.substr(0, letters);
    // One letter alone is part of a code (T1, R108), unless it is one that is read as a word.
    if (letters < 2 && name_behind(prefix) == as_identifier(prefix) + "_id") return false;
    Values rest;
    for (const std::string_view value : values) {
      if (!value.starts_with(prefix) || !is_all_digits(value.substr(letters))) return false;
      rest.push_back(value.substr(letters));
    }
    add_literal(prefix);
    add_slot(std::move(rest), false);
    return true;
  }

  // Two halves of one name, or two words of a text, are one slot.
  bool are_one(const Values& left, const Values& right) const {
    if (is_constant(left) || is_constant(right)) return false;
    const TokenClass a = common_class(left);
    const TokenClass b = common_class(right);
    if (is_strong(a) || is_strong(b)) return false;
    if (name_for_values(left) || name_for_values(right)) return false;
    return go_together(left, right) || (has_lowercase_words(left) && has_lowercase_words(right));
  }

  void add_columns(std::size_t from, std::size_t to) {
    std::size_t at = from;
    while (at < to) {
      std::size_t end = at + 1;
      while (end < to && are_one(column(end - 1), column(end))) ++end;
      if (end - at > 1) {
        add_slot(joined(at, end - 1), true);
      } else {
        add_column(column(at));
      }
      if (end < to) add_literal(tokens_.front().delimiters[end - 1]);
      at = end;
    }
  }

  // The text from one token to another, delimiters between included.
  Values joined(std::size_t first, std::size_t last) const {
    Values values;
    for (const Tokens& tokens : tokens_) {
      const char* start = tokens.texts[first].data();
      const char* end = tokens.texts[last].data() + tokens.texts[last].size();
      values.emplace_back(start, static_cast<std::size_t>(end - start));
    }
    return values;
  }

  bool is_anchor(const Values& values) const {
    return std::ranges::none_of(values, [](std::string_view value) { return value.empty(); }) &&
           (is_constant(values) || is_strong(common_class(values)));
  }

  // How many tokens at the beginning (or the end) are anchors, with the same delimiter towards the
  // middle.
  std::size_t count_head(std::size_t least) const {
    std::size_t count = 0;
    while (count + 1 < least && is_anchor(column(count)) &&
           std::ranges::all_of(tokens_, [&](const Tokens& tokens) {
             return tokens.delimiters[count] == tokens_.front().delimiters[count];
           }))
      ++count;
    return count;
  }
  std::size_t count_tail(std::size_t most) const {
    std::size_t count = 0;
    while (count < most && is_anchor(column_from_end(count + 1)) &&
           std::ranges::all_of(
               tokens_,
               [&](const Tokens& tokens) {
                 return tokens.delimiters[tokens.delimiters.size() - count - 1] ==
                        tokens_.front().delimiters[tokens_.front().delimiters.size() - count - 1];
               }))
      ++count;
    return count;
  }

  std::vector<Piece> lay_ends() {
    std::size_t least = tokens_.front().texts.size();
    for (const Tokens& tokens : tokens_) least = std::min(least, tokens.texts.size());
    const std::size_t head = count_head(least);
    const std::size_t tail = least > head + 1 ? count_tail(least - head - 1) : 0;
    for (std::size_t i = 0; i < head; ++i) {
      add_column(column(i));
      add_literal(tokens_.front().delimiters[i]);
    }
    Values middle;
    for (const Tokens& tokens : tokens_) {
      const char* start = tokens.texts[head].data();
      const std::string_view last = tokens.texts[tokens.texts.size() - tail - 1];
      middle.emplace_back(start, static_cast<std::size_t>(last.data() + last.size() - start));
    }
    add_slot(std::move(middle), true);
    const Tokens& first = tokens_.front();
    for (std::size_t i = tail; i > 0; --i) {
      add_literal(first.delimiters[first.delimiters.size() - i]);
      add_column(column_from_end(i));
    }
    return finish();
  }

  std::vector<Piece> finish() { return std::move(pieces_); }

  std::span<const std::string_view> values_;
  std::vector<Tokens> tokens_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::size_t count_distinct(std::span<const std::string_view> values) {
  return std::unordered_set<std::string_view>(values.begin(), values.end()).size();
}

std::vector<Piece> lay_over(std::span<const std::string_view> values) {
  return Layer(values).read();
}

}  // namespace airlock::rules

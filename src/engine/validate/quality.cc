// One pass over the text of each result, without building it: a parser that calls back (SAX) sees
// numbers as they were written, so an integer of thirty digits is not mistaken for a float.
#include "engine/validate/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/identifier.h"
#include "base/json_reader.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxOfAKind = 5;    // warnings of one kind that are shown
constexpr std::size_t kMaxWarnings = 24;  // and in all

enum class WarningKind {
  kEmpty,
  kName,
  kSuspiciousName,
  kHiddenInName,
  kHiddenInValue,
  kAddress,
  kLargeNumber,
  kTypes,
  kMissing,
};

// Keeps each warning once, and a few of each kind.
class Warnings {
 public:
  void add(WarningKind kind, std::string text) {
    if (std::ranges::find(texts_, text) != texts_.end()) return;
    if (++counts_[kind] > kMaxOfAKind || texts_.size() >= kMaxWarnings) {
      ++left_out_;
      return;
    }
    texts_.push_back(std::move(text));
  }
  std::vector<std::string> take() {
    if (left_out_ > 0) texts_.push_back(fmt::format("{} more like these are not shown", left_out_));
    return std::move(texts_);
  }

 private:
  std::vector<std::string> texts_;
  std::map<WarningKind, std::size_t> counts_;
  std::size_t left_out_ = 0;
};

// Names that mean something to the program that reads the result: JavaScript's prototypes, and
// Python's own.
bool is_suspicious(std::string_view name) {
  constexpr std::array kNames = {"__proto__", "constructor", "prototype",
                                 "toString",  "valueOf",     "hasOwnProperty"};
  return std::ranges::find(kNames, name) != kNames.end() ||
         (name.size() > 4 && name.starts_with("__") && name.ends_with("__"));
}

// The first character that a reader would not see; line ends and tabs are seen.
std::optional<char32_t> hidden_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    const bool is_layout = byte == '\n' || byte == '\r' || byte == '\t' || point.value == 0xA0 ||
                           point.value == 0x3000;
    if (!is_layout && !shows_itself(point.value)) return point.value;
    at += std::max<std::size_t>(1, point.bytes);
  }
  return std::nullopt;
}

// "<Thing object at 0x7f12ab34cd56>"
bool shows_an_address(std::string_view text) {
  constexpr std::string_view kMark = " at 0x";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    std::size_t end = at + kMark.size();
    while (end < text.size() && is_hex_digit(text[end])) ++end;
    if (end - at - kMark.size() >= 6 && end < text.size() && text[end] == '>') return true;
  }
  return false;
}

// Beyond 2^53 a double no longer holds every integer, and JavaScript reads numbers as doubles.
bool is_beyond_double(std::string_view digits) {
  if (digits.find_first_of(".eEnN") != std::string_view::npos) return false;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  constexpr std::string_view kLargest = "9007199254740992";  // 2^53
  return digits.size() > kLargest.size() || (digits.size() == kLargest.size() && digits > kLargest);
}

// What the results say about one field.
struct FieldSurvey {
  std::size_t count = 0;
  std::size_t from_the_first = 0;  // how many filled results have it before the first that lacks it
  std::map<std::string_view, std::string> types;  // → the first sample that has it
};

// What is known of all results so far.
struct ResultSurvey {
  Warnings warnings;
  std::vector<std::string> order;  // field names as they appeared
  std::map<std::string, FieldSurvey> fields;
  std::set<std::pair<WarningKind, std::string>> noted;  // what was said of which field
  std::vector<std::string_view> filled;                 // the samples whose results are not empty
};

// Reads one result into the survey of all. Only members of the outermost object are fields; names
// and texts are judged at any depth.
class ResultReader : public nlohmann::json_sax<ordered_json> {
 public:
  ResultReader(ResultSurvey& survey, const std::string& path) : survey_(survey), path_(path) {}

  bool null() override { return value("None"); }
  bool boolean(bool) override { return value("bool"); }
  bool number_integer(number_integer_t number) override { return integer(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override {
    return integer(std::to_string(number));
  }
  // The parser gives integers that 64 bits cannot hold as floats; their text says what they were.
  bool number_float(number_float_t, const string_t& text) override {
    const bool is_integer = text.find_first_of(".eE") == std::string::npos;
    return is_integer ? integer(text) : value("float");
  }
  bool string(string_t& text) override {
    if (const auto hidden = hidden_character(text);
        hidden && note_once(WarningKind::kHiddenInValue)) {
      survey_.warnings.add(
          WarningKind::kHiddenInValue,
          fmt::format("Field {} holds an invisible or control character (U+{:04X}), for example in "
                      "{}",
                      in_quotes(field_), static_cast<unsigned>(*hidden), in_quotes(path_)));
    }
    if (shows_an_address(text) && note_once(WarningKind::kAddress)) {
      survey_.warnings.add(
          WarningKind::kAddress,
          fmt::format("Field {} shows a memory address ({}), which differs from run to run",
                      in_quotes(field_), in_quotes(text, 60)));
    }
    return value("str");
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (depth_ > 0) value("dict");
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    value("list");
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      field_ = name;
      is_empty_ = false;
    }
    judge_name(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  bool is_empty() const { return is_empty_; }

 private:
  // True the first time for this field and kind.
  bool note_once(WarningKind kind) { return survey_.noted.emplace(kind, field_).second; }

  void judge_name(const std::string& name) {
    if (depth_ == 1 && !is_identifier(name)) {
      survey_.warnings.add(WarningKind::kName,
                           "Field name " + in_quotes(name) + " is not a valid Python identifier");
    }
    if (is_suspicious(name)) {
      survey_.warnings.add(WarningKind::kSuspiciousName,
                           "Field name " + in_quotes(name) +
                               " has a meaning of its own to programs that read the result");
    }
    if (const auto hidden = hidden_character(name)) {
      survey_.warnings.add(
          WarningKind::kHiddenInName,
          fmt::format("Field name {} holds an invisible or control character (U+{:04X})",
                      in_quotes(name), static_cast<unsigned>(*hidden)));
    }
  }

  bool integer(const std::string& digits) {
    if (is_beyond_double(digits) && note_once(WarningKind::kLargeNumber)) {
      survey_.warnings.add(
          WarningKind::kLargeNumber,
          fmt::format("Field {} holds an integer beyond 2^53 ({}), which many JSON readers round",
                      in_quotes(field_), in_quotes(digits, 40)));
    }
    return value("int");
  }

  bool value(std::string_view type) {
    if (depth_ != 1) return true;
    const auto [at, is_new] = survey_.fields.try_emplace(field_);
    if (is_new) survey_.order.push_back(field_);
    ++at->second.count;
    if (at->second.from_the_first == survey_.filled.size()) ++at->second.from_the_first;
    if (type != "None") at->second.types.try_emplace(type, path_);
    return true;
  }

  ResultSurvey& survey_;
  const std::string& path_;
  std::string field_;  // of the outermost object
  int depth_ = 0;
  bool is_empty_ = true;
};

// What only shows when all results are known: mixed types, and fields that some lack.
void judge_fields(ResultSurvey& survey) {
  const std::size_t filled = survey.filled.size();
  for (const std::string& name : survey.order) {
    const FieldSurvey& field = survey.fields[name];
    if (field.types.size() > 1) {
      std::string list;
      for (const auto& [type, path] : field.types)
        list += fmt::format("{}{} ({})", list.empty() ? "" : " and ", type, in_quotes(path, 60));
      survey.warnings.add(
          WarningKind::kTypes,
          "Field " + in_quotes(name) + " has different types in different samples: " + list);
    }
    if (field.count >= filled) continue;
    survey.warnings.add(
        WarningKind::kMissing,
        fmt::format("Field {} is missing in {} of {} results, for example in that of {}",
                    in_quotes(name), filled - field.count, filled,
                    in_quotes(survey.filled[field.from_the_first], 60)));
  }
}

}  // namespace

std::string in_quotes(std::string_view text, std::size_t limit) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    if (shown.size() + glyph.text.size() > limit) {
      shown += "…";
      break;
    }
    shown += glyph.text;
    at += glyph.bytes;
  }
  return "'" + shown + "'";
}

std::vector<std::string> quality_warnings(std::span<const SampleResult> results) {
  // Nothing else can be said then.
  if (std::ranges::none_of(results, &SampleResult::success)) return {"All extractions failed"};
  ResultSurvey survey;
  std::size_t successes = 0;
  for (const SampleResult& one : results) {
    if (!one.success) continue;
    ResultReader reader(survey, one.path);
    ordered_json::sax_parse(one.result, &reader);
    ++successes;
    if (!reader.is_empty()) survey.filled.push_back(one.path);
  }
  const std::size_t filled = survey.filled.size();
  if (filled == 0) {
    survey.warnings.add(WarningKind::kEmpty, "All successful extractions returned empty dict");
  } else if (const std::size_t empty = successes - filled; empty > 0) {
    survey.warnings.add(WarningKind::kEmpty,
                        fmt::format("{} path{} returned empty dict (may be expected)", empty,
                                    empty == 1 ? "" : "s"));
  }
  judge_fields(survey);
  return survey.warnings.take();
}

std::vector<std::string> differing_fields(const std::string& one, const std::string& other) {
  if (one == other) return {};
  const auto left = read_ordered_json<ordered_json>(one);
  const auto right = read_ordered_json<ordered_json>(other);
  std::vector<std::string> names;
  if (!left.is_object() || !right.is_object()) return names;
  // A look-up in an object that keeps its order goes through all of it.
  std::map<std::string_view, const ordered_json*> only_right;
  for (const auto& [name, value] : right.get_ref<const ordered_json::object_t&>())
    only_right.emplace(name, &value);
  for (const auto& [name, value] : left.get_ref<const ordered_json::object_t&>()) {
    const auto found = only_right.find(name);
    if (found == only_right.end() || *found->second != value) names.push_back(name);
    if (found != only_right.end()) only_right.erase(found);
  }
  for (const auto& [name, value] : right.get_ref<const ordered_json::object_t&>()) {
    if (only_right.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace airlock

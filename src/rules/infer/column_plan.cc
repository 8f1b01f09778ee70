// plan() asks from the surest to the least sure, and the first that applies decides: key=value as
// Hive writes it, a published convention, one class for the whole segment, and last the segment cut
// into literals and slots. File names differ from folders in one way: their extension is taken off
// first and spelt in the glob.
#include "rules/infer/column_plan.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include "base/ascii.h"
#include "rules/infer/conventions.h"
#include "rules/infer/slot_pattern.h"
#include "rules/infer/token_layout.h"
#include "rules/infer/tokens.h"
#include "rules/infer/vocabulary.h"
#include "rules/match/pattern.h"

namespace airlock::rules {

namespace {

using Values = std::vector<std::string_view>;
constexpr std::size_t kMostExtensions = 8;  // spelt out in a glob; more are *
// How Hive and Spark write that a partition has no value.
constexpr std::string_view kHiveNull = "__HIVE_DEFAULT_PARTITION__";
constexpr std::size_t kFew = 6;  // paths, from which little is to be concluded

std::vector<std::string_view> distinct(std::span<const std::string_view> values) {
  const std::set<std::string_view> set(values.begin(), values.end());
  return {set.begin(), set.end()};
}

// How a class takes part in naming a field.
enum class Naming : std::uint8_t {
  kTime,         // names itself, and is worth a field even when all samples share one value
  kItself,       // says what it is, whoever stands beside it
  kByNeighbour,  // a number is the id of something: the folder above or the word in front says of
                 // what
};

struct ClassNaming {
  TokenClass what;
  Naming naming;
  std::string_view name;  // of a field of this class, when nothing around it suggests a better one
};

// One row for each class, in the order of the enum.
constexpr std::array kClassNamings = {
    ClassNaming{TokenClass::kDate, Naming::kTime, "date"},
    ClassNaming{TokenClass::kDatetime, Naming::kTime, "timestamp"},
    ClassNaming{TokenClass::kYearMonth, Naming::kTime, "year_month"},
    ClassNaming{TokenClass::kIsoWeek, Naming::kTime, "week"},
    ClassNaming{TokenClass::kYearQuarter, Naming::kTime, "quarter"},
    ClassNaming{TokenClass::kOrdinalDate, Naming::kItself, "date"},
    ClassNaming{TokenClass::kWrittenDate, Naming::kItself, "date"},
    ClassNaming{TokenClass::kTimeOfDay, Naming::kItself, "time"},
    ClassNaming{TokenClass::kEpoch, Naming::kItself, "timestamp"},
    ClassNaming{TokenClass::kQuarter, Naming::kTime, "quarter"},
    ClassNaming{TokenClass::kWeek, Naming::kItself, "week"},
    ClassNaming{TokenClass::kMonthName, Naming::kItself, "month"},
    ClassNaming{TokenClass::kYear, Naming::kTime, "year"},
    ClassNaming{TokenClass::kNumber, Naming::kByNeighbour, "number"},
    ClassNaming{TokenClass::kDecimal, Naming::kByNeighbour, "value"},
    ClassNaming{TokenClass::kUuid, Naming::kByNeighbour, "uuid"},
    ClassNaming{TokenClass::kHash, Naming::kByNeighbour, "hash"},
    ClassNaming{TokenClass::kShortHash, Naming::kItself, "hash"},
    ClassNaming{TokenClass::kVersion, Naming::kItself, "version"},
    ClassNaming{TokenClass::kAddress, Naming::kItself, "ip_address"},
    ClassNaming{TokenClass::kUid, Naming::kByNeighbour, "uid"},
    ClassNaming{TokenClass::kRegion, Naming::kItself, "region"},
    ClassNaming{TokenClass::kBoolean, Naming::kByNeighbour, "flag"},
    ClassNaming{TokenClass::kCode, Naming::kByNeighbour, "code"},
    ClassNaming{TokenClass::kWord, Naming::kByNeighbour, "name"},
    ClassNaming{TokenClass::kText, Naming::kByNeighbour, "name"},
};

const ClassNaming& naming_of(TokenClass what) {
  return *std::ranges::find(kClassNamings, what, &ClassNaming::what);
}

std::string_view default_name(TokenClass what) {
  return naming_of(what).name;
}

bool is_strong_time(TokenClass what) {
  return naming_of(what).naming == Naming::kTime;
}

bool names_itself(TokenClass what) {
  return naming_of(what).naming != Naming::kByNeighbour;
}

// start_2024-01-01: a date with a role.
bool is_role(std::string_view word) {
  constexpr std::array<std::string_view, 12> kRoles = {"start", "end",     "from",    "to",
                                                       "due",   "created", "updated", "begin",
                                                       "until", "valid",   "issued",  "expires"};
  return std::ranges::find(kRoles, word) != kRoles.end();
}

// Plans one column. Used once: the plan is moved out.
class Planner {
 public:
  Planner(std::span<const std::string_view> values, const ColumnPlace& place)
      : values_(values), place_(place), distinct_(distinct(values)) {}

  ColumnPlan plan() {
    plan_.what = common_class(distinct_);
    plan_.is_constant = distinct_.size() == 1;
    if (plan_.is_constant && !is_worth_a_field()) {
      plan_.glob = quote_glob(values_.front());
      return std::move(plan_);
    }
    if (plan_hive()) return std::move(plan_);
    // Dates before conventions: 20230601 is a date, even if some convention has names of eight
    // digits.
    if (!is_strong_time(plan_.what) && plan_convention()) return std::move(plan_);
    if (plan_whole()) return std::move(plan_);
    if (place_.is_filename) {
      plan_filename();
    } else {
      plan_pieces(align_values(values_), "");
    }
    return std::move(plan_);
  }

 private:
  // That all samples share one day, region or user may be chance, the more so the fewer samples
  // there are. Such a constant becomes a field; other constants stay literal text.
  bool is_worth_a_field() const {
    if (is_strong_time(plan_.what) || values_.front().contains('=')) return true;
    if (plan_.what == TokenClass::kRegion || plan_.what == TokenClass::kUuid) return true;
    if (values_.size() >= kFew || place_.is_filename) return false;
    if (name_for_values(distinct_) && !is_container_word(values_.front())) return true;
    const std::string_view above = place_.folder_above;
    // Below a folder in the plural ("customers") a single name is still one of several.
    return above.size() > 3 && !is_container_word(above) && singular(above) != above &&
           names_below_tree(above).empty();
  }

  void add_field(ProposedField field) { plan_.fields.push_back(std::move(field)); }

  // With the type and format that the class has for these values.
  ProposedField make_field(std::string name, bool is_well_named, TokenClass what, Values values,
                           std::string pattern) const {
    const FieldForm form = form_of(what, distinct(values));
    ProposedField field;
    field.name = std::move(name);
    field.is_well_named = is_well_named;
    field.what = what;
    field.type = form.type;
    field.format = form.format;
    field.pattern = std::move(pattern);
    field.values = std::move(values);
    return field;
  }

  // year=2024, the same key in all.
  bool plan_hive() {
    const std::size_t equals = values_.front().find('=');
    if (equals == std::string_view::npos || equals == 0) return false;
    const std::string_view key = values_.front().substr(0, equals + 1);
    // In attempt=1.log the value ends where the extension begins.
    std::string_view ending;
    if (place_.is_filename) ending = extension_of(values_.front());
    Values rest;
    for (const std::string_view value : values_) {
      if (!value.starts_with(key) || value.size() == key.size()) return false;
      if (value.find('=', key.size()) != std::string_view::npos) return false;
      if (!value.ends_with(ending) || value.size() == key.size() + ending.size()) return false;
      rest.push_back(value.substr(key.size(), value.size() - key.size() - ending.size()));
    }
    Values known;
    std::ranges::copy_if(rest, std::back_inserter(known),
                         [](std::string_view value) { return value != kHiveNull; });
    const bool has_nulls = known.size() < rest.size() && !known.empty() && ending.empty();
    // Partitions without a value must not decide the type; hive(KEY) gives null for them.
    if (has_nulls) rest = known;
    TokenClass what = common_class(distinct(rest));
    if (are_decimals(rest)) what = TokenClass::kDecimal;
    std::string name = as_identifier(key);
    if (name.empty()) name = "value";
    const std::string after = ending.empty() ? std::string() : quote_pattern(ending) + "$";
    ProposedField field =
        make_field(name, true, what, std::move(rest), quote_pattern(key) + "(.+)" + after);
    field.evidence = "key=value";
    if (has_nulls) {
      field.hive_key = key.substr(0, key.size() - 1);
      field.values.assign(values_.begin(), values_.end());
    }
    plan_.glob = quote_glob(key) + "*" + quote_glob(ending);
    plan_.what = what;
    add_field(std::move(field));
    return true;
  }

  static bool are_decimals(const Values& values) {
    return std::ranges::all_of(
        values, [](std::string_view value) { return is_of_class(value, TokenClass::kDecimal); });
  }

  bool plan_convention() {
    const Convention* convention = find_convention(distinct_);
    if (convention == nullptr) return false;
    plan_.glob = convention->glob;
    for (const ConventionField& one : convention->fields) {
      const auto pattern = Pattern::parse(std::string(one.pattern), std::nullopt);
      Values values;
      for (const std::string_view value : values_) {
        const auto found = pattern ? pattern->find(value) : std::nullopt;
        values.push_back(found.value_or(std::string_view()));
      }
      if (std::ranges::any_of(values, [](std::string_view value) { return value.empty(); }))
        continue;  // not every product has a band
      ProposedField field;
      field.name = one.name;
      field.is_well_named = true;
      field.what = common_class(distinct(values));
      field.type = type_named(one.type).value_or(form_of(field.what, distinct(values)).type);
      field.format = one.format;
      field.pattern = one.pattern;
      field.values = std::move(values);
      field.evidence = std::string(convention->title);
      add_field(std::move(field));
    }
    if (place_.is_filename) add_extension();
    return true;
  }

  // Two numbers in one: 2024-01, 2024-Q1, 2024-W03.
  bool plan_year_and(std::string_view second, std::string_view pattern) {
    Values years;
    Values others;
    const auto second_of = Pattern::parse(std::string(pattern), std::nullopt);
    for (const std::string_view value : values_) {
      years.push_back(value.substr(0, 4));
      others.push_back(second_of->find(value).value_or(std::string_view()));
    }
    add_field(make_field("year", true, TokenClass::kYear, std::move(years), "^(\\d{4})"));
    add_field(make_field(std::string(second), true, TokenClass::kNumber, std::move(others),
                         std::string(pattern)));
    plan_.glob = date_glob(values_.front());
    return true;
  }

  // 2024-01-15 → ????-??-??: digits vary, separators do not.
  static std::string date_glob(std::string_view shape) {
    std::string glob;
    for (const char c : shape) glob += is_digit(c) ? '?' : c;
    return glob;
  }

  bool has_one_length() const {
    return std::ranges::all_of(
        values_, [&](std::string_view value) { return value.size() == values_.front().size(); });
  }

  // By the class, by the values, by the folder above, and at last by what the class is called.
  std::string whole_name(bool& is_well_named) const {
    is_well_named = true;
    if (names_itself(plan_.what)) return std::string(default_name(plan_.what));
    if (const auto known = name_for_values(distinct_)) return std::string(*known);
    const bool is_id = !is_plain(plan_.what);
    if (names_what_is_below(place_.folder_above)) return name_below(place_.folder_above, is_id);
    is_well_named = false;
    if (plan_.what == TokenClass::kNumber) return "id";
    return is_plain(plan_.what) ? (place_.is_filename ? "name" : "folder")
                                : std::string(default_name(plan_.what));
  }

  // One class for the whole segment.
  bool plan_whole() {
    if (place_.is_filename && (is_plain(plan_.what) || plan_.what == TokenClass::kVersion ||
                               !extension_of(values_.front()).empty()))
      return false;
    if (plan_.what == TokenClass::kYearMonth)
      return plan_year_and("month", "^\\d{4}[-_]?(\\d{2})$");
    if (plan_.what == TokenClass::kYearQuarter) return plan_year_and("quarter", "Q(\\d)$");
    if (plan_.what == TokenClass::kIsoWeek && has_one_length() && values_.front().size() <= 8)
      return plan_year_and("week", "W(\\d{2})$");
    if (plan_.what == TokenClass::kText || plan_.what == TokenClass::kCode) return false;
    bool is_well_named = false;
    const std::string name = whole_name(is_well_named);
    // Q1, W03: the letter is spelt in glob and pattern, the number is the value.
    const bool is_prefixed = plan_.what == TokenClass::kQuarter || plan_.what == TokenClass::kWeek;
    Values rest(values_.begin(), values_.end());
    if (is_prefixed)
      for (std::string_view& value : rest) value.remove_prefix(1);
    const std::string letter(1, values_.front()[0]);
    add_field(make_field(name, is_well_named, is_prefixed ? TokenClass::kNumber : plan_.what,
                         std::move(rest), is_prefixed ? letter + "(\\d+)" : ""));
    const bool is_dated = plan_.what == TokenClass::kDate || plan_.what == TokenClass::kYear;
    plan_.glob = is_dated && has_one_length() ? date_glob(values_.front())
                 : is_prefixed                ? letter + "*"
                                              : "*";
    return true;
  }

  void plan_filename() {
    std::set<std::string_view> extensions;
    Values stems;
    for (const std::string_view value : values_) {
      const std::string_view extension = extension_of(value);
      extensions.insert(extension);
      stems.push_back(value.substr(0, value.size() - extension.size()));
    }
    // One extension is literal text; a few become {csv,json} and a field; files with none among
    // them, or too many, leave the end open.
    const bool is_one = extensions.size() == 1;
    const std::string ending = is_one ? std::string(*extensions.begin()) : std::string();
    const bool is_few = extensions.size() <= kMostExtensions;
    has_extensions_ = !is_one && (is_few || !extensions.contains(std::string_view()));
    if (has_extensions_) any_extension_ = one_of(extensions);
    plan_stems(std::move(stems), ending);
    if (is_one) {
      plan_.glob += quote_glob(ending);
    } else {
      plan_extensions(extensions);
    }
  }

  void plan_extensions(const std::set<std::string_view>& extensions) {
    const bool has_all = !extensions.contains(std::string_view());
    if (!plan_.glob.ends_with('*')) plan_.glob += '*';
    if (!has_all || extensions.size() > kMostExtensions) return;
    std::string choices;
    for (const std::string_view one : extensions)
      choices += (choices.empty() ? "" : ",") + quote_glob(one.substr(1));
    plan_.glob += ".{" + choices + "}";
    add_extension();
  }

  // A field for the extension, if the files have several different ones.
  void add_extension() {
    Values values;
    for (const std::string_view value : values_) {
      const std::string_view extension = extension_of(value);
      if (extension.empty() || extension.rfind('.') != 0) return;
      values.push_back(extension.substr(1));
    }
    if (distinct(values).size() < 2 || distinct(values).size() > kMostExtensions) return;
    add_field(make_field("extension", true, TokenClass::kText, std::move(values), "\\.([^.]+)$"));
  }

  // A file name may repeat a folder's name: guava-31.1.jar in guava/31.1/. That part becomes a slot
  // with the folder's values; it is spelt in patterns but gives no field, because the folder gives
  // it.
  std::vector<LayoutPiece> take_repeated(Values& stems) const {
    std::vector<LayoutPiece> pieces;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const Values& other : place_.others) {
        if (!begin_with(stems, other)) continue;
        LayoutPiece slot;
        slot.kind = LayoutPiece::Kind::kSlot;
        slot.values = other;
        slot.is_free = true;
        slot.is_repeated = true;
        pieces.push_back(std::move(slot));
        LayoutPiece delimiter;
        for (std::size_t i = 0; i < stems.size(); ++i) {
          stems[i].remove_prefix(other[i].size());
          if (stems[i].empty()) continue;
          delimiter.literal = stems[i].substr(0, 1);
          stems[i].remove_prefix(1);
        }
        pieces.push_back(std::move(delimiter));
        goes_on = true;
        break;
      }
    }
    return pieces;
  }

  // As whole tokens: 2024 is no beginning of 2024-01-15.
  static bool begin_with(const Values& stems, const Values& starts) {
    for (std::size_t i = 0; i < stems.size(); ++i) {
      const std::size_t length = starts[i].size();
      if (length == 0 || !stems[i].starts_with(starts[i])) return false;
      if (stems[i].size() == length) continue;
      const Tokens tokens = tokenize(stems[i], kAllDelimiters);
      const bool ends_a_token = std::ranges::any_of(tokens.texts, [&](std::string_view text) {
        return text.data() + text.size() == stems[i].data() + length;
      });
      if (!ends_a_token) return false;
    }
    return true;
  }

  // File names without their extension: first what folders say already is taken off, then the same
  // questions as for a folder, constant, one class, or pieces.
  void plan_stems(Values stems, const std::string& ending) {
    std::vector<LayoutPiece> repeated = take_repeated(stems);
    if (!repeated.empty()) {
      plan_rest(std::move(repeated), stems, ending);
      return;
    }
    const Values all = distinct(stems);
    const TokenClass what = common_class(all);
    if (all.size() == 1 && !is_strong_time(what)) {
      plan_.glob = quote_glob(all.front());
      return;
    }
    const std::string stop = end_pattern(ending);
    if (!is_plain(what)) {
      plan_stem_as_one(std::move(stems), what, stop);
      return;
    }
    plan_pieces(align_values(stems), ending);
  }

  // What follows the stem: an extension that is always the same, one that is not, or nothing.
  std::string end_pattern(const std::string& ending) const {
    return has_extensions_ ? any_extension_ : quote_pattern(ending) + "$";
  }

  // A pattern for the end of a name: any extension when all are simple (.csv), spelt out when some
  // have two parts (.csv.gz), where "any" could not tell where the stem ends.
  static std::string one_of(const std::set<std::string_view>& extensions) {
    const bool is_simple =
        std::ranges::all_of(extensions, [](std::string_view one) { return one.rfind('.') == 0; });
    if (is_simple || extensions.size() > kMostExtensions) return "\\.[^.]+$";
    std::string choices;
    for (const std::string_view one : extensions)
      if (!one.empty()) choices += (choices.empty() ? "" : "|") + quote_pattern(one);
    const bool is_optional = extensions.contains(std::string_view());
    return "(?:" + choices + ")" + (is_optional ? "?$" : "$");
  }

  // Plans the rest of the file name, after what repeats the folders.
  void plan_rest(std::vector<LayoutPiece> pieces, const Values& rest, const std::string& ending) {
    if (std::ranges::any_of(rest, [](std::string_view value) { return value.empty(); })) {
      plan_.glob = "*";
      return;
    }
    for (LayoutPiece& piece : align_values(rest)) {
      const bool continues = piece.kind == LayoutPiece::Kind::kLiteral &&
                             pieces.back().kind == LayoutPiece::Kind::kLiteral;
      if (continues) {
        pieces.back().literal += piece.literal;
      } else {
        pieces.push_back(std::move(piece));
      }
    }
    plan_pieces(pieces, ending);
  }

  // The whole stem is of one class: 20240115.csv, 00000042.log.
  void plan_stem_as_one(Values stems, TokenClass what, const std::string& stop) {
    const bool is_id =
        what == TokenClass::kNumber || what == TokenClass::kUuid || what == TokenClass::kHash;
    const bool is_below = is_id && names_what_is_below(place_.folder_above);
    const std::string name = is_below ? name_below(place_.folder_above, true)
                             : what == TokenClass::kNumber && is_zero_padded(stems, 20) ? "offset"
                             : what == TokenClass::kNumber                              ? "number"
                                                           : std::string(default_name(what));
    std::string inside = pattern_of(what, distinct(stems));
    if (inside.empty()) inside = ".+";
    plan_.glob = what == TokenClass::kDate ? date_glob(stems.front()) : "*";
    add_field(make_field(name, is_below || names_itself(what) || name == "offset", what,
                         std::move(stems), "^(" + inside + ")" + stop));
  }

  // ---- slots and literals ----

  // A regular expression for one slot: everything before it spelt out from ^, the slot as the
  // group, and what follows it.
  std::string pattern_for(const std::vector<LayoutPiece>& pieces, std::size_t at,
                          const std::string& ending) const {
    const auto literal_at = [&](std::size_t index) -> std::string {
      if (index < pieces.size())
        return pieces[index].kind == LayoutPiece::Kind::kLiteral ? pieces[index].literal
                                                                 : std::string();
      return index != pieces.size() ? std::string() : has_extensions_ ? std::string(".") : ending;
    };
    const LayoutPiece& slot = pieces[at];
    const std::string value = "(" + slot_pattern(slot, literal_at(at + 1)) + ")";
    const bool is_last =
        at + 1 == pieces.size() ||
        (at + 2 == pieces.size() && pieces[at + 1].kind == LayoutPiece::Kind::kLiteral);
    std::string after;
    if (is_last) {
      const std::string literal = at + 1 < pieces.size() ? pieces[at + 1].literal : std::string();
      after = quote_pattern(literal) + end_pattern(ending);
    } else {
      after = quote_pattern(literal_at(at + 1));
    }
    // With a word in front, that word is enough to find the number; otherwise everything before the
    // slot is spelt out.
    if (at == 1 && slot.word_before.size() >= 2 && !value.contains(".+") &&
        slot.what == TokenClass::kNumber)
      return quote_pattern(pieces[0].literal) + value;
    std::string before = "^";
    for (std::size_t i = 0; i < at; ++i) {
      before += pieces[i].kind == LayoutPiece::Kind::kLiteral
                    ? quote_pattern(pieces[i].literal)
                    : slot_pattern(pieces[i], literal_at(i + 1));
    }
    return before + value + after;
  }

  std::string slot_glob(const LayoutPiece& slot) const {
    if (slot.what == TokenClass::kDate && !slot.values.empty())
      return date_glob(slot.values.front());
    return "*";
  }

  // From the surest source to the least: what the alignment says (S01E02), a key, the class, the
  // values, the word in front, the folder above. `is_only_slot`: the folder above can only name
  // one.
  std::string slot_name(const LayoutPiece& slot, bool is_only_slot, bool& is_well_named) const {
    is_well_named = true;
    const Values all = distinct(slot.values);
    if (!slot.name.empty()) return slot.name;
    const bool is_key = !slot.key.empty() && (slot.is_assigned || !names_itself(slot.what));
    if (is_key && (slot.is_assigned || slot.key.size() >= 2)) return name_of_key(slot.key);
    if (slot.what == TokenClass::kDate && is_role(slot.word_before))
      return slot.word_before + "_date";
    if (names_itself(slot.what)) return std::string(default_name(slot.what));
    const bool has_word = slot.word_before.size() >= 2 ||
                          (slot.word_before.size() == 1 && slot.what == TokenClass::kNumber);
    const bool is_entity =
        has_word && (is_entity_word(slot.word_before) ||
                     (slot.word_before.size() >= 2 && is_known_behind(slot.word_before)));
    if (const auto known = name_for_values(all); known && !is_entity) return std::string(*known);
    const bool is_id = slot.what == TokenClass::kNumber || slot.what == TokenClass::kUuid ||
                       slot.what == TokenClass::kHash || slot.what == TokenClass::kCode;
    // CLIENT-ABC is an id; Custodian-Smith is the custodian.
    if (has_word && !is_id && !place_.is_filename && has_lowercase(all) &&
        !is_known_behind(slot.word_before))
      return as_identifier(singular(slot.word_before));
    if (has_word && (is_id || !place_.is_filename || is_known_behind(slot.word_before)))
      return name_behind(slot.word_before);
    const bool is_below = names_what_is_below(place_.folder_above);
    if (is_only_slot && is_below && !place_.is_filename)
      return name_below(place_.folder_above, !is_plain(slot.what) || has_digits(all));
    is_well_named = false;
    if (slot.what == TokenClass::kNumber && is_zero_padded(slot.values, 20)) {
      is_well_named = true;
      return "offset";
    }
    if (is_plain(slot.what) && slot.what != TokenClass::kCode && !place_.is_filename)
      return "folder";
    return std::string(default_name(slot.what));
  }

  // 00000000000000001234: segment files of logs are named by their first offset, padded to 20
  // digits.
  static bool is_zero_padded(const Values& values, std::size_t width) {
    return std::ranges::all_of(values, [&](std::string_view value) {
      return value.size() == width && value.starts_with("00");
    });
  }

  static bool has_lowercase(const Values& values) {
    return std::ranges::all_of(values, [](std::string_view value) {
      return std::ranges::any_of(value, is_lower) && !has_digits({value});
    });
  }

  static bool has_digits(const Values& values) {
    return std::ranges::all_of(values, [](std::string_view value) {
      return value.find_first_of("0123456789") != std::string_view::npos;
    });
  }

  // The word that a literal begins with, with the delimiter behind it: "Matter-" of "Matter-2024-".
  static std::string_view leading_word(std::string_view literal) {
    std::size_t letters = 0;
    while (letters < literal.size() && is_letter(literal[letters])) ++letters;
    const bool is_word =
        letters >= 3 && letters < literal.size() && kAllDelimiters.contains(literal[letters]);
    return is_word ? literal.substr(0, letters + 1) : std::string_view();
  }

  // Matter-2024-0013: several numbers behind one word are that thing's id.
  bool plan_as_numbered(const std::vector<LayoutPiece>& pieces) {
    if (place_.is_filename || pieces[0].kind != LayoutPiece::Kind::kLiteral) return false;
    const std::string_view word = leading_word(pieces[0].literal);
    const auto slots = std::ranges::count(pieces, LayoutPiece::Kind::kSlot, &LayoutPiece::kind);
    const bool is_numbered =
        slots > 1 || pieces[0].literal.find_first_of("0123456789") != std::string::npos;
    if (word.empty() || !is_numbered) return false;
    // Everything in it must be a number or code: Matter-2024-smith is a matter and a name.
    for (const LayoutPiece& piece : pieces) {
      const bool is_part = piece.kind == LayoutPiece::Kind::kLiteral ||
                           piece.what == TokenClass::kNumber || piece.what == TokenClass::kYear ||
                           piece.what == TokenClass::kCode;
      if (!is_part) return false;
    }
    Values rest;
    for (const std::string_view value : values_) rest.push_back(value.substr(word.size()));
    add_field(make_field(name_behind(word.substr(0, word.size() - 1)), true, TokenClass::kText,
                         std::move(rest), "^" + quote_pattern(word) + "(.+)$"));
    plan_.glob = quote_glob(word) + "*";
    return true;
  }

  // Below a folder that names an entity, a segment of codes and numbers is that entity's id as a
  // whole.
  bool plan_as_entity(const std::vector<LayoutPiece>& pieces) {
    if (place_.is_filename || !names_what_is_below(place_.folder_above)) return false;
    const auto is_slot = [](const LayoutPiece& piece) {
      return piece.kind == LayoutPiece::Kind::kSlot;
    };
    // A date or UUID inside deserves its own field.
    const auto dates = std::ranges::count_if(pieces, [&](const LayoutPiece& piece) {
      return is_slot(piece) &&
             (piece.what == TokenClass::kDate || piece.what == TokenClass::kDatetime ||
              piece.what == TokenClass::kWrittenDate || piece.what == TokenClass::kUuid);
    });
    if (dates > 0) return false;
    if (std::ranges::count_if(pieces, is_slot) == 1) {
      // mission_042 under missions/: the word in front names the number better than the folder.
      const LayoutPiece& slot = *std::ranges::find_if(pieces, is_slot);
      if (slot.word_before.size() >= 2) return false;
    }
    add_field(make_field(name_below(place_.folder_above, has_digits(distinct_)), true,
                         TokenClass::kText, Values(values_.begin(), values_.end()), ""));
    plan_.glob = "*";
    return true;
  }

  // A field for each slot, a glob from all pieces. Before that, two readings that take several
  // pieces as one thing.
  void plan_pieces(const std::vector<LayoutPiece>& pieces, const std::string& ending) {
    if (plan_as_numbered(pieces) || plan_as_entity(pieces)) return;
    const auto slots = std::ranges::count_if(
        pieces, [](const LayoutPiece& piece) { return piece.kind == LayoutPiece::Kind::kSlot; });
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const LayoutPiece& piece = pieces[i];
      if (piece.kind == LayoutPiece::Kind::kLiteral) {
        plan_.glob += quote_glob(piece.literal);
        continue;
      }
      plan_.glob += slot_glob(piece);
      if (piece.is_repeated) continue;
      bool is_well_named = false;
      const std::string name = slot_name(piece, slots == 1, is_well_named);
      const bool is_whole = pieces.size() == 1 && ending.empty() && !has_extensions_;
      const TokenClass what =
          piece.is_assigned && are_decimals(piece.values) ? TokenClass::kDecimal : piece.what;
      add_field(make_field(name, is_well_named, what, piece.values,
                           is_whole ? "" : pattern_for(pieces, i, ending)));
    }
  }

  std::span<const std::string_view> values_;
  const ColumnPlace& place_;
  Values distinct_;
  bool has_extensions_ = false;  // different ones, or none in some
  std::string any_extension_;    // as a pattern
  ColumnPlan plan_;
};

}  // namespace

ColumnPlan plan_column(std::span<const std::string_view> values, const ColumnPlace& place) {
  return Planner(values, place).plan();
}

}  // namespace airlock::rules

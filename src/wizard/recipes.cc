// A recipe turns words of the hint and fields of a layout into statements of Python, which
// python_writer.cc puts behind the fields of that layout. Invariants of the statements: (1) they
// read fields["…"] only of fields that the layout has, and set names that no field has (free_name),
// except where a field is replaced by its decoded self; (2) a local name (month, first, monday) is
// set before it is read in the same part: parts follow each other in one function, in the order of
// the table; (3) a value that makes no sense raises, so that the sample fails and a person sees it.
#include "wizard/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/ascii.h"
#include "rules/infer/token_class.h"
#include "wizard/hint_words.h"

namespace airlock::wizard {

namespace {

using rules::InferredField;
using rules::InferredRule;
using rules::TokenClass;
using rules::ValueType;

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
// April. Used when the hint names no month, and then said in a note.
constexpr int kUsualFiscalStart = 4;

// A line of the program: both full names and, by their first three letters, abbreviations are
// found.
std::string month_table() {
  std::string table = "_MONTHS = [";
  for (const std::string_view month : kMonths) {
    if (table.back() != '[') table += ", ";
    table += fmt::format("\"{}\"", month);
  }
  return table + "]";
}

// The fields of one layout, by what they mean.
class Fields {
 public:
  explicit Fields(const InferredRule& rule) : rule_(rule) {}

  // fields["year"], as an int.
  std::optional<std::string> year() const {
    if (const auto* field = integer("year", TokenClass::kYear)) return text(*field);
    if (const auto* field = date()) return fmt::format("int({}[:4])", text(*field));
    return {};
  }
  // What `part` needs for it is added to it: months may be written as names.
  std::optional<std::string> month(ComputedPart& part) const {
    if (const auto* field = integer("month", TokenClass::kText)) return text(*field);
    if (const auto* field = date()) return fmt::format("int({}[5:7])", text(*field));
    const auto* field = month_name();
    if (field == nullptr) return {};
    part.constants.push_back(month_table());
    return fmt::format("[m[:3] for m in _MONTHS].index({}[:3].lower()) + 1", text(*field));
  }
  bool has_month() const {
    ComputedPart unused;
    return month(unused).has_value();
  }
  std::optional<std::string> day() const {
    const auto* field = integer("day", TokenClass::kText);
    return field == nullptr ? std::nullopt : std::optional(text(*field));
  }
  std::optional<std::string> quarter() const {
    const auto* field = integer("quarter", TokenClass::kQuarter);
    return field == nullptr ? std::nullopt : std::optional(text(*field));
  }
  std::optional<std::string> week() const {
    const auto* field = integer("week", TokenClass::kWeek);
    return field == nullptr ? std::nullopt : std::optional(text(*field));
  }
  const InferredField* month_name() const {
    const auto found =
        std::ranges::find(rule_.fields, TokenClass::kMonthName, &InferredField::what);
    if (found != rule_.fields.end()) return &*found;
    const auto named = std::ranges::find_if(rule_.fields, [](const InferredField& field) {
      return field.name == "month" && field.type == ValueType::kString;
    });
    return named == rule_.fields.end() ? nullptr : &*named;
  }
  // An ISO date, or the beginning of one.
  const InferredField* date() const {
    const auto found = std::ranges::find_if(rule_.fields, [](const InferredField& field) {
      return field.type == ValueType::kDate || field.type == ValueType::kDatetime;
    });
    return found == rule_.fields.end() ? nullptr : &*found;
  }
  const InferredField* named(std::string_view name) const {
    const auto found = std::ranges::find(rule_.fields, name, &InferredField::name);
    return found == rule_.fields.end() ? nullptr : &*found;
  }
  std::span<const InferredField> all() const { return rule_.fields; }

  // `wanted`, or another name when a field has it already.
  std::string free_name(std::string wanted) const {
    while (named(wanted) != nullptr) wanted += "_computed";
    return wanted;
  }

  static std::string text(const InferredField& field) { return quoted(field.name); }
  static std::string quoted(std::string_view name) { return fmt::format("fields[\"{}\"]", name); }

 private:
  // By name first: a person may have named it so. Then by what inference saw in its values; kText
  // means that there is no such class.
  const InferredField* integer(std::string_view name, TokenClass what) const {
    const auto fits = [](const InferredField& field) { return field.type == ValueType::kInteger; };
    for (const InferredField& field : rule_.fields)
      if (field.name == name && fits(field)) return &field;
    for (const InferredField& field : rule_.fields)
      if (what != TokenClass::kText && field.what == what && fits(field)) return &field;
    return nullptr;
  }

  const InferredRule& rule_;
};

struct RecipeInput {
  const HintWords& hint;
  const Fields& fields;
  std::span<const std::string> samples;
  Computation& result;
};

// A recipe that fits adds a part; one that was asked for and does not fit says what is missing.
// `needs` completes the sentence "NAME need …", which people read.
struct Recipe {
  std::string_view name;
  bool (*is_asked)(const HintWords& hint);
  std::optional<ComputedPart> (*make)(const RecipeInput& input);
  std::string_view needs;
};

// "the first folder is the quarter" names a folder; these ask for something.
bool asks_range(const HintWords& hint) {
  return hint.has_any({"start", "starts", "end", "ends", "range", "ranges", "begin", "beginning",
                       "bounds", "span"}) ||
         hint.has_pair({"first", "last"}, {"day", "month", "date", "week", "of"});
}

bool asks_to_compute(const HintWords& hint) {
  return hint.has_form_of({"compute",   "calculate", "derive",   "convert", "expand",
                           "translate", "determine", "add",      "build",   "make",
                           "work",      "turn",      "map",      "need",    "want",
                           "give",      "get",       "generate", "return",  "output"}) ||
         hint.has_any({"lookup", "as"});
}

bool asks_to_decode(const HintWords& hint) {
  return hint.has_form_of({"decode", "unquote", "unescape"});
}

bool asks_to_join(const HintWords& hint) {
  return hint.has_form_of({"combine", "merge", "join", "concatenate"});
}

// A part whose outputs have names that no field has.
class PartBuilder {
 public:
  explicit PartBuilder(const Fields& fields) : fields_(fields) {}

  ComputedPart& plan() { return part_; }
  void line(std::string text) { part_.lines.push_back(std::move(text)); }
  // fields["name"] = value
  void set(std::string_view name, std::string_view value) {
    const std::string free = fields_.free_name(std::string(name));
    line(fmt::format("{} = {}", Fields::quoted(free), value));
    part_.outputs.push_back(free);
  }
  // Raises where the value is none: no number is better than a wrong one.
  void check(std::string_view name, std::string_view value, int most) {
    line(fmt::format("{} = {}", name, value));
    line(fmt::format("if not 1 <= {} <= {}:", name, most));
    line(fmt::format("    raise ValueError(f\"{{{0}}} is no {0}\")", name));
  }
  ComputedPart take() { return std::move(part_); }

 private:
  const Fields& fields_;
  ComputedPart part_;
};

// ---- quarter

// From the quarter or, where there is none, from the month: then the quarter itself is news as
// well.
std::optional<ComputedPart> quarter_range(const RecipeInput& input) {
  const auto quarter = input.fields.quarter();
  if (!quarter && !input.fields.has_month()) return {};
  PartBuilder part(input.fields);
  if (quarter) {
    part.check("quarter", *quarter, 4);
  } else {
    part.check("month", *input.fields.month(part.plan()), 12);
    part.line("quarter = (month - 1) // 3 + 1");
    part.set("quarter", "quarter");
    if (!asks_range(input.hint)) return part.take();
  }
  part.set("start_month", "3 * quarter - 2");
  part.set("end_month", "3 * quarter");
  const auto year = input.fields.year();
  if (year && (!quarter || input.hint.has_any({"date", "dates", "day", "days"}))) {
    part.plan().imports.emplace_back("from datetime import date, timedelta");
    part.line(fmt::format("first = date({}, 3 * quarter - 2, 1)", *year));
    part.line("last = (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)");
    part.set("start_date", "first.isoformat()");
    part.set("end_date", "last.isoformat()");
  }
  return part.take();
}

std::optional<ComputedPart> quarter_of_month(const RecipeInput& input) {
  if (!input.fields.has_month()) return {};
  PartBuilder part(input.fields);
  part.check("month", *input.fields.month(part.plan()), 12);
  part.set("quarter", "(month - 1) // 3 + 1");
  return part.take();
}

// ---- month

std::optional<ComputedPart> month_range(const RecipeInput& input) {
  const auto year = input.fields.year();
  if (!year || !input.fields.has_month()) return {};
  PartBuilder part(input.fields);
  part.plan().imports = {"from datetime import date, timedelta"};
  part.line(fmt::format("first = date({}, {}, 1)", *year, *input.fields.month(part.plan())));
  part.line("last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)");
  part.set("start_date", "first.isoformat()");
  part.set("end_date", "last.isoformat()");
  return part.take();
}

std::optional<ComputedPart> month_name(const RecipeInput& input) {
  if (!input.fields.has_month()) return {};
  PartBuilder part(input.fields);
  const bool is_named = input.fields.month_name() != nullptr;
  const std::string month = *input.fields.month(part.plan());
  if (is_named) {
    part.set("month_number", month);
    return part.take();
  }
  part.plan().constants = {month_table()};
  part.check("month", month, 12);
  part.set("month_name", "_MONTHS[month - 1].capitalize()");
  return part.take();
}

// A day as a date: from a field that is one, or from its parts.
std::optional<std::string> day_of(const RecipeInput& input, PartBuilder& part) {
  part.plan().imports = {"from datetime import date"};
  if (const InferredField* field = input.fields.date())
    return fmt::format("date.fromisoformat({}[:10])", Fields::text(*field));
  const auto year = input.fields.year();
  const auto day = input.fields.day();
  if (!year || !day || !input.fields.has_month()) return {};
  return fmt::format("date({}, {}, {})", *year, *input.fields.month(part.plan()), *day);
}

// ---- week

std::optional<ComputedPart> iso_week(const RecipeInput& input) {
  PartBuilder part(input.fields);
  const auto year = input.fields.year();
  const auto week = input.fields.week();
  if (year && week) {
    part.plan().imports = {"from datetime import date, timedelta"};
    part.line(fmt::format("monday = date.fromisocalendar({}, {}, 1)", *year, *week));
    part.set("week_start", "monday.isoformat()");
    part.set("week_end", "(monday + timedelta(days=6)).isoformat()");
    return part.take();
  }
  const auto day = day_of(input, part);
  if (!day) return {};
  part.line(fmt::format("day = {}", *day));
  part.set("iso_year", "day.isocalendar()[0]");
  part.set("iso_week", "day.isocalendar()[1]");
  if (asks_range(input.hint)) {
    part.plan().imports.emplace_back("from datetime import timedelta");
    part.line("monday = day - timedelta(days=day.weekday())");
    part.set("week_start", "monday.isoformat()");
    part.set("week_end", "(monday + timedelta(days=6)).isoformat()");
  }
  return part.take();
}

std::optional<ComputedPart> weekday(const RecipeInput& input) {
  PartBuilder part(input.fields);
  const auto day = day_of(input, part);
  if (!day) return {};
  part.plan().constants.emplace_back(
      "_DAYS = [\"Monday\", \"Tuesday\", \"Wednesday\", \"Thursday\", \"Friday\", \"Saturday\", "
      "\"Sunday\"]");
  part.set("weekday", fmt::format("_DAYS[{}.weekday()]", *day));
  return part.take();
}

// ---- fiscal year

std::optional<int> month_named(std::string_view word) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const std::string_view whole = kMonths.at(i);
    if (word == whole || word == whole.substr(0, 3) || (word == "sept" && whole == "september"))
      return static_cast<int>(i) + 1;
  }
  return {};
}

// "starts in July", "beginning 1 October", "starts in month 10"; a month elsewhere in a sentence
// ("which may start") is none.
std::optional<int> month_in(const HintWords& hint) {
  const std::vector<std::string>& words = hint.words();
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& before = words[i - 1];
    if (before == "month" && words[i].size() <= 2 &&
        words[i].find_first_not_of("0123456789") == std::string::npos) {
      const int number = std::stoi(words[i]);
      if (number >= 1 && number <= 12) return number;
    }
    const bool leads_in = HintWords(before).has_form_of({"start", "begin"}) ||
                          HintWords(before).has_any({"in", "from", "on", "of", "with", "beginning",
                                                     "1", "1st", "01", "first"});
    if (!leads_in) continue;
    if (const auto month = month_named(words[i])) return month;
  }
  return {};
}

std::optional<ComputedPart> fiscal_year(const RecipeInput& input) {
  PartBuilder part(input.fields);
  const auto year = input.fields.year();
  auto month = input.fields.month(part.plan());
  if (!month && input.fields.quarter()) month = fmt::format("3 * {} - 2", *input.fields.quarter());
  if (!year || !month) return {};
  const auto named = month_in(input.hint);
  const int start = named.value_or(kUsualFiscalStart);
  if (!named)
    input.result.notes.emplace_back(
        "The fiscal year is taken to start in April and to be named after the year in which it "
        "ends; say \"starts in July\" in a hint for another month.");
  part.plan().constants.push_back(fmt::format("_FISCAL_START = {}  # month", start));
  part.check("month", *month, 12);
  part.set("fiscal_year", fmt::format("{} + (1 if month >= _FISCAL_START > 1 else 0)", *year));
  part.set("fiscal_quarter", "(month - _FISCAL_START) % 12 // 3 + 1");
  return part.take();
}

// ---- dates from parts

std::optional<ComputedPart> date_from_parts(const RecipeInput& input) {
  if (input.fields.date() != nullptr) return {};
  PartBuilder part(input.fields);
  const auto day = day_of(input, part);
  if (!day) return {};
  part.set("date", *day + ".isoformat()");
  return part.take();
}

// ---- encoded segments

bool is_base64(std::string_view text) {
  const std::string_view body = text.substr(0, text.find_last_not_of('=') + 1);
  return body.size() >= 4 && body.size() % 4 != 1 && std::ranges::all_of(body, [](char c) {
           return is_alnum(c) || c == '-' || c == '_' || c == '+';
         });
}

// The field that the hint names, else the one whose examples all look like it.
const InferredField* encoded_field(const RecipeInput& input, bool (*looks)(std::string_view)) {
  const auto is_named = [&](const InferredField& field) { return input.hint.has(field.name); };
  for (const InferredField& field : input.fields.all())
    if (field.type == ValueType::kString && is_named(field)) return &field;
  for (const InferredField& field : input.fields.all()) {
    const bool fits = field.type == ValueType::kString && field.distinct > 1 &&
                      !field.examples.empty() && std::ranges::all_of(field.examples, looks);
    if (fits) return &field;
  }
  return nullptr;
}

std::optional<ComputedPart> base64_segment(const RecipeInput& input) {
  const InferredField* field = encoded_field(input, is_base64);
  if (field == nullptr) return {};
  ComputedPart part;
  part.imports = {"import base64"};
  const std::string name = input.fields.free_name(field->name + "_decoded");
  part.lines = {fmt::format("coded = {}.replace(\"+\", \"-\")", Fields::text(*field)),
                "padded = coded + \"=\" * (-len(coded) % 4)",
                "decoded = base64.urlsafe_b64decode(padded).decode(\"utf-8\", \"replace\")"};
  if (input.hint.has("json")) {
    part.imports.emplace_back("import json");
    part.lines.push_back(fmt::format("{} = json.loads(decoded)", Fields::quoted(name)));
  } else {
    part.lines.push_back(fmt::format("{} = decoded", Fields::quoted(name)));
  }
  part.outputs = {name};
  return part;
}

bool is_url_encoded(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (at + 2 < text.size() && is_hex_digit(text[at + 1]) && is_hex_digit(text[at + 2]))
      return true;
  return false;
}

std::optional<ComputedPart> url_segment(const RecipeInput& input) {
  ComputedPart part;
  part.imports = {"from urllib.parse import unquote"};
  if (std::ranges::none_of(input.samples, is_url_encoded)) return {};
  const bool is_one_named = std::ranges::any_of(
      input.fields.all(), [&](const InferredField& field) { return input.hint.has(field.name); });
  for (const InferredField& field : input.fields.all()) {
    if (field.type != ValueType::kString || (is_one_named && !input.hint.has(field.name))) continue;
    part.lines.push_back(fmt::format("{0} = unquote({0})", Fields::text(field)));
    part.outputs.push_back(field.name);
  }
  if (part.lines.empty()) return {};
  return part;
}

// ---- joined fields

// A number with the zeros that it had in the path, where all have one width.
std::string as_it_stood(const InferredField& field) {
  std::string text = fmt::format("str({})", Fields::text(field));
  if (field.type != ValueType::kInteger || field.examples.empty()) return text;
  const std::size_t width = field.examples.front().size();
  const bool is_padded =
      std::ranges::any_of(field.examples,
                          [](const std::string& one) { return one.starts_with('0'); }) &&
      std::ranges::all_of(field.examples,
                          [&](const std::string& one) { return one.size() == width; });
  return is_padded ? fmt::format("{}.zfill({})", text, width) : text;
}

// "combine region and site as place"
std::optional<ComputedPart> joined_fields(const RecipeInput& input) {
  std::vector<const InferredField*> joined;
  for (const std::string& word : input.hint.words()) {
    const InferredField* field = input.fields.named(word);
    if (field != nullptr && std::ranges::find(joined, field) == joined.end())
      joined.push_back(field);
  }
  if (joined.size() < 2) return {};
  std::string name = input.hint.after({"as", "into", "called", "named", "to"});
  const bool is_name = !name.empty() && is_lower(name.front());
  if (!is_name || input.fields.named(name) != nullptr) {
    name.clear();
    for (const InferredField* field : joined) name += (name.empty() ? "" : "_") + field->name;
  }
  std::string value;
  for (const InferredField* field : joined)
    value += (value.empty() ? "" : ", ") + as_it_stood(*field);
  PartBuilder part(input.fields);
  part.set(name, fmt::format("\"-\".join([{}])", value));
  return part.take();
}

bool is_about_quarters(const HintWords& hint) {
  return hint.has_any({"quarter", "quarters", "quarterly"}) && !hint.has_any({"fiscal", "fy"});
}
bool is_about_months(const HintWords& hint) {
  return hint.has_any({"month", "months", "monthly"}) &&
         !hint.has_any({"quarter", "quarters", "fiscal", "fy"});
}

// "month name", "the month number": said so, whatever else is asked for.
bool names_months(const HintWords& hint) {
  return hint.has_pair({"month", "months"}, {"name", "names", "number", "numbers"}) &&
         !hint.has_any({"fiscal", "fy"});
}
// "the weekday", "the day of the week"
bool asks_weekday(const HintWords& hint) {
  return hint.has_any({"weekday", "weekdays"}) ||
         (hint.has_pair({"day"}, {"of"}) && hint.has("week"));
}

constexpr std::array kRecipes = {
    Recipe{"quarter ranges",
           [](const HintWords& hint) {
             return is_about_quarters(hint) &&
                    (asks_range(hint) ||
                     (asks_to_compute(hint) && hint.has_any({"month", "months", "date", "dates"})));
           },
           quarter_range, "a quarter, a month or a date"},
    Recipe{"quarters of months",
           [](const HintWords& hint) {
             return is_about_quarters(hint) && asks_to_compute(hint) && !asks_to_join(hint) &&
                    !asks_range(hint) && !hint.has_any({"month", "months", "date", "dates"});
           },
           quarter_of_month, "a month or a date"},
    Recipe{"month ranges",
           [](const HintWords& hint) { return is_about_months(hint) && asks_range(hint); },
           month_range, "a year and a month, or a date"},
    Recipe{"month names",
           [](const HintWords& hint) {
             if (names_months(hint)) return asks_to_compute(hint) || asks_range(hint);
             return is_about_months(hint) && asks_to_compute(hint) && !asks_range(hint) &&
                    !asks_to_join(hint) && !hint.has_any({"date", "dates", "day", "year"});
           },
           month_name, "a month, as a name or as a number"},
    Recipe{"ISO weeks",
           [](const HintWords& hint) {
             if (!hint.has_any({"week", "weeks", "isoweek"})) return false;
             const bool is_week = !asks_weekday(hint) || hint.has_pair({"iso"}, {"week", "weeks"});
             return asks_range(hint) || (asks_to_compute(hint) && is_week);
           },
           iso_week, "a year and a week, or a date"},
    Recipe{"weekdays",
           [](const HintWords& hint) {
             return asks_to_compute(hint) && (hint.has_any({"weekday", "weekdays"}) ||
                                              (asks_weekday(hint) && !asks_range(hint)));
           },
           weekday, "a date, or a year, a month and a day"},
    Recipe{"fiscal years",
           [](const HintWords& hint) {
             return hint.has_any({"fiscal", "fy"}) &&
                    (asks_to_compute(hint) || hint.has_form_of({"start", "begin"}));
           },
           fiscal_year, "a year and a month or quarter, or a date"},
    Recipe{"dates from parts",
           [](const HintWords& hint) {
             return hint.has_any({"date", "dates"}) &&
                    (asks_to_join(hint) || asks_to_compute(hint)) && !asks_range(hint) &&
                    !is_about_quarters(hint);
           },
           date_from_parts, "fields with year, month and day"},
    Recipe{"base64 segments", [](const HintWords& hint) { return hint.has("base64"); },
           base64_segment, "a field that is base64"},
    Recipe{"URL-encoded segments",
           [](const HintWords& hint) {
             return !hint.has("base64") &&
                    (asks_to_decode(hint) || hint.has("urlencoded") ||
                     (hint.has_any({"url", "uri", "percent"}) && hint.has("encoded")));
           },
           url_segment, "a field with %20 or the like in it"},
    Recipe{"joined fields",
           [](const HintWords& hint) { return asks_to_join(hint) && !hint.has("date"); },
           joined_fields, "the names of two fields"},
};

}  // namespace

bool asks_for_computed(std::string_view hint) {
  const HintWords words(hint);
  return std::ranges::any_of(kRecipes, [&](const Recipe& one) { return one.is_asked(words); });
}

Computation compute_for(std::string_view hint, const InferredRule& rule,
                        std::span<const std::string> samples) {
  const HintWords words(hint);
  const Fields fields(rule);
  Computation result;
  for (const Recipe& recipe : kRecipes) {
    if (!recipe.is_asked(words)) continue;
    auto part = recipe.make({words, fields, samples, result});
    if (!part) {
      result.missing.push_back(fmt::format("{} need {}", recipe.name, recipe.needs));
      continue;
    }
    part->recipe = recipe.name;
    result.parts.push_back(std::move(*part));
  }
  return result;
}

std::string recipe_names() {
  std::string names;
  for (const Recipe& recipe : kRecipes) {
    if (!names.empty()) names += ", ";
    names += recipe.name;
  }
  return names;
}

}  // namespace airlock::wizard

#include "wizard/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "rules/token_class.h"
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
constexpr int kUsualFiscalStart = 4;

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
  std::optional<std::string> month() const {
    if (const auto* field = integer("month", TokenClass::kText)) return text(*field);
    if (const auto* field = date()) return fmt::format("int({}[5:7])", text(*field));
    return {};
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

struct Order {
  const HintWords& hint;
  const Fields& fields;
  Computation& to;
};

// A recipe that fits adds a part; one that was asked for and does not fit says what is missing.
struct Recipe {
  std::string_view name;
  bool (*is_asked)(const HintWords& hint);
  std::optional<ComputedPart> (*make)(const Order& order);
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

// ---- quarter

std::optional<ComputedPart> quarter_range(const Order& order) {
  const auto quarter = order.fields.quarter();
  if (!quarter) return {};
  ComputedPart part;
  part.lines = {fmt::format("fields[\"start_month\"] = 3 * {} - 2", *quarter),
                fmt::format("fields[\"end_month\"] = 3 * {}", *quarter)};
  part.outputs = {"start_month", "end_month"};
  const auto year = order.fields.year();
  if (year && order.hint.has_any({"date", "dates", "day", "days"})) {
    part.imports = {"from datetime import date, timedelta"};
    part.lines.push_back(fmt::format("first = date({}, fields[\"start_month\"], 1)", *year));
    part.lines.emplace_back(
        "last = (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)");
    part.lines.emplace_back("fields[\"start_date\"] = first.isoformat()");
    part.lines.emplace_back("fields[\"end_date\"] = last.isoformat()");
    part.outputs.insert(part.outputs.end(), {"start_date", "end_date"});
  }
  return part;
}

std::optional<ComputedPart> quarter_of_month(const Order& order) {
  const auto month = order.fields.month();
  if (!month) return {};
  ComputedPart part;
  const std::string name = order.fields.free_name("quarter");
  part.lines = {fmt::format("{} = ({} - 1) // 3 + 1", Fields::quoted(name), *month)};
  part.outputs = {name};
  return part;
}

// ---- month

std::optional<ComputedPart> month_range(const Order& order) {
  const auto year = order.fields.year();
  const auto month = order.fields.month();
  if (!year || !month) return {};
  ComputedPart part;
  part.imports = {"from datetime import date, timedelta"};
  part.lines = {fmt::format("first = date({}, {}, 1)", *year, *month),
                "last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)",
                "fields[\"start_date\"] = first.isoformat()",
                "fields[\"end_date\"] = last.isoformat()"};
  part.outputs = {"start_date", "end_date"};
  return part;
}

std::string month_table() {
  std::string table = "_MONTHS = [";
  for (const std::string_view month : kMonths) {
    if (table.back() != '[') table += ", ";
    table += fmt::format("\"{}\"", month);
  }
  return table + "]";
}

std::optional<ComputedPart> month_name(const Order& order) {
  ComputedPart part;
  part.constants = {month_table()};
  if (const InferredField* field = order.fields.month_name()) {
    const std::string name = order.fields.free_name("month_number");
    part.lines = {fmt::format("{} = [m[:3] for m in _MONTHS].index({}[:3].lower()) + 1",
                              Fields::quoted(name), Fields::text(*field))};
    part.outputs = {name};
    return part;
  }
  const auto month = order.fields.month();
  if (!month) return {};
  const std::string name = order.fields.free_name("month_name");
  part.lines = {fmt::format("{} = _MONTHS[{} - 1].capitalize()", Fields::quoted(name), *month)};
  part.outputs = {name};
  return part;
}

// ---- week

std::optional<ComputedPart> iso_week(const Order& order) {
  ComputedPart part;
  const auto year = order.fields.year();
  const auto week = order.fields.week();
  if (year && week) {
    part.imports = {"from datetime import date, timedelta"};
    part.lines = {fmt::format("monday = date.fromisocalendar({}, {}, 1)", *year, *week),
                  "fields[\"week_start\"] = monday.isoformat()",
                  "fields[\"week_end\"] = (monday + timedelta(days=6)).isoformat()"};
    part.outputs = {"week_start", "week_end"};
    return part;
  }
  std::string day;
  if (const InferredField* field = order.fields.date()) {
    day = fmt::format("date.fromisoformat({}[:10])", Fields::text(*field));
  } else if (year && order.fields.month() && order.fields.day()) {
    day = fmt::format("date({}, {}, {})", *year, *order.fields.month(), *order.fields.day());
  } else {
    return {};
  }
  part.imports = {"from datetime import date"};
  part.lines = {fmt::format("calendar = {}.isocalendar()", day),
                "fields[\"iso_year\"] = calendar[0]", "fields[\"iso_week\"] = calendar[1]"};
  part.outputs = {"iso_year", "iso_week"};
  return part;
}

std::optional<ComputedPart> weekday(const Order& order) {
  std::string day;
  if (const InferredField* field = order.fields.date()) {
    day = fmt::format("date.fromisoformat({}[:10])", Fields::text(*field));
  } else if (order.fields.year() && order.fields.month() && order.fields.day()) {
    day = fmt::format("date({}, {}, {})", *order.fields.year(), *order.fields.month(),
                      *order.fields.day());
  } else {
    return {};
  }
  ComputedPart part;
  part.imports = {"from datetime import date"};
  part.constants = {
      "_DAYS = [\"Monday\", \"Tuesday\", \"Wednesday\", \"Thursday\", \"Friday\", \"Saturday\", "
      "\"Sunday\"]"};
  part.lines = {fmt::format("fields[\"weekday\"] = _DAYS[{}.weekday()]", day)};
  part.outputs = {"weekday"};
  return part;
}

// ---- fiscal year

// "starts in July", "begins in october"; nothing when no month is named.
std::optional<int> month_in(const HintWords& hint) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const std::string_view whole = kMonths.at(i);
    if (hint.has(whole) || (whole != "may" && whole != "march" && hint.has(whole.substr(0, 3))))
      return static_cast<int>(i) + 1;
  }
  return {};
}

std::optional<ComputedPart> fiscal_year(const Order& order) {
  const auto year = order.fields.year();
  auto month = order.fields.month();
  if (!month && order.fields.quarter())
    month = fmt::format("(3 * {} - 2)", *order.fields.quarter());
  if (!year || !month) return {};
  const auto named = month_in(order.hint);
  const int start = named.value_or(kUsualFiscalStart);
  if (!named)
    order.to.notes.emplace_back(
        "The fiscal year is taken to start in April and to be named after the year in which it "
        "ends; say \"starts in July\" in a hint for another month.");
  ComputedPart part;
  part.constants = {fmt::format("_FISCAL_START = {}  # month", start)};
  part.lines = {
      fmt::format("month = {}", *month),
      fmt::format("fields[\"fiscal_year\"] = {} + (1 if month >= _FISCAL_START > 1 else 0)", *year),
      "fields[\"fiscal_quarter\"] = (month - _FISCAL_START) % 12 // 3 + 1"};
  part.outputs = {"fiscal_year", "fiscal_quarter"};
  return part;
}

// ---- dates from parts

std::optional<ComputedPart> date_from_parts(const Order& order) {
  const Fields& fields = order.fields;
  if (fields.date() != nullptr || !fields.year() || !fields.month() || !fields.day()) return {};
  ComputedPart part;
  part.imports = {"from datetime import date"};
  const std::string name = fields.free_name("date");
  part.lines = {fmt::format("{} = date({}, {}, {}).isoformat()", Fields::quoted(name),
                            *fields.year(), *fields.month(), *fields.day())};
  part.outputs = {name};
  return part;
}

// ---- encoded segments

bool is_base64(std::string_view text) {
  const std::string_view body = text.substr(0, text.find_last_not_of('=') + 1);
  return body.size() >= 4 && body.size() % 4 != 1 && std::ranges::all_of(body, [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '+';
         });
}

// The field that the hint names, else the one whose examples all look like it.
const InferredField* encoded_field(const Order& order, bool (*looks)(std::string_view)) {
  const auto is_named = [&](const InferredField& field) { return order.hint.has(field.name); };
  for (const InferredField& field : order.fields.all())
    if (field.type == ValueType::kString && is_named(field)) return &field;
  for (const InferredField& field : order.fields.all()) {
    const bool fits = field.type == ValueType::kString && field.distinct > 1 &&
                      !field.examples.empty() && std::ranges::all_of(field.examples, looks);
    if (fits) return &field;
  }
  return nullptr;
}

std::optional<ComputedPart> base64_segment(const Order& order) {
  const InferredField* field = encoded_field(order, is_base64);
  if (field == nullptr) return {};
  ComputedPart part;
  part.imports = {"import base64"};
  const std::string name = order.fields.free_name(field->name + "_decoded");
  part.lines = {fmt::format("coded = {}.replace(\"+\", \"-\")", Fields::text(*field)),
                "padded = coded + \"=\" * (-len(coded) % 4)",
                "decoded = base64.urlsafe_b64decode(padded).decode(\"utf-8\", \"replace\")"};
  if (order.hint.has("json")) {
    part.imports.emplace_back("import json");
    part.lines.push_back(fmt::format("{} = json.loads(decoded)", Fields::quoted(name)));
  } else {
    part.lines.push_back(fmt::format("{} = decoded", Fields::quoted(name)));
  }
  part.outputs = {name};
  return part;
}

bool is_url_encoded(std::string_view text) {
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (at + 2 < text.size() && is_hex(text[at + 1]) && is_hex(text[at + 2])) return true;
  return false;
}

std::optional<ComputedPart> url_segment(const Order& order) {
  ComputedPart part;
  part.imports = {"from urllib.parse import unquote"};
  for (const InferredField& field : order.fields.all()) {
    const bool looks = std::ranges::any_of(field.examples, is_url_encoded);
    if (field.type != ValueType::kString || (!looks && !order.hint.has(field.name))) continue;
    part.lines.push_back(fmt::format("{0} = unquote({0})", Fields::text(field)));
    part.outputs.push_back(field.name);
  }
  if (part.lines.empty()) return {};
  return part;
}

// ---- joined fields

// "combine region and site as place"
std::optional<ComputedPart> joined_fields(const Order& order) {
  std::vector<const InferredField*> joined;
  for (const std::string& word : order.hint.words()) {
    const InferredField* field = order.fields.named(word);
    if (field != nullptr && std::ranges::find(joined, field) == joined.end())
      joined.push_back(field);
  }
  if (joined.size() < 2) return {};
  std::string name = order.hint.after({"as", "into", "called", "named"});
  if (name.empty() || order.fields.named(name) != nullptr) {
    name.clear();
    for (const InferredField* field : joined) name += (name.empty() ? "" : "_") + field->name;
  }
  std::string value;
  for (const InferredField* field : joined)
    value += fmt::format("{}str({})", value.empty() ? "" : ", ", Fields::text(*field));
  ComputedPart part;
  part.lines = {fmt::format("{} = \"-\".join([{}])", Fields::quoted(name), value)};
  part.outputs = {name};
  return part;
}

bool is_about_quarters(const HintWords& hint) {
  return hint.has_any({"quarter", "quarters", "quarterly"}) && !hint.has_any({"fiscal", "fy"});
}
bool is_about_months(const HintWords& hint) {
  return hint.has_any({"month", "months", "monthly"}) &&
         !hint.has_any({"quarter", "quarters", "fiscal", "fy"});
}

constexpr std::array kRecipes = {
    Recipe{"quarter ranges",
           [](const HintWords& hint) {
             return is_about_quarters(hint) &&
                    (asks_range(hint) ||
                     (asks_to_compute(hint) && hint.has_any({"month", "months", "date", "dates"})));
           },
           quarter_range, "a field with the quarter"},
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
             return is_about_months(hint) && asks_to_compute(hint) && !asks_range(hint) &&
                    !asks_to_join(hint) && !hint.has_any({"date", "dates", "day", "year"});
           },
           month_name, "a month, as a name or as a number"},
    Recipe{"ISO weeks",
           [](const HintWords& hint) {
             return hint.has_any({"week", "weeks", "isoweek"}) && !hint.has_any({"weekday"}) &&
                    !hint.has_pair({"day"}, {"of"}) && (asks_to_compute(hint) || asks_range(hint));
           },
           iso_week, "a year and a week, or a date"},
    Recipe{"weekdays",
           [](const HintWords& hint) {
             return (hint.has("weekday") || hint.has_pair({"day"}, {"of"})) &&
                    asks_to_compute(hint) && !asks_range(hint);
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

Computation compute_for(std::string_view hint, const InferredRule& rule) {
  const HintWords words(hint);
  const Fields fields(rule);
  Computation to;
  for (const Recipe& recipe : kRecipes) {
    if (!recipe.is_asked(words)) continue;
    auto part = recipe.make({words, fields, to});
    if (!part) {
      to.missing.push_back(fmt::format("{} need {}", recipe.name, recipe.needs));
      continue;
    }
    part->recipe = recipe.name;
    to.parts.push_back(std::move(*part));
  }
  return to;
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

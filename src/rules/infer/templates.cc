#include "rules/infer/templates.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "rules/infer/tokens.h"
#include "rules/infer/vocabulary.h"
#include "rules/match/split_path.h"

namespace airlock::rules {

namespace {

struct TemplateField {
  std::string_view name;
  std::string_view from;
  std::string_view pattern;
  ValueType type;
};

// A layout that is often met. Unused fields have no name.
struct Template {
  std::string_view title;
  std::string_view path;  // what the end of a path fits
  std::string_view glob;  // $EXT is the path's own extension
  std::array<TemplateField, 4> fields;
};

constexpr ValueType kInt = ValueType::kInteger;
constexpr ValueType kStr = ValueType::kString;

// The first that fits wins: the particular stand before the general. In a glob, \? is a plain ?,
// written so because two in a row may begin a trigraph.
constexpr std::array kTemplates = {
    Template{"mission/date",
             R"((?i)(?:^|/)mission[_-]?\d+/\d{4}-\d{2}-\d{2}/[^/]+$)",
             "**/mission*/???\?-?\?-?\?/*$EXT",
             {TemplateField{"mission_id", "segment(-3)", "(\\d+)", kInt},
              TemplateField{"date", "segment(-2)", "", ValueType::kDate}}},
    Template{"HL7 inbound y/m/d",
             R"((?i)(?:^|/)(?:hl7|adt|inbound|oru)[^/]*/(?:[^/]+/)*\d{4}/\d{2}/\d{2}/[^/]+$)",
             "**/???\?/?\?/?\?/*$EXT",
             {TemplateField{"year", "segment(-4)", "", kInt},
              TemplateField{"month", "segment(-3)", "", kInt},
              TemplateField{"day", "segment(-2)", "", kInt}}},
    Template{"FIX logs y/quarter",
             R"((?:^|/)\d{4}/Q[1-4]/[^/]+$)",
             "**/???\?/Q?/*$EXT",
             {TemplateField{"year", "segment(-3)", "", kInt},
              TemplateField{"quarter", "segment(-2)", "Q(\\d)", kInt}}},
    Template{"legal matter/custodian",
             R"((?i)(?:^|/)matters?/[^/]+/custodians?/[^/]+/(?:[^/]+/)*[^/]+$)",
             "**/matter*/*/custodian*/*/**",
             {TemplateField{"matter_id", "rel_path", "(?i)(?:^|/)matters?/([^/]+)/", kStr},
              TemplateField{"custodian", "rel_path", "(?i)/custodians?/([^/]+)/", kStr}}},
    Template{"dated folders y/m/d",
             R"((?:^|/)(?:19|20)\d{2}/\d{2}/\d{2}/[^/]+$)",
             "**/???\?/?\?/?\?/*$EXT",
             {TemplateField{"year", "segment(-4)", "", kInt},
              TemplateField{"month", "segment(-3)", "", kInt},
              TemplateField{"day", "segment(-2)", "", kInt}}},
};

InferredField field_of(const TemplateField& from) {
  InferredField field;
  field.name = from.name;
  field.from = from.from;
  field.pattern = from.pattern;
  field.type = from.type;
  field.is_well_named = true;
  return field;
}

// Patterns are compiled here each time: this runs once, for one path.
std::optional<TemplateMatch> known_layout(const SplitPath& path) {
  const std::string text(path.rel_path());
  for (const Template& one : kTemplates) {
    if (!re2::RE2::PartialMatch(text, re2::RE2(re2::StringPiece(one.path.data(), one.path.size()))))
      continue;
    TemplateMatch match{std::string(one.title), {}};
    match.rule.name = one.title;
    match.rule.paths = 1;
    match.rule.glob = one.glob;
    const std::size_t ext = match.rule.glob.find("$EXT");
    if (ext != std::string::npos)
      match.rule.glob.replace(ext, 4, quote_glob(extension_of(path.filename())));
    for (const TemplateField& field : one.fields)
      if (!field.name.empty()) match.rule.fields.push_back(field_of(field));
    return match;
  }
  return std::nullopt;
}

// Without a template, only segments whose class is clear from one value become fields.
std::optional<TemplateMatch> generic_layout(const SplitPath& path) {
  TemplateMatch match;
  match.rule.paths = 1;
  match.rule.glob = "**";
  bool has_date = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::array<std::string_view, 1> value = {path.segment(i)};
    const bool is_filename = i + 1 == path.size();
    ColumnPlace place;
    place.is_filename = is_filename;
    const ColumnPlan plan = plan_column(value, place);
    const std::string from =
        is_filename ? std::string("filename") : "segment(-" + std::to_string(path.size() - i) + ")";
    std::string glob = is_filename ? "*" + quote_glob(extension_of(value[0])) : plan.glob;
    for (const ProposedField& field : plan.fields) {
      InferredField made;
      made.name = field.name;
      made.from = from;
      made.pattern = field.pattern;
      made.type = field.type;
      made.format = field.format;
      made.what = field.what;
      made.is_well_named = true;
      match.rule.fields.push_back(std::move(made));
      has_date = has_date || field.what == TokenClass::kDate || field.what == TokenClass::kYear;
    }
    // mission_042: a word and its number, the only thing that a single folder of text can say.
    static const re2::RE2 kEntity(R"(([A-Za-z]{2,})[_-]?(\d{1,9}))");
    std::string word;
    if (plan.fields.empty() && !is_filename &&
        re2::RE2::FullMatch({value[0].data(), value[0].size()}, kEntity, &word)) {
      InferredField made;
      made.name = name_behind(word);
      made.from = from;
      made.pattern = quote_pattern(word) + "[_-]?(\\d+)";
      made.type = ValueType::kInteger;
      made.what = TokenClass::kNumber;
      made.is_well_named = true;
      match.rule.fields.push_back(std::move(made));
      glob = quote_glob(word) + "*";
    }
    match.rule.glob += "/" + glob;
  }
  if (match.rule.fields.empty()) return std::nullopt;
  match.title = has_date ? "generic dated" : "generic entity";
  match.rule.name = match.title;
  return match;
}

}  // namespace

std::optional<TemplateMatch> match_template(std::string_view path) {
  SplitPath split;
  split.split(path);
  if (split.size() == 0) return std::nullopt;
  if (auto known = known_layout(split)) return known;
  return generic_layout(split);
}

}  // namespace airlock::rules

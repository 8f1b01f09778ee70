#include "rules/file/field_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest.h"
#include "base/printable.h"
#include "rules/file/rule_file.h"

namespace airlock::rules {

namespace {

// Bytes of a field's name.
constexpr std::size_t kLongestName = 200;
// No path has that many; it keeps segment(N) far from overflow.
constexpr int kMostSegments = 100000;

constexpr std::array<std::string_view, 10> kFieldKeys = {
    "from",    "pattern",  "capture", "type",     "normalize",
    "default", "validate", "format",  "optional", "description"};
constexpr std::array<std::string_view, 7> kTypeNames = {"string",   "integer", "float",  "date",
                                                        "datetime", "uuid",    "boolean"};
constexpr std::array<std::string_view, 3> kNormalizeNames = {"lowercase", "uppercase",
                                                             "strip_leading_zeros"};

struct Synonym {
  std::string_view word;
  std::string_view meant;
};
// What other tools call our types; too far off to be guessed by edit distance.
constexpr std::array kTypeSynonyms = {
    Synonym{"int", "integer"},        Synonym{"int64", "integer"}, Synonym{"long", "integer"},
    Synonym{"number", "float"},       Synonym{"double", "float"},  Synonym{"decimal", "float"},
    Synonym{"str", "string"},         Synonym{"text", "string"},   Synonym{"bool", "boolean"},
    Synonym{"timestamp", "datetime"}, Synonym{"time", "datetime"}, Synonym{"guid", "uuid"}};
constexpr std::array kNormalizeSynonyms = {
    Synonym{"lower", "lowercase"}, Synonym{"upper", "uppercase"},
    Synonym{"strip_zeros", "strip_leading_zeros"}, Synonym{"lstrip_zeros", "strip_leading_zeros"}};

std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> known,
                         std::span<const Synonym> synonyms) {
  const auto synonym = std::ranges::find(synonyms, word, &Synonym::word);
  if (synonym == synonyms.end()) return unknown(what, word, known);
  return unknown(what, word, known, synonym->meant);
}

// "segment(-3)" → -3. -0 is refused: the last segment is -1, the first 0, and -0 looks like either.
std::optional<int> read_index(std::string_view text) {
  if (!text.starts_with("segment(") || !text.ends_with(')')) return std::nullopt;
  const std::string_view number = text.substr(8, text.size() - 9);
  int index = 0;
  const auto done = std::from_chars(number.data(), number.data() + number.size(), index);
  if (number.empty() || done.ec != std::errc() || done.ptr != number.data() + number.size() ||
      index > kMostSegments || index < -kMostSegments || number == "-0")
    return std::nullopt;
  return index;
}

// Reads one field. The order of the steps in read() matters: format, bounds and default all depend
// on the type.
class FieldReader {
 public:
  FieldReader(const YamlNode& name, const YamlNode& node, Complaints& complaints)
      : what_("field '" + printable(name.text.substr(0, 80)) + "'"),
        node_(node),
        map_(node, what_, kFieldKeys, complaints),
        complaints_(complaints) {
    field_.name = name.text;
  }

  RuleField read() {
    read_source();
    read_type();
    read_pattern();
    read_normalize();
    read_format();
    read_bounds();
    read_default();
    return std::move(field_);
  }

 private:
  // At the key's value, or at the field when the key is missing.
  void complain(std::string_view key, const std::string& message) {
    const YamlNode* at = map_.find(key);
    complaints_.add(at == nullptr ? node_ : *at, what_ + ": " + message);
  }

  void read_source() {
    if (map_.find("from") == nullptr) {
      complain("from", "it needs from: one of " + std::string(kFromForms));
      return;
    }
    const auto text = map_.text("from");
    if (!text) return;
    using Kind = FieldSource::Kind;
    if (*text == "filename") {
      field_.from.kind = Kind::kFilename;
    } else if (*text == "full_path") {
      field_.from.kind = Kind::kFullPath;
    } else if (*text == "rel_path") {
      field_.from.kind = Kind::kRelPath;
    } else if (const auto index = read_index(*text)) {
      field_.from.index = *index;
    } else if (text->starts_with("hive(") && text->ends_with(')') && text->size() > 6) {
      field_.from.kind = Kind::kHive;
      // With its =, so that the matcher can compare a segment's beginning at once.
      field_.from.key = text->substr(5, text->size() - 6) + "=";
    } else {
      constexpr std::array<std::string_view, 3> kWords = {"filename", "full_path", "rel_path"};
      const std::string_view near = nearest_word(*text, kWords);
      complain("from", "from: '" + printable(text->substr(0, 80)) + "' is not known" +
                           (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?") +
                           (near.empty() ? ": it is " : " It is ") + std::string(kFromForms));
    }
  }

  void read_type() {
    const auto name = map_.text("type");
    if (!name) return;
    if (const auto type = type_named(*name)) {
      field_.type = *type;
    } else {
      complain("type", unknown_word("the type", *name, kTypeNames, kTypeSynonyms));
    }
  }

  void read_pattern() {
    const auto text = map_.text("pattern");
    if (const auto capture = map_.integer("capture")) {
      // Clamped so that it fits an int; Pattern::parse() refuses both ends with the right words.
      field_.capture = static_cast<int>(std::clamp<std::int64_t>(*capture, -1, 1000));
      if (!text) complain("capture", "capture needs a pattern");
    }
    if (!text) return;
    auto pattern = Pattern::parse(*text, field_.capture);
    if (pattern) {
      field_.pattern = std::move(*pattern);
    } else {
      complain("pattern", pattern.error().message);
    }
  }

  // One word or a list of them. The order in which they stand does not count: the matcher strips
  // zeros first, then changes case.
  void read_normalize() {
    const YamlNode* node = map_.find("normalize");
    if (node == nullptr) return;
    const bool is_list = node->kind == YamlNode::Kind::kList;
    for (const YamlNode& item : is_list ? node->items : std::vector<YamlNode>{*node}) {
      const auto word = text_of(item, what_ + ": normalize", complaints_);
      if (!word) continue;
      if (*word == "lowercase") {
        field_.normalize.lowercase = true;
      } else if (*word == "uppercase") {
        field_.normalize.uppercase = true;
      } else if (*word == "strip_leading_zeros") {
        field_.normalize.strip_leading_zeros = true;
      } else {
        complaints_.add(
            item,
            what_ + ": " + unknown_word("normalize", *word, kNormalizeNames, kNormalizeSynonyms));
      }
    }
    if (field_.normalize.lowercase && field_.normalize.uppercase)
      complain("normalize", "it cannot be both lowercase and uppercase");
  }

  void read_format() {
    const auto text = map_.text("format");
    if (!text) return;
    if (field_.type != ValueType::kDate && field_.type != ValueType::kDatetime) {
      complain("format",
               "format is for type date or datetime; this is " + std::string(name_of(field_.type)));
      return;
    }
    // Without a % it must be a name, and a misspelt one deserves "did you mean".
    const std::vector<std::string_view> names = TimeFormat::names();
    if (!text->contains('%') && std::ranges::find(names, *text) == names.end()) {
      complain("format", unknown("the format", *text, names) + ", or letters such as %Y%m%d");
      return;
    }
    auto format = TimeFormat::parse(*text);
    if (!format) {
      complain("format", "format '" + printable(*text) + "': " + format.error().message);
      return;
    }
    field_.format_text = *text;
    field_.format = std::move(*format);
  }

  const TimeFormat* format() const { return field_.format ? &*field_.format : nullptr; }

  bool is_bounded_type() const {
    return field_.type == ValueType::kInteger || field_.type == ValueType::kFloat ||
           field_.type == ValueType::kDate || field_.type == ValueType::kDatetime;
  }

  // "1..12", "1..", "..12": inclusive, either side may be open. Bounds are written as the type
  // writes values, never in the field's own format.
  void read_bounds() {
    const auto text = map_.text("validate");
    if (!text) return;
    const std::size_t dots = text->find("..");
    if (!is_bounded_type()) {
      complain("validate", "validate bounds numbers and dates; this is " +
                               std::string(name_of(field_.type)) + ". Add type: integer?");
      return;
    }
    FieldBounds bounds{*text, {}, {}};
    bool is_fine = dots != std::string::npos && text->size() > 2;
    const auto side = [&](std::string_view part, FieldValue& to) {
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      if (part.empty()) return;
      const auto value = convert(part, field_.type, nullptr);
      is_fine = is_fine && value;
      if (value) to = *value;
    };
    if (is_fine) {
      side(std::string_view(*text).substr(0, dots), bounds.least);
      side(std::string_view(*text).substr(dots + 2), bounds.most);
    }
    if (!is_fine) {
      complain("validate", "validate takes \"1..12\", \"1..\" or \"..12\", with values of type " +
                               std::string(name_of(field_.type)));
      return;
    }
    using Kind = FieldValue::Kind;
    if (bounds.least.kind != Kind::kNull && bounds.most.kind != Kind::kNull &&
        !is_at_most(bounds.least, bounds.most)) {
      complain("validate",
               "validate '" + printable(*text) + "' has no value: the smaller bound stands first");
      return;
    }
    field_.bounds = std::move(bounds);
  }

  // `optional: true` is short for `default: null`; a default beside it wins.
  void read_default() {
    if (map_.flag("optional")) field_.fallback = FieldValue{};
    const YamlNode* node = map_.find("default");
    if (node == nullptr) return;
    if (node->kind == YamlNode::Kind::kNull) {
      field_.fallback = FieldValue{};
      return;
    }
    if (node->kind != YamlNode::Kind::kScalar) {
      complain("default", "default must be one value: a field is one scalar");
      return;
    }
    // A default may be written plainly or in the field's format. The value borrows from
    // fallback_text, and the matcher points it there again, because a RuleField moves.
    field_.fallback_text = node->text;
    field_.fallback = convert(field_.fallback_text, field_.type, nullptr);
    if (!field_.fallback) field_.fallback = convert(field_.fallback_text, field_.type, format());
    if (!field_.fallback)
      complain("default",
               "default " + why_not(node->text, field_.type, nullptr) + ", and the field is");
  }

  std::string what_;
  const YamlNode& node_;
  YamlMap map_;
  Complaints& complaints_;
  RuleField field_;
};

}  // namespace

std::optional<RuleField> read_field(const YamlNode& name, const YamlNode& node,
                                    Complaints& complaints) {
  if (name.kind != YamlNode::Kind::kScalar || name.text.empty() ||
      name.text.size() > kLongestName) {
    complaints.add(name, "a field's name must be a word of at most 200 bytes");
    return std::nullopt;
  }
  // There is no short form `year: segment(-2)`; the message shows the form that works.
  if (node.kind != YamlNode::Kind::kMap) {
    complaints.add(node, "field '" + printable(name.text) +
                             "' must be a map, for example {from: segment(-2), type: integer}");
    return std::nullopt;
  }
  return FieldReader(name, node, complaints).read();
}

}  // namespace airlock::rules

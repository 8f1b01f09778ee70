#include "rules/file/rule_file.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "rules/file/field_reader.h"
#include "rules/file/yaml_reading.h"

namespace airlock::rules {

namespace {

// Limits against files made to hurt; a file that people write stays far below them.
constexpr std::size_t kMostRules = 10000;
constexpr std::size_t kMostFields = 1000;
// A glob of 4 KiB with braces is up to 256 patterns of that length.
constexpr std::size_t kMostBytesOfGlobs = std::size_t{4} * 1024 * 1024;

// Which keys are known depends on what the map is: one rule of a list, the file itself, one rule
// alone as a whole file, or a map of which nothing is known yet.
constexpr std::array<std::string_view, 7> kRuleKeys = {
    "name", "description", "glob", "extract", "tag", "tag_conditions", "priority"};
constexpr std::array<std::string_view, 3> kFileKeys = {"version", "rules", "description"};
constexpr std::array<std::string_view, 9> kAnyKeys = {"version",     "rules",          "name",
                                                      "description", "glob",           "extract",
                                                      "tag",         "tag_conditions", "priority"};
constexpr std::array<std::string_view, 8> kSingleKeys = {
    "version", "name", "description", "glob", "extract", "tag", "tag_conditions", "priority"};

// One rule. `what_` names it in messages: "rule 3", or "the rule" when it is alone.
class RuleReader {
 public:
  RuleReader(const YamlNode& node, std::string what, std::span<const std::string_view> keys,
             Complaints& complaints)
      : node_(node),
        what_(std::move(what)),
        map_(node, what_, keys, complaints),
        complaints_(complaints) {}

  PathRule read() {
    rule_.name = map_.text("name").value_or(what_ == "the rule" ? "rule 1" : what_);
    rule_.priority = map_.integer("priority").value_or(0);
    // Fields before conditions: a condition may only speak of fields that are there.
    read_glob();
    read_fields();
    read_tags();
    read_conditions();
    if (node_.kind == YamlNode::Kind::kMap && map_.find("extract") == nullptr &&
        rule_.tags.empty() && rule_.tag_conditions.empty())
      complaints_.add(node_, what_ + " does nothing: it needs extract: or tag:");
    return std::move(rule_);
  }

 private:
  void read_glob() {
    const auto text = map_.text("glob");
    if (!text) return;
    auto glob = PathGlob::parse(*text);
    if (glob) {
      rule_.glob = std::move(*glob);
    } else {
      complaints_.add(*map_.find("glob"), what_ + ": glob: " + glob.error().message);
    }
  }

  void read_fields() {
    const YamlNode* extract = map_.find("extract");
    if (extract == nullptr || extract->kind == YamlNode::Kind::kNull) return;
    if (extract->kind != YamlNode::Kind::kMap) {
      complaints_.add(
          *extract, what_ + ": extract must be a map of fields, or null for a rule that only tags");
      return;
    }
    // Keys and values alternate in a map's items.
    if (extract->items.size() / 2 > kMostFields) {
      complaints_.add(*extract, what_ + ": more than 1000 fields");
      return;
    }
    for (std::size_t i = 0; i < extract->items.size(); i += 2) {
      const YamlNode& name = extract->items[i];
      // The parser lets a key stand twice, and the second would hide the first without a word.
      if (std::ranges::find(rule_.fields, name.text, &RuleField::name) != rule_.fields.end())
        complaints_.add(name,
                        what_ + ": the field '" + printable(name.text) + "' stands here twice");
      auto field = read_field(name, extract->items[i + 1], complaints_);
      if (field) rule_.fields.push_back(std::move(*field));
    }
  }

  void read_tags() {
    const YamlNode* tag = map_.find("tag");
    if (tag == nullptr || tag->kind == YamlNode::Kind::kNull) return;
    // `tag: x` and `tag: [x, y]` are both fine.
    const bool is_list = tag->kind == YamlNode::Kind::kList;
    for (const YamlNode& item : is_list ? tag->items : std::vector<YamlNode>{*tag}) {
      if (const auto text = text_of(item, what_ + ": tag", complaints_))
        rule_.tags.push_back(*text);
    }
  }

  void read_conditions() {
    const YamlNode* list = map_.find("tag_conditions");
    if (list == nullptr || list->kind == YamlNode::Kind::kNull) return;
    if (list->kind != YamlNode::Kind::kList) {
      complaints_.add(*list, what_ + ": tag_conditions must be a list of {if: \"…\", tag: …}");
      return;
    }
    for (const YamlNode& item : list->items) read_condition(item);
  }

  void read_condition(const YamlNode& item) {
    constexpr std::array<std::string_view, 2> kKeys = {"if", "tag"};
    const YamlMap map(item, what_ + ": a tag condition", kKeys, complaints_);
    if (item.kind != YamlNode::Kind::kMap) return;
    for (const std::string_view key : kKeys) {
      if (map.find(key) == nullptr)
        complaints_.add(item, what_ + ": a tag condition needs " + std::string(key) + ":");
    }
    const auto text = map.text("if");
    const auto tag = map.text("tag");
    if (!text || !tag) return;
    std::vector<ConditionField> fields;
    for (const RuleField& field : rule_.fields) fields.push_back({field.name, field.type});
    auto condition = Condition::parse(*text, fields);
    if (condition) {
      rule_.tag_conditions.push_back({*text, std::move(*condition), *tag});
    } else {
      complaints_.add(*map.find("if"), what_ + ": the condition '" + printable(*text) +
                                           "', at character " +
                                           std::to_string(condition.error().at + 1) + ": " +
                                           condition.error().message);
    }
  }

  const YamlNode& node_;
  std::string what_;
  YamlMap map_;
  Complaints& complaints_;
  PathRule rule_;
};

void check_version(const YamlMap& map, Complaints& complaints) {
  const auto version = map.integer("version");
  if (version && *version != 1)
    complaints.add(*map.find("version"), "version " + std::to_string(*version) +
                                             " is not known: this airlock reads version 1");
}

// A file is either a map with `rules:`, or one rule by itself.
std::vector<PathRule> read_rules(const YamlNode& root, Complaints& complaints) {
  const bool is_map = root.kind == YamlNode::Kind::kMap;
  const auto has_key = [&](std::string_view key) {
    for (std::size_t i = 0; is_map && i < root.items.size(); i += 2)
      if (root.items[i].text == key) return true;
    return false;
  };
  if (!is_map) {
    complaints.add(root, "a rule file is a map: version: 1 and rules:, or one rule alone");
    return {};
  }
  std::vector<PathRule> rules;
  if (!has_key("rules")) {
    // A misspelt `rules` would else be one of many unknown keys of a rule.
    const bool looks_like_file =
        !has_key("extract") && !has_key("glob") && !has_key("tag") && !has_key("tag_conditions");
    if (looks_like_file) {
      const YamlMap map(root, "the file", kAnyKeys, complaints);
      complaints.add(root, "the file has no rules: and is no rule (it has no extract:)");
      return {};
    }
    // RuleReader complains about the same keys once more; these complaints are dropped.
    Complaints told_by_the_reader;
    check_version(YamlMap(root, "the rule", kSingleKeys, told_by_the_reader), complaints);
    rules.push_back(RuleReader(root, "the rule", kSingleKeys, complaints).read());
    return rules;
  }
  const YamlMap map(root, "the file", kFileKeys, complaints);
  check_version(map, complaints);
  const YamlNode& list = *map.find("rules");
  if (list.kind != YamlNode::Kind::kList || list.items.empty()) {
    complaints.add(list, "rules: must be a list with at least one rule");
    return rules;
  }
  if (list.items.size() > kMostRules) {
    complaints.add(list, "more than 10000 rules");
    return rules;
  }
  // Each glob is bounded alone, but ten thousand of them at their limit would not fit in memory.
  std::size_t bytes_of_globs = 0;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const std::string what = "rule " + std::to_string(i + 1);
    rules.push_back(RuleReader(list.items[i], what, kRuleKeys, complaints).read());
    if (rules.back().glob) bytes_of_globs += rules.back().glob->bytes_of_forms();
    if (bytes_of_globs > kMostBytesOfGlobs) {
      complaints.add(list.items[i], what +
                                        ": glob: the braces of all globs together make more than "
                                        "4 MiB of patterns; write fewer alternatives");
      return rules;
    }
  }
  return rules;
}

}  // namespace

std::string text_of(const FieldSource& source) {
  switch (source.kind) {
    case FieldSource::Kind::kSegment:
      return "segment(" + std::to_string(source.index) + ")";
    case FieldSource::Kind::kFilename:
      return "filename";
    case FieldSource::Kind::kFullPath:
      return "full_path";
    case FieldSource::Kind::kRelPath:
      return "rel_path";
    case FieldSource::Kind::kHive:
      return "hive(" + source.key.substr(0, source.key.size() - 1) + ")";
  }
  return {};
}

std::expected<RuleFile, std::vector<RuleFileProblem>> read_rule_file(std::string_view text) {
  const auto root = read_yaml(text);
  if (!root) return std::unexpected(std::vector<RuleFileProblem>{root.error()});
  Complaints complaints;
  RuleFile file;
  file.rules = read_rules(*root, complaints);
  if (!complaints.is_empty()) return std::unexpected(complaints.take());
  // The matcher takes the first that fits, so the order of the file decides between equals.
  std::ranges::stable_sort(file.rules, std::ranges::greater(), &PathRule::priority);
  return file;
}

}  // namespace airlock::rules

#include "rules/file/yaml_reading.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/nearest.h"
#include "base/printable.h"

namespace airlock::rules {

namespace {

// "a, b and c"
std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + std::string(words[i]);
  return text;
}

std::string shown(std::string_view word) {
  return "'" + printable(word.substr(0, 80)) + "'";
}

}  // namespace

std::vector<RuleFileProblem> Complaints::take() {
  std::ranges::stable_sort(problems_, {}, [](const RuleFileProblem& problem) {
    return std::tuple(problem.line, problem.column);
  });
  return std::move(problems_);
}

std::string unknown(std::string_view what, std::string_view word,
                    std::span<const std::string_view> known, std::string_view meant) {
  std::string text = std::string(what) + " " + shown(word) + " is not known";
  // A synonym that is known beats a guess by edit distance.
  const std::string_view near = meant.empty() ? nearest_word(word, known) : meant;
  if (!near.empty()) text += "; did you mean '" + std::string(near) + "'?";
  return text + (near.empty() ? ": known are " : " Known are ") + joined(known);
}

YamlMap::YamlMap(const YamlNode& node, std::string what, std::span<const std::string_view> known,
                 Complaints& complaints)
    : node_(node), what_(std::move(what)), complaints_(complaints) {
  if (node.kind != YamlNode::Kind::kMap) {
    complaints.add(node, what_ + " must be a map of key: value");
    return;
  }
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < node.items.size(); i += 2) {
    const YamlNode& key = node.items[i];
    if (key.kind != YamlNode::Kind::kScalar) {
      complaints.add(key, "a key must be a word");
    } else if (std::ranges::find(known, key.text) == known.end()) {
      complaints.add(key, what_ + ": " + unknown("the key", key.text, known));
    } else if (std::ranges::find(seen, key.text) != seen.end()) {
      complaints.add(key, what_ + ": the key '" + key.text + "' stands here twice");
    }
    seen.push_back(key.text);
  }
}

const YamlNode* YamlMap::find(std::string_view key) const {
  if (node_.kind != YamlNode::Kind::kMap) return nullptr;
  for (std::size_t i = 0; i < node_.items.size(); i += 2) {
    if (node_.items[i].kind == YamlNode::Kind::kScalar && node_.items[i].text == key)
      return &node_.items[i + 1];
  }
  return nullptr;
}

std::optional<std::string> text_of(const YamlNode& node, std::string_view what,
                                   Complaints& complaints) {
  if (node.kind == YamlNode::Kind::kScalar && !node.text.empty()) return node.text;
  complaints.add(node, std::string(what) + " must be text" +
                           (node.kind == YamlNode::Kind::kScalar ? ", and not empty" : ""));
  return std::nullopt;
}

std::optional<std::string> YamlMap::text(std::string_view key) const {
  const YamlNode* node = find(key);
  if (node == nullptr) return std::nullopt;
  return text_of(*node, what_ + ": " + std::string(key), complaints_);
}

std::optional<std::int64_t> YamlMap::integer(std::string_view key) const {
  const YamlNode* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::int64_t value = 0;
  const char* end = node->text.data() + node->text.size();
  const auto done = std::from_chars(node->text.data(), end, value);
  if (node->kind == YamlNode::Kind::kScalar && done.ec == std::errc() && done.ptr == end)
    return value;
  complaints_.add(*node, what_ + ": " + std::string(key) + " must be a whole number");
  return std::nullopt;
}

bool YamlMap::flag(std::string_view key) const {
  const YamlNode* node = find(key);
  if (node == nullptr) return false;
  // Only the two plain words: YAML's yes, on and the like surprise people more than they help.
  if (node->kind == YamlNode::Kind::kScalar && !node->is_quoted &&
      (node->text == "true" || node->text == "false"))
    return node->text == "true";
  complaints_.add(*node, what_ + ": " + std::string(key) + " must be true or false");
  return false;
}

}  // namespace airlock::rules

// Taking a YAML map apart: known keys, values of the right kind, and a complaint with its place for
// everything else. Goes on after a mistake, so that all of them are told at once: a getter that
// found the wrong kind complains and gives nothing, as if the key were not there.
//
// Used by rule_file.cc and field_reader.cc. Not thread-safe; one reading, one Complaints.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/file/yaml_tree.h"

namespace airlock::rules {

// Everything that is wrong with a file, gathered while it is read.
class Complaints {
 public:
  void add(const YamlNode& at, std::string message) {
    problems_.push_back({at.line, at.column, std::move(message)});
  }
  bool is_empty() const { return problems_.empty(); }
  // In the order of the file.
  std::vector<RuleFileProblem> take();

 private:
  std::vector<RuleFileProblem> problems_;
};

// "the key 'patern' is not known; did you mean 'pattern'? Known are …". `meant` when it is known
// what was meant.
std::string unknown(std::string_view what, std::string_view word,
                    std::span<const std::string_view> known, std::string_view meant = {});

// The values of a map whose keys are all of `known`; keys that are not, or stand twice, are told by
// the constructor. Borrows the node and the complaints.
class YamlMap {
 public:
  // `what` names the map in messages: "a rule", "field 'year'".
  YamlMap(const YamlNode& node, std::string what, std::span<const std::string_view> known,
          Complaints& complaints);

  // Nothing when the key is not there.
  const YamlNode* find(std::string_view key) const;
  // The text of a key's value. A value of another kind, or empty text, is complained of.
  std::optional<std::string> text(std::string_view key) const;
  // A whole number of 64 bits, in decimal digits; anything else is complained of.
  std::optional<std::int64_t> integer(std::string_view key) const;
  // true or false, written so; false when the key is missing.
  bool flag(std::string_view key) const;

 private:
  const YamlNode& node_;
  std::string what_;
  Complaints& complaints_;
};

// The text of a scalar that is not empty; anything else is told as "WHAT must be text".
std::optional<std::string> text_of(const YamlNode& node, std::string_view what,
                                   Complaints& complaints);

}  // namespace airlock::rules

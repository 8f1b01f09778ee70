// YAML as a tree of ours, with the place of every value. The only door for rule files: what
// yaml-cpp throws ends here, and so do files made to hurt (size, depth, aliases that multiply).
//
// Flows have a reader of their own (flow/read_yaml.cc): there a file is data and becomes JSON
// values by the core schema, with far larger limits; here it is a program, and every value keeps
// its place and its quotes for the message about it.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::rules {

// Owns its text and its children; nothing of yaml-cpp is left in it.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text;        // of a scalar
  bool is_quoted = false;  // "5" is text, 5 is a number
  int line = 1;            // both from 1
  int column = 1;
  std::vector<YamlNode> items;  // of a list; of a map: key, value, key, value …
};

// One thing that is wrong with a rule file, and where.
struct RuleFileProblem {
  int line = 1;
  int column = 1;
  std::string message;
};

// Larger than any rule file that a person maintains, small enough to be read in no time.
inline constexpr std::size_t kMaxYamlBytes = std::size_t{1024} * 1024;
inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlValues = 50000;  // with every alias written out

// Exactly one document.
std::expected<YamlNode, RuleFileProblem> read_yaml(std::string_view text);

}  // namespace airlock::rules

#include "base/glob_pattern.h"

#include <algorithm>
#include <utility>

#include "base/glob.h"

namespace airlock {

namespace {

// Reading and counting recurse once a level of braces; the pattern may be hostile.
constexpr std::size_t kDeepestBraces = 32;

class PatternReader {
 public:
  PatternReader(std::string_view pattern, Braces braces) : pattern_(pattern), braces_(braces) {}

  Result<GlobNodes> read() {
    auto nodes = read_nodes(0);
    if (nodes && count_forms(*nodes) > kMostGlobForms)
      return fail("its braces make more than 256 forms");
    return nodes;
  }

 private:
  bool is_at_end() const { return at_ == pattern_.size(); }

  // Up to the end, or up to the comma or brace that ends this alternative.
  // A comma or a closing brace outside of all braces (depth 0) is an ordinary character.
  Result<GlobNodes> read_nodes(std::size_t depth) {
    GlobNodes nodes;
    while (!is_at_end()) {
      const char c = pattern_[at_];
      if (depth > 0 && (c == ',' || c == '}')) return nodes;
      const std::size_t from = at_;
      auto node = TRY(read_node(c, depth));
      node.text = pattern_.substr(from, at_ - from);
      nodes.push_back(std::move(node));
    }
    if (depth > 0) return fail("a brace is not closed");
    return nodes;
  }

  Result<GlobNode> read_node(char c, std::size_t depth) {
    ++at_;
    if (c == '*') return GlobNode{GlobNode::Kind::kStar};
    if (c == '?') return GlobNode{GlobNode::Kind::kAny};
    if (c == '[') return read_set();
    if (c == '{' && braces_ == Braces::kAlternatives) return read_group(depth + 1);
    if (c != '\\') return GlobNode{GlobNode::Kind::kByte, c};
    if (is_at_end()) return fail("it ends in a backslash");
    return GlobNode{GlobNode::Kind::kByte, pattern_[at_++]};
  }

  Result<GlobNode> read_group(std::size_t depth) {
    if (depth > kDeepestBraces) return fail("its braces are nested more than 32 deep");
    GlobNode group{GlobNode::Kind::kGroup};
    while (true) {
      auto form = TRY(read_nodes(depth));
      group.forms.push_back(std::move(form));
      if (pattern_[at_++] == '}') return group;
    }
  }

  // As in a shell: "]" first in the brackets is a member of the set, "-" last is one too, and
  // neither a set nor its negation ever fits a slash. A backslash is no escape in here. A range
  // whose end is below its start adds nothing.
  Result<GlobNode> read_set() {
    GlobNode node{GlobNode::Kind::kSet};
    const bool is_negated = !is_at_end() && (pattern_[at_] == '!' || pattern_[at_] == '^');
    if (is_negated) ++at_;
    const std::size_t first = at_;
    for (; !is_at_end() && (pattern_[at_] != ']' || at_ == first); ++at_) {
      const bool is_range =
          at_ + 2 < pattern_.size() && pattern_[at_ + 1] == '-' && pattern_[at_ + 2] != ']';
      const auto from = static_cast<unsigned char>(pattern_[at_]);
      const auto to = static_cast<unsigned char>(pattern_[at_ + (is_range ? 2 : 0)]);
      for (unsigned byte = from; byte <= to; ++byte) node.set.set(byte);
      if (is_range) at_ += 2;
    }
    if (is_at_end()) return fail("a bracket is not closed");
    ++at_;
    if (is_negated) node.set.flip();
    node.set.reset('/');
    return node;
  }

  std::string_view pattern_;
  Braces braces_;
  std::size_t at_ = 0;
};

// Each of `so_far` with every form of the nodes behind it.
std::vector<std::string> with_forms(std::vector<std::string> so_far, const GlobNodes& nodes) {
  for (const GlobNode& node : nodes) {
    if (node.kind != GlobNode::Kind::kGroup) {
      for (std::string& one : so_far) one += node.text;
      continue;
    }
    std::vector<std::string> all;
    for (const GlobNodes& form : node.forms)
      std::ranges::move(with_forms(so_far, form), std::back_inserter(all));
    so_far = std::move(all);
  }
  return so_far;
}

}  // namespace

// Saturates at one more than the limit: products of alternatives would overflow otherwise.
std::size_t count_forms(const GlobNodes& nodes) {
  std::size_t count = 1;
  for (const GlobNode& node : nodes) {
    if (node.kind != GlobNode::Kind::kGroup) continue;
    std::size_t sum = 0;
    for (const GlobNodes& form : node.forms)
      sum = std::min(sum + count_forms(form), kMostGlobForms + 1);
    count = std::min(count * sum, kMostGlobForms + 1);
  }
  return count;
}

Result<GlobNodes> read_glob(std::string_view pattern, Braces braces) {
  if (pattern.empty()) return fail("the pattern is empty");
  if (pattern.size() > kLongestGlob) return fail("the pattern has more than 4096 bytes");
  return PatternReader(pattern, braces).read();
}

Result<std::vector<std::string>> expand_braces(std::string_view pattern) {
  if (!pattern.contains('{')) return std::vector{std::string(pattern)};
  const auto nodes = TRY(read_glob(pattern, Braces::kAlternatives));
  return with_forms({""}, nodes);
}

}  // namespace airlock

#include "rules/file/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "base/result.h"
#include "base/utf8.h"

namespace airlock::rules {

namespace {

// Leaves the parser from inside one of its callbacks; caught in read_yaml() and nowhere else.
struct Stop {
  RuleFileProblem problem;
};

// Marks of yaml-cpp count from 0, our lines and columns from 1.
[[noreturn]] void stop(const YAML::Mark& mark, std::string message) {
  throw Stop{{mark.line + 1, mark.column + 1, std::move(message)}};
}

std::size_t count_values(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += count_values(item);
  return count;
}

// Builds our tree from the parser's events rather than from its node tree: events keep the place
// and the quotes of every value, and the limits stop a bad file while it is read, not after.
class TreeBuilder : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(at(mark, YamlNode::Kind::kNull), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) stop(mark, "an alias stands inside what it names");
    // A copy each time. spend() counts all of it, so aliases of aliases (the "billion laughs") run
    // into the limit long before they run out of memory.
    YamlNode copy = known->second;
    copy.line = mark.line + 1;
    copy.column = mark.column + 1;
    spend(count_values(copy), mark);
    add(std::move(copy), 0, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = at(mark, YamlNode::Kind::kScalar);
    node.text = value;
    // So yaml-cpp tags a scalar that was quoted.
    node.is_quoted = tag == "!";
    add(std::move(node), anchor, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kList, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kMap, anchor);
  }
  void OnMapEnd() override { close(); }

  YamlNode take_root() { return std::move(root_); }

 private:
  struct OpenNode {
    YamlNode node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
  };

  static YamlNode at(const YAML::Mark& mark, YamlNode::Kind kind) {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return node;
  }

  // Every value counts, and those kept for an anchor count twice: they are held twice.
  void spend(std::size_t values, const YAML::Mark& mark) {
    values_ += values;
    if (values_ > kMaxYamlValues)
      stop(mark, "with its aliases written out the file has more than " +
                     std::to_string(kMaxYamlValues) + " values");
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor) {
    if (open_.size() >= kMaxYamlDepth)
      stop(mark, "nested deeper than " + std::to_string(kMaxYamlDepth) + " levels");
    open_.push_back({at(mark, kind), anchor, mark});
  }

  void close() {
    OpenNode done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor, done.mark);
  }

  void add(YamlNode node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    spend(1, mark);
    if (anchor != 0) {
      spend(count_values(node), mark);
      anchors_[anchor] = node;
    }
    // Outside of every container: it is the document itself.
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().node.items.push_back(std::move(node));
    }
  }

  YamlNode root_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t values_ = 0;
};

// Bytes that the parser would read differently from us, or not at all: they are refused first.
std::expected<void, RuleFileProblem> check_bytes(std::string_view text) {
  if (text.size() > kMaxYamlBytes)
    return std::unexpected(
        RuleFileProblem{1, 1, "the file is larger than 1 MiB, which no rule file is"});
  auto bad = find_invalid_utf8(text);
  std::string message = "the file is not UTF-8";
  if (!bad && text.contains('\0')) {
    bad = text.find('\0');
    message = "the file contains a NUL byte";
  }
  if (!bad) return {};
  const std::string_view before = text.substr(0, *bad);
  const auto lines = static_cast<int>(std::ranges::count(before, '\n'));
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return std::unexpected(RuleFileProblem{lines + 1, static_cast<int>(*bad - start) + 1, message});
}

// The commonest mistake in YAML, and the parser's own message does not name it. `line` from 1.
bool begins_with_tab(std::string_view text, int line) {
  for (int at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first).starts_with('\t');
}

}  // namespace

std::expected<YamlNode, RuleFileProblem> read_yaml(std::string_view text) {
  TRY(check_bytes(text));
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder first;
    if (!parser.HandleNextDocument(first))
      return std::unexpected(RuleFileProblem{1, 1, "the file is empty"});
    YamlNode root = first.take_root();
    // A second document would otherwise be ignored without a word.
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) {
      const YamlNode extra = second.take_root();
      return std::unexpected(RuleFileProblem{
          extra.line, extra.column, "a second document begins here: one file, one document"});
    }
    return root;
  } catch (const Stop& stopped) {
    return std::unexpected(stopped.problem);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line + 1;
    const std::string advice =
        begins_with_tab(text, line) ? ". The line begins with a tab: YAML takes spaces alone" : "";
    return std::unexpected(
        RuleFileProblem{line, error.mark.column + 1, "this is not YAML: " + error.msg + advice});
  } catch (const std::exception& error) {
    return std::unexpected(RuleFileProblem{1, 1, std::string("this is not YAML: ") + error.what()});
  }
}

}  // namespace airlock::rules

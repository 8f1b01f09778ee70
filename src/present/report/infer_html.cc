// The page of `airlock infer --report`: coverage, the path tree with its classes in colour, fields
// with what they hold, and what no rule explains. Everything that comes from a path is html_text;
// the page has no script.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "base/html_escape.h"
#include "base/printable.h"
#include "engine/bulk/rule_rows.h"
#include "present/report/infer_output.h"
#include "rules/file/rule_file.h"
#include "rules/infer/token_class.h"
#include "rules/infer/tokens.h"
#include "rules/match/matcher.h"
#include "rules/match/split_path.h"

namespace airlock::cli {

namespace {

// How much of the tree is shown: children on the upper kWideLevels levels, children below them, and
// levels in all. A sample may have thousands of folders; the page stays readable.
constexpr std::size_t kMostChildren = 8;
constexpr std::size_t kMostBelow = 3;
constexpr std::size_t kWideLevels = 3;
constexpr std::size_t kDeepestShown = 12;
constexpr std::size_t kBars = 6;  // values shown of each field

// printable() first: what would be invisible in a terminal would be in a browser, too.
std::string html_text(std::string_view text) {
  std::string out;
  append_html_escaped(out, printable(text));
  return out;
}

// The class of a segment as the colours know it.
std::string_view css_class(std::string_view segment, bool is_file) {
  using rules::TokenClass;
  const auto is = [&](TokenClass what) { return rules::is_of_class(segment, what); };
  if (segment.contains('=')) return "kv";
  if (is(TokenClass::kDate) || is(TokenClass::kDatetime) || is(TokenClass::kYear) ||
      is(TokenClass::kIsoWeek) || is(TokenClass::kYearQuarter) || is(TokenClass::kQuarter))
    return "time";
  if (is(TokenClass::kNumber)) return "number";
  if (is(TokenClass::kUuid) || is(TokenClass::kHash)) return "id";
  if (is(TokenClass::kVersion)) return "version";
  return is_file ? "file" : "word";
}

struct TreeNode {
  std::map<std::string, std::unique_ptr<TreeNode>> children;
  std::size_t paths = 0;
};

TreeNode tree_of(const std::vector<std::string>& paths) {
  TreeNode root;
  rules::SplitPath split;
  for (const std::string& path : paths) {
    split.split(path);
    TreeNode* node = &root;
    ++node->paths;
    for (std::size_t i = 0; i < split.size() && i < kDeepestShown; ++i) {
      auto& child = node->children[std::string(split.segment(i))];
      if (!child) child = std::make_unique<TreeNode>();
      node = child.get();
      ++node->paths;
    }
  }
  return root;
}

void append_tree(std::string& out, const TreeNode& node, std::size_t depth = 0) {
  if (node.children.empty()) return;
  const std::size_t most = depth < kWideLevels ? kMostChildren : kMostBelow;
  out += "<ul>";
  std::size_t shown = 0;
  std::size_t hidden = 0;
  for (const auto& [name, child] : node.children) {
    if (shown == most) {
      ++hidden;
      continue;
    }
    ++shown;
    const bool is_file = child->children.empty();
    out +=
        fmt::format("<li><span class=\"{}\">{}</span>", css_class(name, is_file), html_text(name));
    if (!is_file) out += fmt::format(" <small>{}</small>", child->paths);
    append_tree(out, *child, depth + 1);
    out += "</li>";
  }
  if (hidden > 0) out += fmt::format("<li class=\"more\">and {} more</li>", hidden);
  out += "</ul>";
}

// How often each value of each field comes up in the sample.
using Counts = std::map<std::string, std::map<std::string, std::size_t>>;

// The written rules are read and run again on the sample: the bars show what the rule file gives,
// not what inference believed.
std::map<std::string, Counts> count_values(const InferReport& report) {
  std::map<std::string, Counts> counts;
  auto read = rules::read_rule_file(report.yaml);
  if (!read) return counts;
  const rules::Matcher matcher(std::move(*read));
  rules::Match match;
  for (const std::string& path : report.sample) {
    if (!matcher.match(path, match)) continue;
    Counts& of_rule = counts[match.rule->name];
    for (std::size_t i = 0; i < match.values.size(); ++i) {
      std::string value;
      append_json_value(value, match.values[i]);
      ++of_rule[match.rule->fields[i].name][value];
    }
  }
  return counts;
}

void append_bars(std::string& out, const std::map<std::string, std::size_t>& values) {
  std::vector<std::pair<std::size_t, std::string>> order;
  std::size_t most = 1;
  for (const auto& [value, count] : values) {
    order.emplace_back(count, value);
    most = std::max(most, count);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const auto& one) { return one.first; });
  // Bars of one each say nothing: a few of the values do.
  if (most == 1 && order.size() > kBars) {
    for (std::size_t i = 0; i < kBars; ++i)
      out += "<div class=\"bar\"><b>" + html_text(order[i * order.size() / kBars].second) +
             "</b></div>";
    out += fmt::format("<small>{} values in the sample, each once</small>", order.size());
    return;
  }
  for (std::size_t i = 0; i < order.size() && i < kBars; ++i) {
    out += fmt::format(
        "<div class=\"bar\"><i style=\"width:{:.1f}rem\"></i><b>{}</b><small>{}</small></div>",
        10.0 * static_cast<double>(order[i].first) / static_cast<double>(most),
        html_text(order[i].second), order[i].first);
  }
  if (order.size() > kBars)
    out += fmt::format("<small>and {} more values</small>", order.size() - kBars);
}

void append_rule(std::string& out, const RuleCoverage& one, Counts& counts) {
  out += fmt::format("<section><h2>{}</h2><p><code>{}</code> <small>{} paths</small></p><table>",
                     html_text(one.rule.name), html_text(one.rule.glob), one.matched);
  out += "<tr><th>field</th><th>from</th><th>type</th><th>what it holds</th></tr>";
  for (const rules::InferredField& field : one.rule.fields) {
    const std::string pattern =
        field.pattern.empty() ? std::string() : "<br><code>" + html_text(field.pattern) + "</code>";
    out += fmt::format("<tr><td><b>{}</b><br><small>{}</small></td><td>{}{}</td><td>{}</td><td>",
                       html_text(field.name), html_text(name_of(field.what)), html_text(field.from),
                       pattern, name_of(field.type));
    append_bars(out, counts[field.name]);
    out += "</td></tr>";
  }
  out += "</table></section>";
}

constexpr std::string_view kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:68rem;padding:0 1rem;color:#1c2530;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .3rem}small{color:#667}code{background:#f1f3f6;padding:.05rem .3rem;border-radius:3px}
pre{background:#f1f3f6;padding:1rem;overflow:auto;border-radius:6px}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #dde2e8;padding:.4rem .6rem;text-align:left;vertical-align:top}
ul{list-style:none;margin:0;padding-left:1.1rem;border-left:1px solid #dde2e8}
.meter{height:1rem;background:#e6eaef;border-radius:.5rem;overflow:hidden;max-width:30rem}.meter i{display:block;height:100%;background:#2f8f5b}
.bar{display:flex;gap:.5rem;align-items:center}.bar i{display:block;height:.7rem;background:#7aa7d9;border-radius:2px;min-width:2px;flex:none}
.bar b{font-weight:500;overflow-wrap:anywhere}.bar{max-width:30rem}code,li{overflow-wrap:anywhere}.word{color:#1c2530}.file{color:#555e6b}.time{color:#9a5b00}.number{color:#1859a9}.id{color:#7a3ea0}
.kv{color:#0b7a75}.version{color:#a02c4b}.more{color:#889}.said{margin:1rem 0}
@media(prefers-color-scheme:dark){body{background:#14181d;color:#dfe5ec}code,pre{background:#20262e}td,th,ul{border-color:#303842}
.word{color:#dfe5ec}.file{color:#9aa5b1}.time{color:#f0b35a}.number{color:#7db4f5}.id{color:#c99be8}.kv{color:#5fd0c9}.version{color:#f08aa5}.meter{background:#303842}
small,.more{color:#9aa5b1}}
)";

void append_head(std::string& out, const InferReport& report) {
  const double coverage = report.checked == 0 ? 0
                                              : 100.0 * static_cast<double>(report.matched) /
                                                    static_cast<double>(report.checked);
  out += fmt::format("<h1>Rules inferred from {} paths</h1>", report.paths);
  out += fmt::format(
      "<p>Confidence <b>{:.0f} %</b></p><div class=\"meter\"><i style=\"width:{:.0f}%\"></i></div>",
      report.confidence, report.confidence);
  out += fmt::format(
      "<p>Explained: {} of {} paths ({:.1f} %)</p><div class=\"meter\"><i "
      "style=\"width:{:.1f}%\"></i></div>",
      report.matched, report.checked, coverage, coverage);
  out += "<ul class=\"said\">";
  for (const std::string& one : report.evidence) out += "<li>" + html_text(one) + "</li>";
  for (const std::string& one : report.notes) out += "<li>" + html_text(one) + "</li>";
  out += "</ul>";
}

}  // namespace

std::string inference_as_html(const InferReport& report) {
  std::string out =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>airlock infer</title><style>";
  out += kStyle;
  out += "</style></head><body>";
  append_head(out, report);
  auto counts = count_values(report);
  for (const RuleCoverage& one : report.rules) append_rule(out, one, counts[one.rule.name]);
  out +=
      "<section><h2>The tree</h2><p><small><span class=\"time\">time</span> · <span "
      "class=\"number\">number</span> · "
      "<span class=\"id\">id</span> · <span class=\"kv\">key=value</span> · <span "
      "class=\"version\">version</span> · "
      "<span class=\"file\">file</span>; a sample of the paths</small></p>";
  append_tree(out, tree_of(report.sample));
  out += "</section><section><h2>Not explained</h2>";
  if (report.unexplained.empty()) out += "<p>Every path is explained.</p>";
  for (const std::string& path : report.unexplained)
    out += "<div><code>" + html_text(path) + "</code></div>";
  out += "</section><section><h2>The rule file</h2><pre>";
  std::size_t start = 0;
  while (start < report.yaml.size()) {
    const std::size_t end = std::min(report.yaml.find('\n', start), report.yaml.size());
    out += html_text(std::string_view(report.yaml).substr(start, end - start)) + "\n";
    start = end + 1;
  }
  return out + "</pre></section></body></html>\n";
}

}  // namespace airlock::cli

// The rule is Unicode's "highly restrictive" (UTS #39): one script in a name, or one of the mixes
// that people write (Japanese, Chinese, Korean, each with Latin letters). A name wholly in one
// script is fine unless it looks like another name that is there: of the file, of the builtins, or
// a keyword. Both are told with the code points of whatever is not ASCII, since they cannot be told
// apart by looking.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/lookalikes.h"
#include "base/utf8.h"
#include "model/rule.h"
#include "vet/facts/walker.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

struct NamePlace {
  std::string_view name;
  Place place;
};

// Every identifier of the tree, where it first stands, in the order of the text's walk.
class SeenNames : public PassiveWalker<SeenNames> {
 public:
  explicit SeenNames(std::uint32_t max_depth) : PassiveWalker(max_depth) {}

  std::vector<NamePlace> run(mod_ty module) {
    visit_all(module->v.Module.body);
    return std::move(found_);
  }

  // ---- what the Walker asks for
  void statement(stmt_ty node) {
    auto& v = node->v;
    const Place place = place_of(node);
    if (node->kind == FunctionDef_kind) note(v.FunctionDef.name, place);
    if (node->kind == AsyncFunctionDef_kind) note(v.AsyncFunctionDef.name, place);
    if (node->kind == ClassDef_kind) {
      note(v.ClassDef.name, place);
      note_keywords(v.ClassDef.keywords);
    }
    if (node->kind == Import_kind) note_aliases(v.Import.names);
    if (node->kind == ImportFrom_kind) {
      note(v.ImportFrom.module, place);
      note_aliases(v.ImportFrom.names);
    }
    if (node->kind == Global_kind) note_all(v.Global.names, place);
    if (node->kind == Nonlocal_kind) note_all(v.Nonlocal.names, place);
    children(node);
  }

  void expression(expr_ty node) {
    const Place place = place_of(node);
    if (node->kind == Name_kind) note(node->v.Name.id, place);
    if (node->kind == Attribute_kind) note(node->v.Attribute.attr, place);
    if (node->kind == Call_kind) note_keywords(node->v.Call.keywords);
    children(node);
  }

  void pattern(pattern_ty node) {
    const Place place = place_of(node);
    if (node->kind == MatchAs_kind) note(node->v.MatchAs.name, place);
    if (node->kind == MatchStar_kind) note(node->v.MatchStar.name, place);
    if (node->kind == MatchMapping_kind) note(node->v.MatchMapping.rest, place);
    if (node->kind == MatchClass_kind) note_all(node->v.MatchClass.kwd_attrs, place);
    children(node);
  }

  void parameter(arg_ty one, expr_ty, std::size_t) { note(one->arg, place_of(one)); }
  void handler(excepthandler_ty node) { note(node->v.ExceptHandler.name, place_of(node)); }

 private:
  void note(PyObject* name, Place place) {
    if (name != nullptr && seen_.try_emplace(name, 0).second)
      found_.push_back({text_of(name), place});
  }
  void note_all(asdl_identifier_seq* names, Place place) {
    for (PyObject* name : items(names)) note(name, place);
  }
  void note_keywords(asdl_keyword_seq* keywords) {
    for (keyword_ty one : items(keywords)) note(one->arg, place_of(one));
  }
  void note_aliases(asdl_alias_seq* names) {
    for (alias_ty one : items(names)) {
      note(one->name, place_of(one));
      note(one->asname, place_of(one));
    }
  }

  std::vector<NamePlace> found_;
  std::unordered_map<PyObject*, int> seen_;  // identifiers are interned: one object for each name
};

// p<U+0430>th
// What is not ASCII as its code point.
std::string spelled(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = decode_utf8(name, at);
    if (point.value < 0x80) {
      out += name[at];
    } else {
      out += '<' + code_point_name(point.value) + '>';
    }
    // Names of a tree are valid UTF-8; the step by one only makes sure that the loop ends.
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return out;
}

std::string name_for_message(std::string_view name) {
  std::string out = "'" + std::string(name) + "'";
  return is_ascii(name) ? out : out + " (" + spelled(name) + ")";
}

// Each script once, in the order of the name.
std::vector<std::string_view> scripts_of(std::string_view name) {
  std::vector<std::string_view> scripts;
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = decode_utf8(name, at);
    const std::string_view script = script_of(point.value);
    if (!script.empty() && std::ranges::find(scripts, script) == scripts.end())
      scripts.push_back(script);
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return scripts;
}

bool may_stand_together(const std::vector<std::string_view>& scripts) {
  static constexpr std::array<std::array<std::string_view, 4>, 3> kMixes = {{
      {"Latin", "Han", "Hiragana", "Katakana"},
      {"Latin", "Han", "Bopomofo", ""},
      {"Latin", "Han", "Hangul", ""},
  }};
  if (scripts.size() <= 1) return true;
  return std::ranges::any_of(kMixes, [&](const auto& mix) {
    return std::ranges::all_of(scripts, [&](std::string_view script) {
      return std::ranges::find(mix, script) != mix.end();
    });
  });
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

constexpr std::array kKeywords = {
    "False",  "None",     "True",   "and", "as",   "assert", "async",  "await",    "break", "case",
    "class",  "continue", "def",    "del", "elif", "else",   "except", "finally",  "for",   "from",
    "global", "if",       "import", "in",  "is",   "lambda", "match",  "nonlocal", "not",   "or",
    "pass",   "raise",    "return", "try", "type", "while",  "with",   "yield",
};

struct LookalikeOf {
  std::string_view name;
  const char* what;  // "the builtin", "the keyword", "the name"
};

// What a name could be taken for, by skeleton; the first of several stays.
// Two names with one skeleton look the same (base/lookalikes.h).
class KnownSkeletons {
 public:
  KnownSkeletons(const std::vector<NamePlace>& names, const PolicyIndex& policy) {
    for (const char* word : kKeywords) add(word, "the keyword");
    for (const Permit& row : policy.policy().builtins) add(row.name, "the builtin");
    for (const Refusal& row : policy.policy().refused_builtins) add(row.name, "the builtin");
    for (const NamePlace& one : names) {
      if (is_ascii(one.name)) add(one.name, "the name");
    }
  }

  // Another name that looks like this one; null when there is none. The name itself is one from now
  // on.
  const LookalikeOf* find_or_add(std::string_view name) {
    const auto [found, is_new] = others_.try_emplace(skeleton(name), LookalikeOf{name, "the name"});
    return is_new || found->second.name == name ? nullptr : &found->second;
  }

 private:
  void add(std::string_view name, const char* what) {
    others_.try_emplace(skeleton(name), LookalikeOf{name, what});
  }

  std::unordered_map<std::string, LookalikeOf> others_;
};

// Python reads other forms of Latin letters as the plain ones, but looks for keywords before that:
// so a name can be, letter for letter, what nobody would read as a name. In the tree it stands in
// plain letters.
bool is_disguised_keyword(std::string_view name) {
  // Soft keywords: ordinary names everywhere but in their statement.
  static constexpr std::array kAlsoNames = {"case", "match", "type"};
  return std::ranges::find(kKeywords, name) != kKeywords.end() &&
         std::ranges::find(kAlsoNames, name) == kAlsoNames.end();
}

// These are ASCII in the tree, so the search for look-alikes below would not see them.
void judge_disguised_keywords(const std::vector<NamePlace>& names, std::vector<Finding>& findings) {
  const Rule& row = rule(RuleCode::kLookAlike);
  for (const NamePlace& one : names) {
    if (!is_disguised_keyword(one.name)) continue;
    const std::string name(one.name);
    findings.push_back({&row, row.severity, one.place, name,
                        "A name is written with other forms of the letters of the keyword '" +
                            name + "', and Python reads it as the name '" + name + "'",
                        "Choose a name that looks different."});
  }
}

}  // namespace

// Two questions for each name that is not ASCII: does it mix scripts, and what could it be taken
// for? Both go into one message.
void judge_lookalikes(mod_ty module, const PolicyIndex& policy, std::vector<Finding>& findings) {
  const auto names = SeenNames(policy.policy().limits.tree_depth).run(module);
  judge_disguised_keywords(names, findings);
  if (std::ranges::all_of(names, [](const NamePlace& one) { return is_ascii(one.name); })) return;
  KnownSkeletons others(names, policy);
  const Rule& row = rule(RuleCode::kLookAlike);
  for (const NamePlace& one : names) {
    if (is_ascii(one.name)) continue;
    const auto scripts = scripts_of(one.name);
    const LookalikeOf* other = others.find_or_add(one.name);
    const bool is_mixed = !may_stand_together(scripts);
    if (!is_mixed && other == nullptr) continue;
    std::string message = "The name " + name_for_message(one.name);
    if (is_mixed) message += " mixes " + listed(scripts) + " letters";
    if (other != nullptr) {
      message += is_mixed ? " and looks like " : ", all in " + listed(scripts) + ", looks like ";
      message += std::string(other->what) + " " + name_for_message(other->name);
    }
    const bool is_plain = other != nullptr && is_ascii(other->name);
    findings.push_back({&row, row.severity, one.place, std::string(one.name), std::move(message),
                        is_plain ? "Write '" + std::string(other->name) +
                                       "' if that is meant, or choose a name that looks different."
                                 : "Write a name with the letters of one script."});
  }
}

}  // namespace airlock::vet

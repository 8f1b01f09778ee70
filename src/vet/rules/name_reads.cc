// Names. A name that is read is harmless when a function binds it (Python never falls back to a
// builtin there). At module level and in a class body it can fall back, so a name that hides a
// refused builtin must be bound for certain before it is read. Everything else that is read must be
// an allowed builtin or be bound somewhere.
#include <algorithm>
#include <string>

#include "base/nearest.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// CPython normalises identifiers (NFKC): say so when the text shows other letters than the name
// has.
std::string as_written(Judge& judge, std::string_view name, Place place) {
  const std::string_view line = judge.line(place.line);
  // A place that does not fit its line is no reason to fail: the message is only less helpful.
  if (place.line != place.end_line || place.end_column > line.size() ||
      place.column > place.end_column)
    return {};
  const std::string_view written = line.substr(place.column, place.end_column - place.column);
  if (written == name) return {};
  return " (written '" + std::string(written) + "', which Python reads as '" + std::string(name) +
         "')";
}

bool is_refused_builtin(const NameFacts& facts, std::string_view name) {
  if (facts.builtin != nullptr) return false;
  return facts.refused_builtin != nullptr || facts.is_interpreter_builtin || is_special(name);
}

// Builtins that are allowed, but judged by how they are used: a name that may be one of them must
// be it for certain, or for certain something else.
bool is_judged_by_use(std::string_view name) {
  return name == "getattr" || name == "setattr" || name == "hasattr" || name == "delattr" ||
         name == "type" || name == "str" || name == "object";
}

// Bound directly in the body of the module before the top-level statement that we are in begins (or
// directly in the class body that we are in, before this line), and never unbound: whenever this
// read happens, the binding has happened.
bool is_surely_bound(Judge& judge, SymbolId id, std::uint32_t line) {
  if (id == kNone) return false;
  const bool in_class = judge.scopes().symbol(id).scope != 0;
  if (in_class && judge.scopes().symbol(id).scope != judge.scope()) return false;
  const int before = in_class                           ? static_cast<int>(line)
                     : judge.top_statement() != nullptr ? judge.top_statement()->lineno
                                                        : 0;
  const SureBinding& sure = judge.sure_binding(id);
  // Strictly before: a statement that reads the name it binds reads the old one.
  return !sure.is_unbound && sure.line < before;
}

bool is_module(Judge& judge, SymbolId id) {
  return id != kNone && judge.bound_to(id).is_module;
}

// `is_hidden`: the file binds the name too, but perhaps not before this read.
void refuse_builtin(Judge& judge, PyObject* name, const NameFacts& facts, Place place,
                    bool is_hidden) {
  const std::string text(text_of(name));
  std::string message = "'" + text + "'";
  if (facts.refused_builtin != nullptr) {
    message += ": " + facts.refused_builtin->why;
  } else if (is_special(text)) {
    message += ": special names of the interpreter may not be read";
  } else if (facts.builtin != nullptr) {
    message += ": this builtin is judged by how it is used";
  } else {
    message += ": this builtin is not on the policy's list";
  }
  message += as_written(judge, text, place);
  std::string suggestion = facts.refused_builtin != nullptr ? facts.refused_builtin->instead : "";
  if (is_hidden) {
    message +=
        ". The code binds this name itself, but not for certain before this line: the builtin "
        "could be read";
    suggestion = "Choose another name for your own variable.";
  }
  judge.report(RuleCode::kForbiddenBuiltin, place, text, std::move(message), std::move(suggestion));
}

// A refused module or one of its aliases, a near miss, or nothing better than the obvious.
std::string other_suggestion(Judge& judge, const std::string& text) {
  if (const SurfaceIndex* package = judge.policy().package(text); package != nullptr) {
    for (const std::string& part : package->surface().attributes) {
      std::string inner = text;
      inner.append(".").append(part);
      if (judge.policy().module(inner) != nullptr) return suggest_import("import " + inner);
    }
  }
  if (const Refusal* refusal = judge.policy().refused_module(text);
      refusal != nullptr && refusal->name == text) {
    return "The module '" + text + "' is not available" +
           (refusal->instead.empty() ? "." : ": " + refusal->instead);
  }
  if (judge.may_suggest()) {
    std::vector<std::string_view> names;
    for (const Symbol& symbol : judge.scopes().symbols()) {
      if (symbol.first != kNone) names.push_back(text_of(symbol.name));
    }
    for (const Permit& row : judge.policy().policy().builtins) names.emplace_back(row.name);
    if (const auto near = nearest_word(text, names); !near.empty())
      return "Did you mean '" + std::string(near) + "'?";
  }
  return "Define it, or remove it.";
}

void report_undefined(Judge& judge, PyObject* name, Place place) {
  const std::string text(text_of(name));
  std::string suggestion;
  if (judge.policy().module(text) != nullptr) {
    suggestion = suggest_import("import " + text);
  } else {
    for (const Surface& module : judge.policy().policy().modules) {
      // One plain suggestion for the names that people forget to import: the first module that
      // offers it.
      // Short names (`e`, `pi`, `sub`) are more often slips than forgotten imports.
      if (text.size() > 3 && std::ranges::binary_search(module.attributes, text)) {
        suggestion = suggest_import("from " + module.name + " import " + text);
        break;
      }
    }
  }
  if (suggestion.empty()) suggestion = other_suggestion(judge, text);
  judge.report(RuleCode::kUndefinedName, place, text,
               "The name '" + text + "' is not defined" + as_written(judge, text, place),
               std::move(suggestion));
}

// Allowed builtins that may be called in some ways only, read here without a call (calls.cc judges
// the calls).
void judge_builtin(Judge& judge, PyObject* name, Place place) {
  const std::string_view text = text_of(name);
  if (text == "getattr" || text == "setattr" || text == "hasattr" || text == "delattr") {
    return judge.report(
        RuleCode::kDynamicAttribute, place, std::string(text),
        "'" + std::string(text) + "' may only be called with a literal name, not used as a value",
        "Write the attribute with a dot, or call it: " + std::string(text) +
            (text == "setattr" ? "(x, \"name\", value)." : "(x, \"name\")."));
  }
  // A field annotated as `type` would hand it out again through dataclasses.fields().
  const bool in_class = judge.scopes().scope(judge.scope()).kind == ScopeKind::kClass;
  if (text == "type" && (!judge.in_plain_annotation() || in_class)) {
    return judge.report(
        RuleCode::kDynamicClass, place, "type",
        "'type' may only be called with one argument or be named in isinstance, "
        "not used as a value: "
        "with three arguments it makes classes that nobody can read",
        "Use type(x).__name__ or isinstance(x, T); to make a class, a class statement.");
  }
}

void report_class_maker(Judge& judge, expr_ty node) {
  const std::string text(text_of(node->v.Name.id));
  judge.report(
      RuleCode::kDynamicClass, place_of(node), text,
      "'" + text +
          "' is an enum without members: called, it makes classes, so it may be a base class "
          "or a type in annotations, but not be kept or handed on",
      "Give it its members where it is defined, or name the class that has them.");
}

bool makes_classes(std::string_view name) {
  return name == "Enum" || name == "IntEnum" || name == "StrEnum" || name == "Flag" ||
         name == "IntFlag" || name == "ReprEnum" || name == "TypedDict";
}

}  // namespace

bool judge_class_value(Judge& judge, expr_ty node, std::string_view module, std::string_view name) {
  // Three reasons why a class may not travel: its instances reach files, it makes classes, or it
  // rewrites the class that it is given.
  const bool is_guarded = judge.policy().guarded_class(module, name) != nullptr;
  const bool is_factory = (module == "enum" || module == "typing") && makes_classes(name);
  const bool is_rewriter =
      (module == "dataclasses" || module == "typing" || module == "enum") && rewrites_classes(name);
  if ((!is_guarded && !is_factory && !is_rewriter) || judge.is_excused(node)) return false;
  const std::string text(name);
  judge.report(is_guarded ? RuleCode::kFileOperation : RuleCode::kDynamicClass, place_of(node),
               text,
               "'" + text + "' may be called, be a type in annotations and isinstance" +
                   (is_factory ? ", or be a base class" : "") +
                   ", but not be kept as a value: what is done with it could not be judged",
               "Call it where you need it: " + text + "(…).");
  return true;
}

// Names that Python or a library acts on by themselves: binding them is as good as calling them.
void judge_binding(Judge& judge, PyObject* name, Place place) {
  const std::string_view text = text_of(name);
  if (judge.scopes().spells_private_name(text)) {
    return judge.report(RuleCode::kSpecialName, place, std::string(text),
                        "The name '" + std::string(text) +
                            "' is how the interpreter spells a private name of a class here: what "
                            "is bound to it would be read under another name",
                        "Choose another name.");
  }
  if (text == "__match_args__") return report_match_args(judge, place);
  if (!is_special(text) || judge.policy().facts(name).definable_special != nullptr) return;
  judge.report(
      RuleCode::kSpecialName, place, std::string(text),
      "The special name '" + std::string(text) +
          "' may not be defined: the interpreter and its libraries act on what is in it",
      "Use an ordinary name; protocol methods such as __init__, __eq__ and __len__ are allowed.");
}

// In this order: a write; a name that is only there for type checkers; a module; a class that may
// not travel; a name for type(x); a name that may hide a builtin; a builtin; nothing at all.
void judge_name(Judge& judge, expr_ty node) {
  PyObject* name = node->v.Name.id;
  const Place place = place_of(node);
  // Store or Del.
  if (node->v.Name.ctx != Load) {
    if (judge.is_excused_itself(node) && text_of(name) == "__match_args__") return;
    return judge_binding(judge, name, place);
  }
  const NameFacts& facts = judge.policy().facts(name);
  // Bound somewhere in the file, or a builtin (or nothing at all).
  const SymbolId id = judge.scopes().resolve(judge.scope(), name);
  if (id != kNone) {
    if (judge.is_for_type_checkers(id)) {
      if (judge.in_annotation() && judge.scopes().future_annotations) return;  // never evaluated
      const std::string text(text_of(name));
      return judge.report(
          RuleCode::kUndefinedName, place, text,
          "The name '" + text +
              "' is imported for type checkers only: when the code runs, there is "
              "no such name",
          "Import it outside of 'if TYPE_CHECKING:', or add 'from __future__ import "
          "annotations' when only annotations use it.");
    }
    // In a class body, `re = re` reads the module's own name before the class has one.
    if (is_module(judge, id) || is_module(judge, judge.scopes().fallback(id))) {
      const std::string text(text_of(name));
      return judge.report(RuleCode::kModuleAsValue, place, text,
                          "The module '" + text +
                              "' is used as a value: only what stands behind its dot can be judged",
                          "Use what you need from it directly: " + text + ".name.");
    }
    bool is_reported = false;
    const auto judge_bound = [&](const Binding& one) {
      if (is_reported) return;
      if (one.kind == BindingKind::kForeign) {
        is_reported =
            judge_class_value(judge, node, one.surface->surface().name, text_of(one.attribute));
      } else if (one.kind == BindingKind::kClass && !judge.is_excused(node) &&
                 makes_classes(judge, one.statement, one.scope)) {
        is_reported = true;
        report_class_maker(judge, node);
      }
    };
    if (judge.bound_to(id).is_class) judge.scopes().for_each_binding(id, judge_bound);
    if (is_reported) return;
    if (!judge.is_shown(node) && is_name_of_type(judge, node)) return report_kept_type(judge, node);
    const ScopeKind where = judge.scopes().scope(judge.scopes().symbol(id).scope).kind;
    // In a function an unbound local raises; elsewhere the builtin of that name is read.
    const bool falls_back = where == ScopeKind::kModule || where == ScopeKind::kClass;
    const bool matters =
        is_refused_builtin(facts, text_of(name)) || is_judged_by_use(text_of(name));
    if (falls_back && matters && !is_surely_bound(judge, id, place.line) &&
        !is_surely_bound(judge, judge.scopes().find_here(0, name), place.line)) {
      refuse_builtin(judge, name, facts, place, true);
    }
    return;
  }
  if (facts.builtin != nullptr) return judge_builtin(judge, name, place);
  if (is_refused_builtin(facts, text_of(name)))
    return refuse_builtin(judge, name, facts, place, false);
  if (judge.in_annotation() && judge.scopes().future_annotations) return;  // never evaluated
  report_undefined(judge, name, place);
}

void judge_named_expression(Judge& judge, expr_ty node) {
  judge.visit(node->v.NamedExpr.value);
  judge_binding(judge, node->v.NamedExpr.target->v.Name.id, place_of(node->v.NamedExpr.target));
}

}  // namespace airlock::vet

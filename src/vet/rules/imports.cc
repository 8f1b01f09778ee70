// Imports: a module must be on the policy's list, and every name taken from it on that module's
// list. The list is the same wherever the import stands (function, class, try …) and under whatever
// name it is bound.
#include <algorithm>
#include <span>
#include <string>

#include "base/nearest.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

std::string joined(std::string_view module, std::string_view name) {
  return std::string(module) + "." + std::string(name);
}

std::string nearest_module(const Policy& policy, std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(policy.modules.size());
  for (const Surface& module : policy.modules) names.emplace_back(module.name);
  return std::string(nearest_word(name, names));
}

std::string allowed_modules(const Policy& policy) {
  std::string list;
  for (const Surface& module : policy.modules) {
    if (module.name == "__future__") continue;
    if (!list.empty()) list += ", ";
    list += module.name;
  }
  return list;
}

// In the policy's words when it has some, else with the nearest listed module.
void refuse_module(Judge& judge, std::string_view name, Place place) {
  const Policy& policy = judge.policy().policy();
  std::string message;
  std::string suggestion;
  if (const Refusal* refusal = judge.policy().refused_module(name); refusal != nullptr) {
    message = refusal->why;
    // Where the reason names the module itself, once is enough.
    if (message.find(std::string(name)) == std::string::npos)
      message = "Module '" + std::string(name) + "' not in whitelist: " + message;
    suggestion = refusal->instead;
  } else {
    message = "Module '" + std::string(name) + "' not in whitelist";
    const std::size_t dot = name.find('.');
    if (dot != std::string_view::npos && judge.policy().module(name.substr(0, dot)) != nullptr) {
      message += " (the listed module is '" + std::string(name.substr(0, dot)) +
                 "' itself, not what is inside it)";
    }
  }
  if (suggestion.empty()) {
    if (const std::string near = nearest_module(policy, name); !near.empty()) {
      suggestion = "Did you mean '" + near + "'?";
    } else {
      suggestion = "Allowed imports: " + allowed_modules(policy) + ".";
    }
  }
  judge.report(RuleCode::kForbiddenImport, place, std::string(name), std::move(message),
               std::move(suggestion));
}

std::string why_not_from(const SurfaceIndex& surface, PyObject* name) {
  const std::string module = surface.surface().name;
  if (const Refusal* refusal = surface.refusal(name); refusal != nullptr) {
    return "'" + joined(module, text_of(name)) + "' is not allowed: " + refusal->why;
  }
  return "'" + std::string(text_of(name)) + "' may not be imported from '" + module +
         "': it is not on that module's list";
}

// The policy's advice, a near miss of the name, or where to look.
std::string what_instead(const SurfaceIndex& surface, PyObject* name) {
  if (const Refusal* refusal = surface.refusal(name);
      refusal != nullptr && !refusal->instead.empty()) {
    return refusal->instead;
  }
  std::vector<std::string_view> names(surface.surface().attributes.begin(),
                                      surface.surface().attributes.end());
  if (const auto near = nearest_word(text_of(name), names); !near.empty()) {
    return "Did you mean '" + std::string(near) + "'?";
  }
  return "See 'airlock policy show' for what may be taken from '" + surface.surface().name + "'.";
}

}  // namespace

namespace {

// A module bound in a class body becomes an attribute of the class, and a name bound to two modules
// is either: no reading of the text can follow them from there.
void judge_module_binding(Judge& judge, stmt_ty node, PyObject* name) {
  const bool in_class = judge.scopes().scope(judge.scope()).kind == ScopeKind::kClass;
  const SymbolId id = judge.scopes().resolve(judge.scope(), name);
  const SurfaceIndex* first = nullptr;
  bool is_other = false;
  bool is_module = false;
  // Whether the name may be something else than a module at times.
  bool is_value = false;
  if (id != kNone) {
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      if (one.kind != BindingKind::kModule && one.kind != BindingKind::kPackage) {
        // try: import re … except ImportError: re = None
        const bool is_nothing = one.kind == BindingKind::kRefused ||
                                one.kind == BindingKind::kDeclared ||
                                (one.kind == BindingKind::kValue && one.value != nullptr &&
                                 one.value->kind == Constant_kind);
        is_value = is_value || !is_nothing;
        return;
      }
      is_module = true;
      is_other = is_other || (first != nullptr && first != one.surface);
      first = one.surface;
    });
  }
  if (is_module && in_class) {
    judge.report(
        RuleCode::kImportForm, place_of(node), std::string(text_of(name)),
        "A module may not be imported in a class body: it would become an attribute of the class",
        "Put the import at the top of the file.");
  } else if (is_module && is_value) {
    judge.report(RuleCode::kImportForm, place_of(node), std::string(text_of(name)),
                 "The name '" + std::string(text_of(name)) +
                     "' is bound to a module here and to something else in other places",
                 "Give your own value another name.");
  } else if (is_other) {
    judge.report(RuleCode::kImportForm, place_of(node), std::string(text_of(name)),
                 "The name '" + std::string(text_of(name)) + "' is bound to two different modules",
                 "Give each module a name of its own.");
  }
}

}  // namespace

namespace {

// Whether nothing but these statements binds this name of the function: it is a local that has no
// value then, and never a builtin or a name of the module.
bool is_bound_only_by(Judge& judge, std::span<const stmt_ty> imports, PyObject* name) {
  const Scopes& scopes = judge.scopes();
  const SymbolId id = scopes.find_here(judge.scope(), name);
  if (id == kNone || scopes.symbol(id).is_global || scopes.symbol(id).is_nonlocal) return false;
  bool is_only = scopes.symbol(id).first != kNone;
  scopes.for_each_binding(id, [&](const Binding& one) {
    is_only = is_only && judge.may_look(imports.size()) &&
              std::ranges::find(imports, one.statement) != imports.end();
  });
  return is_only;
}

// The same in a function, for its own locals. A class body is no place for it: what has no value
// there is looked up elsewhere.
bool is_type_checking_in_function(Judge& judge, stmt_ty node) {
  if (judge.scopes().scope(judge.scope()).kind != ScopeKind::kFunction) return false;
  if (!judge.is_type_checking(node)) return false;
  expr_ty test = node->v.If.test;
  // is_type_checking() has seen that this is `TYPE_CHECKING` or `typing.TYPE_CHECKING`.
  PyObject* tested = (test->kind == Attribute_kind ? test->v.Attribute.value : test)->v.Name.id;
  const SymbolId id = judge.scopes().resolve(judge.scope(), tested);
  // TYPE_CHECKING must be the module's: a local of that name may be true.
  if (id != judge.scopes().find_here(0, tested)) return false;  // another name of this spelling
  const auto body = items(node->v.If.body);
  return std::ranges::all_of(body, [&](stmt_ty one) {
    if (one->kind == Pass_kind) return true;
    const auto names =
        items(one->kind == Import_kind ? one->v.Import.names : one->v.ImportFrom.names);
    return std::ranges::all_of(names, [&](alias_ty alias) {
      if (alias->asname != nullptr) return is_bound_only_by(judge, body, alias->asname);
      const std::string_view whole = text_of(alias->name);
      const std::string_view first = whole.substr(0, whole.find('.'));
      PyObject* top =
          PyUnicode_FromStringAndSize(first.data(), static_cast<Py_ssize_t>(first.size()));
      PyUnicode_InternInPlace(&top);
      const bool is_only = is_bound_only_by(judge, body, top);
      Py_DECREF(top);
      return is_only;
    });
  });
}

}  // namespace

// What stands under `if TYPE_CHECKING:` never runs.
void judge_if(Judge& judge, stmt_ty node) {
  const bool never_runs =
      judge.scope() == 0 ? judge.is_type_checking(node) : is_type_checking_in_function(judge, node);
  if (!never_runs) return judge.children(node);
  // The body is left out: it holds imports only, and never runs. The else branch always does.
  judge.visit(node->v.If.test);
  judge.visit_all(node->v.If.orelse);
}

// The module itself, and the name that it is bound to: both can be wrong, and both are told.
void judge_import(Judge& judge, stmt_ty node) {
  for (alias_ty alias : items(node->v.Import.names)) {
    const std::string_view name = text_of(alias->name);
    PyObject* bound = alias->asname;
    PyObject* top = nullptr;
    // `import a.b` binds a.
    if (bound == nullptr) {
      const std::string_view first = name.substr(0, name.find('.'));
      top = PyUnicode_FromStringAndSize(first.data(), static_cast<Py_ssize_t>(first.size()));
      PyUnicode_InternInPlace(&top);
      bound = top;
    }
    judge_module_binding(judge, node, bound);
    Py_XDECREF(top);
    if (judge.policy().module(name) == nullptr) refuse_module(judge, name, place_of(node));
    if (alias->asname != nullptr) judge_binding(judge, alias->asname, place_of(alias));
  }
}

// A module of the policy, or a package of which only a few names may be taken (`from os import
// path`).
void judge_import_from(Judge& judge, stmt_ty node) {
  const Place place = place_of(node);
  const std::string module(node->v.ImportFrom.module != nullptr ? text_of(node->v.ImportFrom.module)
                                                                : "");
  if (node->v.ImportFrom.level > 0) {
    // For the message; the number of dots comes from the text and may be large.
    const std::string dots(static_cast<std::size_t>(std::min(node->v.ImportFrom.level, 8)), '.');
    return judge.report(
        RuleCode::kImportForm, place, dots + module,
        "Relative imports are not allowed: an extractor is one file and belongs to no package",
        "Import an allowed module by its full name, or put the code into this file.");
  }
  const SurfaceIndex* surface = judge.policy().module(module);
  const bool is_package = surface == nullptr && judge.policy().package(module) != nullptr;
  if (is_package) surface = judge.policy().package(module);
  for (alias_ty alias : items(node->v.ImportFrom.names)) {
    const std::string_view name = text_of(alias->name);
    if (alias->asname != nullptr) judge_binding(judge, alias->asname, place_of(alias));
    if (surface == nullptr) continue;
    judge_module_binding(judge, node, alias->asname != nullptr ? alias->asname : alias->name);
    if (name == "*") {
      judge.report(
          RuleCode::kImportForm, place, joined(module, "*"),
          "'from " + module + " import *' is not allowed: nobody can see which names it brings in",
          "Name what you need: 'from " + module + " import …'.");
    } else if (!surface->allows(alias->name)) {
      if (is_package) {
        refuse_module(judge, module, place);
      } else {
        judge.report(RuleCode::kForbiddenImport, place, joined(module, name),
                     why_not_from(*surface, alias->name), what_instead(*surface, alias->name));
      }
    }
  }
  // Once for the statement, not for each name in it.
  if (surface == nullptr) refuse_module(judge, module, place);
}

}  // namespace airlock::vet

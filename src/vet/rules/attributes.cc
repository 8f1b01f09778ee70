// Attributes. Behind a module's dot only what that module's list allows. On any other object: no
// special names but a short harmless list, nothing that leads to frames and code, no private names
// of things that the code did not define, and no file operations on what may be a path.
#include <algorithm>
#include <iterator>
#include <string>

#include "base/nearest.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// One rule for assigning, deleting and using what changes a library's object.
void report_foreign_write(Judge& judge, expr_ty node, const std::string& item) {
  const bool is_delete = node->v.Attribute.ctx == Del;
  judge.report(RuleCode::kForeignWrite, place_of(node), item,
               quoted(item) + " may not be " +
                   (is_delete                       ? "deleted"
                    : node->v.Attribute.ctx == Load ? "used here"
                                                    : "assigned") +
                   ": it belongs to a library, and changing it changes the program around the code",
               "Keep your own value in a variable or in a class of your own.");
}

// x in module.x, x being wrong.
// The policy's own words for a refusal come first, a near miss of the name second.
void report_module_attribute(Judge& judge, expr_ty node, const SurfaceIndex& surface) {
  PyObject* name = node->v.Attribute.attr;
  const std::string& module = surface.surface().name;
  const std::string item = module + "." + std::string(text_of(name));
  std::string message;
  std::string suggestion;
  const Refusal* refusal = surface.refusal(name);
  if (module == "os") {
    message = item + " not allowed (only os.path permitted)";
  } else if (refusal != nullptr) {
    message = quoted(item) + " is not allowed: " + refusal->why;
  } else {
    message = quoted(item) + " is not on the list of what may be used from " + quoted(module);
  }
  if (refusal != nullptr) suggestion = refusal->instead;
  if (suggestion.empty()) {
    const auto& allowed = surface.surface().attributes;
    const std::vector<std::string_view> names(allowed.begin(), allowed.end());
    const std::string_view near = nearest_word(text_of(name), names);
    suggestion = near.empty() ? "See 'airlock policy show' for what " + quoted(module) + " offers."
                              : "Did you mean '" + module + "." + std::string(near) + "'?";
  }
  judge.report(RuleCode::kModuleAttribute, place_of(node), item, std::move(message),
               std::move(suggestion));
}

// Path.replace takes one argument and Path.group none: with more, it is str.replace and
// Match.group.
bool arguments_rule_out_path(std::string_view name, expr_ty call) {
  if (call == nullptr) return false;
  const auto arguments = items(call->v.Call.args);
  const auto keywords = items(call->v.Call.keywords);
  // With * or ** nobody knows how many arguments there are.
  const bool is_open =
      std::ranges::any_of(arguments, [](expr_ty one) { return one->kind == Starred_kind; }) ||
      std::ranges::any_of(keywords, [](keyword_ty one) {
        return one->arg == nullptr || text_of(one->arg) == "target";
      });
  if (is_open) return false;
  if (name == "replace") return arguments.size() > 1 || (arguments.empty() && !keywords.empty());
  // Match.group(1): Path.group() takes none.
  return name == "group" && !arguments.empty();
}

// The policy's reason, or the general one for what is on no list.
void report_file_operation(Judge& judge, std::string_view name, const Refusal* refusal,
                           Place place) {
  const std::string why =
      refusal != nullptr ? refusal->why : "it is not one of the pure operations on paths";
  const std::string instead = refusal != nullptr && !refusal->instead.empty()
                                  ? refusal->instead
                                  : "Use the path's own parts: name, stem, suffix, parent, parts.";
  judge.report(RuleCode::kFileOperation, place, std::string(name),
               "'" + std::string(name) + "' may not be used on a path: " + why, instead);
}

// Where the file uses a guarded class at all, an ordinary word such as `exists` or `owner` is only
// taken for the code's own when the receiver surely is an object of its own. `group` and `replace`
// are too common on matches and texts for that: they pass when no path can have got there.
bool judge_guarded(Judge& judge, PyObject* name, expr_ty receiver, expr_ty call, Place place) {
  const std::string_view text = text_of(name);
  if (receiver == nullptr || is_special(text) || !judge.policy().any_guarded_class_refuses(name))
    return false;
  const Refusal* refusal = nullptr;
  for (const SurfaceIndex& one : judge.policy().guarded_classes()) {
    if (refusal == nullptr) refusal = one.refusal(name);
  }
  const bool is_private = text.starts_with('_');
  // A name that no guarded class has cannot do anything there.
  if ((refusal == nullptr && !is_private) || !judge.flow().has_guarded_class()) return false;
  if (is_private) {
    // The dangerous ones are refused on any object; the others hold text.
    const bool is_path = judge.flow().may_be_guarded(receiver, judge.scope()) ||
                         judge.flow().may_be_guarded_class(receiver, judge.scope());
    if (is_path) report_file_operation(judge, text, refusal, place);
    return is_path;
  }
  const bool is_ruled_out = arguments_rule_out_path(text, call);
  // For these two alone "no path can have got there" is enough; the others need certainty.
  const bool may_be_common = text == "group" || text == "replace";
  const unsigned taint = judge.taint().of(receiver, judge.scope());
  const bool is_class =
      judge.flow().may_be_guarded_class(receiver, judge.scope()) || (taint & kPathClassTaint) != 0;
  if (!is_class && is_ruled_out) return false;
  bool is_suspicious = is_class || (taint & kPathTaint) != 0;
  if (!may_be_common) {
    is_suspicious = is_suspicious || !judge.scopes().defines_attribute(name) ||
                    !judge.flow().is_surely_own(receiver, judge.scope());
  }
  if (is_suspicious) report_file_operation(judge, text, refusal, place);
  return is_suspicious;
}

// wrapper.__name__ = function.__name__: what functools.wraps does for a function of one's own.
bool is_own_function(const Judge& judge, expr_ty node) {
  if (node->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), node->v.Name.id);
  if (id == kNone) return false;
  bool is_function = true;
  judge.scopes().for_each_binding(id, [&](const Binding& one) {
    is_function = is_function && one.kind == BindingKind::kFunction;
  });
  return is_function;
}

// super().__call__(…) goes to the class above, with an instance of this one.
bool is_super(const Judge& judge, expr_ty node) {
  return node->kind == Call_kind && items(node->v.Call.args).empty() &&
         judge.is_builtin(node->v.Call.func, "super");
}

stmt_ty only_class_named(const Judge& judge, expr_ty node) {
  if (node->kind != Name_kind) return nullptr;
  return only_class(judge, judge.scopes().resolve(judge.scope(), node->v.Name.id));
}

// collections.abc, typing and collections have classes whose `register` counts for those above
// them.
// ABCMeta.register() makes isinstance() lie about other classes, for all code in the process.
bool derives_from_abstract(Judge& judge) {
  const Scopes& scopes = judge.scopes();
  // The cost is that of the loop below; past the file's bound the careful answer is given.
  if (!judge.may_look(scopes.scope_count())) return true;
  for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
    if (scopes.scope(id).kind != ScopeKind::kClass) continue;
    const auto* owner = static_cast<const _stmt*>(scopes.scope(id).node);
    for (expr_ty base : items(owner->v.ClassDef.bases)) {
      if (base->kind == Subscript_kind) base = base->v.Subscript.value;
      if (base->kind == Call_kind) continue;
      if (base->kind != Name_kind) return true;
      const SymbolId known = scopes.resolve(scopes.scope(id).parent, base->v.Name.id);
      bool is_abstract = false;
      if (known != kNone) {
        scopes.for_each_binding(known, [&](const Binding& one) {
          is_abstract = is_abstract || (one.kind == BindingKind::kForeign &&
                                        one.surface->surface().name != "enum" &&
                                        one.surface->surface().name != "json");
        });
      }
      if (is_abstract) return true;
    }
  }
  return false;
}

// A `register` that is not surely a method of this file's own.
bool may_be_abstract(Judge& judge, expr_ty receiver) {
  PyObject* name = PyUnicode_InternFromString("register");
  const bool is_own = judge.scopes().defines_attribute(name);
  Py_DECREF(name);
  if (is_surely_own(judge, receiver, judge.scope())) return !is_own;
  return !is_own || derives_from_abstract(judge);
}

// A named tuple of this file, by its name, or `self` in one.
bool is_own_tuple(Judge& judge, expr_ty node) {
  if (is_surely_own(judge, node, judge.scope())) return true;
  if (node->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), node->v.Name.id);
  if (id == kNone) return false;
  if (only_class(judge, id) != nullptr) return true;
  const Symbol& symbol = judge.scopes().symbol(id);
  if (symbol.first == kNone || symbol.first != symbol.last) return false;
  const Binding& only = judge.scopes().binding(symbol.first);
  return only.kind == BindingKind::kValue && only.value != nullptr && only.value->kind == Call_kind;
}

bool is_members_table(expr_ty node) {
  return node->kind == Attribute_kind && text_of(node->v.Attribute.attr) == "__members__";
}

struct Advice {
  std::string_view name;
  std::string_view instead;
};

// What people mean when they write these, and how to say it without them.
constexpr Advice kAdvice[] = {
    {"__class__", "Use type(x).__name__ for its name, or isinstance(x, T)."},
    {"__dict__", "Use dataclasses.asdict(x), or name the fields."},
    {"__annotations__", "Use dataclasses.fields(T), or name the fields."},
    {"__slots__", "Name the fields."},
    {"__module__", "Remove it: there is only one module."},
    {"__setattr__",
     "Assign the attribute; in a frozen dataclass write object.__setattr__(self, \"name\", "
     "value)."},
    {"__mro__", "Use isinstance(x, T) or issubclass(T, B)."},
    {"__bases__", "Use issubclass(T, B)."},
    {"__subclasses__", "Keep a list of your own classes."},
    {"__globals__", "Use the module's own names directly."},
    {"__code__", "Call the function instead."},
    {"__defaults__", "Give the defaults where the function or namedtuple is defined."},
};

}  // namespace

void excuse_members(Judge& judge, expr_ty node) {
  if (is_members_table(node)) judge.excuse(node);
}

bool may_be_library_class_or_function(Judge& judge, expr_ty node) {
  return may_be_library_class(judge, node) ||
         (judge.taint().of(node, judge.scope()) & kLibraryFunctionTaint) != 0;
}

bool may_be_library_class(Judge& judge, expr_ty node) {
  if (judge.flow().may_be_foreign(node, judge.scope())) return true;
  return (judge.taint().of(node, judge.scope()) & (kLibraryClassTaint | kPathClassTaint)) != 0;
}

// From the worst to the least: frames and code, special names, mangled names, private names.
std::optional<Objection> attribute_objection(const Judge& judge, PyObject* name,
                                             Exemption exemption) {
  const std::string_view text = text_of(name);
  const NameFacts& facts = judge.policy().facts(name);
  if (facts.introspection != nullptr) {
    const std::string& instead = facts.introspection->instead;
    return Objection{facts.introspection->why,
                     instead.empty() ? "Remove it: nothing behind it is available." : instead};
  }
  if (is_special(text)) {
    if (facts.readable_special != nullptr) return std::nullopt;
    const auto* advice = std::ranges::find(kAdvice, text, &Advice::name);
    return Objection{"special attributes lead from any object into the interpreter",
                     advice != std::end(kAdvice) ? std::string(advice->instead)
                                                 : "Name what you need directly."};
  }
  if (judge.scopes().spells_private_name(text)) {
    return Objection{"it is how the interpreter spells a private name of a class here",
                     "Use the name with its two underscores, inside the class."};
  }
  // _x_ is how enum spells its own; a class of this file that has one too gives no right to them.
  const bool is_enums = text.size() > 2 && text.ends_with('_') && !text.ends_with("__");
  const bool is_own =
      exemption == Exemption::kOwnNames && !is_enums && judge.scopes().defines_attribute(name);
  if (text.starts_with('_') && facts.private_name == nullptr && !is_own) {
    return Objection{"it is a private name of something that this code does not define",
                     "Use the documented attributes."};
  }
  return std::nullopt;
}

// From what is wrong on any object to what is wrong on some: forbidden names, private names of a
// library's objects, file operations, operations of guarded classes.
bool judge_attribute_name(Judge& judge, PyObject* name, expr_ty receiver, expr_ty call,
                          Place place) {
  const std::string_view text = text_of(name);
  if (const auto objection = attribute_objection(judge, name, Exemption::kOwnNames)) {
    judge.report(RuleCode::kIntrospection, place, std::string(text),
                 "The attribute " + quoted(text) + " may not be used: " + objection->why,
                 objection->instead);
    return true;
  }
  const NameFacts& facts = judge.policy().facts(name);
  if (text.starts_with('_') && !is_special(text) && facts.private_name == nullptr &&
      receiver != nullptr &&
      (judge.flow().may_be_made_by_library(receiver, judge.scope()) ||
       may_be_library_class(judge, receiver))) {
    judge.report(RuleCode::kIntrospection, place, std::string(text),
                 "The attribute " + quoted(text) +
                     " may not be used here: it is a private name of the library's object",
                 "Use the documented attributes.");
    return true;
  }
  if (facts.file_operation != nullptr) {
    const bool is_own =
        judge.scopes().defines_attribute(name) &&
        (!judge.flow().has_guarded_class() ||
         (receiver != nullptr && judge.flow().is_surely_own(receiver, judge.scope()) &&
          (judge.taint().of(receiver, judge.scope()) & (kPathTaint | kPathClassTaint)) == 0));
    if (!is_own) report_file_operation(judge, text, facts.file_operation, place);
    if (!is_own) return true;
  }
  return judge_guarded(judge, name, receiver, call, place);
}

// First modules, whose lists settle everything; then the attributes with rules of their own
// (__name__, register, _field_defaults, __call__, __members__); at last the name itself. A report
// ends the judgement of this node, but the receiver is still visited.
void judge_attribute_of_call(Judge& judge, expr_ty node, expr_ty call) {
  expr_ty value = node->v.Attribute.value;
  PyObject* name = node->v.Attribute.attr;
  const std::string_view text = text_of(name);
  const bool is_read = node->v.Attribute.ctx == Load;
  // The name is judged, as one that is not there when the code runs.
  if (value->kind == Name_kind) {
    const SymbolId id = judge.scopes().resolve(judge.scope(), value->v.Name.id);
    if (id != kNone && judge.is_for_type_checkers(id)) return judge.visit(value);
  }
  // The receiver of a module's dot is judged here and not visited: judge_name() would refuse the
  // module as a value.
  if (const SurfaceIndex* module = judge.flow().module_of(value, judge.scope());
      module != nullptr) {
    if (!is_read)
      return report_foreign_write(judge, node, module->surface().name + "." + std::string(text));
    if (!module->allows(name)) return report_module_attribute(judge, node, *module);
    if (const SurfaceIndex* inner = judge.flow().module_of(node, judge.scope()); inner != nullptr) {
      judge.report(RuleCode::kModuleAsValue, place_of(node), inner->surface().name,
                   "The module '" + inner->surface().name +
                       "' is used as a value: only what stands behind its dot can be judged",
                   "Use what you need from it directly: " + inner->surface().name + ".name.");
    } else {
      judge_class_value(judge, node, module->surface().name, text);
    }
    return;
  }
  const bool is_class_name = (text == "__name__" || text == "__qualname__") &&
                             value->kind == Attribute_kind &&
                             text_of(value->v.Attribute.attr) == "__class__";
  if (is_class_name && is_read)
    return judge.visit(value->v.Attribute.value);  // x.__class__.__name__
  // Naming a class is one of the few things that may be done with it.
  if (text == "__name__" || text == "__qualname__") {  // type(x).__name__
    judge.excuse(value);
    if (is_read) judge.show(value);
  }
  const bool is_members = is_members_table(value);
  if (is_members && (text == "items" || text == "values" || text == "keys" || text == "get"))
    judge.excuse(value);
  if (value->kind == Name_kind || (value->kind == Attribute_kind && !is_members))
    judge.excuse(value);  // Path.x is judged by its x
  if ((text == "register" || text == "__call__" || text == "__new__") &&
      may_be_library_class(judge, value)) {
    return report_foreign_write(judge, node, std::string(text));
  }
  if (text == "register" && is_read && may_be_abstract(judge, value)) {
    judge.report(
        RuleCode::kForeignWrite, place_of(node), "register",
        "'register' of an abstract class changes what isinstance says of the library's own "
        "classes, for all code around",
        "Derive from the class, or give a method of your own another name.");
    return judge.visit(value);
  }
  if (text == "_field_defaults" && !is_own_tuple(judge, value)) {
    judge.report(
        RuleCode::kIntrospection, place_of(node), std::string(text),
        "'_field_defaults' of something that may be a library's tuple may not be used: it is "
        "the dict that the class itself keeps",
        "Use it on a named tuple of this file, by its name.");
    return judge.visit(value);
  }
  if (text == "__call__" && !is_super(judge, value) &&
      !is_surely_own(judge, value, judge.scope())) {
    judge.report(RuleCode::kIntrospection, place_of(node), std::string(text),
                 "The attribute '__call__' may not be used here: of a class it makes whatever the "
                 "class's own class makes",
                 "Call the object: x(…).");
    return judge.visit(value);
  }
  if (text == "__members__" && is_read && !judge.is_excused_itself(node) &&
      only_class_named(judge, value) == nullptr) {
    judge.report(
        RuleCode::kIntrospection, place_of(node), std::string(text),
        "'__members__' of something that may be a library's enum may not be kept: it leads "
        "to the table that the enum itself uses",
        "Use it where it is read (x.__members__[name], name in x.__members__), or iterate "
        "over the class.");
    return judge.visit(value);
  }
  // Reads and writes alike; the rules for writes come on top.
  const bool is_reported = judge_attribute_name(judge, name, value, call, place_of(node));
  if (!is_read && !is_reported) {
    // What functools.wraps does by hand.
    const bool names_function =
        (text == "__name__" || text == "__qualname__" || text == "__doc__") &&
        is_own_function(judge, value);
    if (names_function) {
      return judge.visit(value);
    }
    if (is_special(text)) {
      judge.report(RuleCode::kSpecialName, place_of(node), std::string(text),
                   "The special attribute " + quoted(text) + " may not be changed",
                   "Define protocol methods in the class body; __name__ and __doc__ may be set on "
                   "functions of your own.");
    } else if (may_be_library_class_or_function(judge, value)) {
      report_foreign_write(judge, node, std::string(text));
    }
  }
  judge.visit(value);
}

void judge_attribute(Judge& judge, expr_ty node) {
  const std::string_view text = text_of(node->v.Attribute.attr);
  if ((text == "format" || text == "format_map") && node->v.Attribute.ctx == Load)
    judge_format_reference(judge, node);
  judge_attribute_of_call(judge, node, nullptr);
}

}  // namespace airlock::vet

// str.format. A template's fields can read attributes ("{0.__class__}") and nothing in the tree
// shows it, so a template must be known from the text: a literal, or a name, class variable or
// table that holds only literals.
#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// Names and tables behind each other; templates for one call; nodes looked at for one question.
constexpr int kMaxFormatDepth = 8;
constexpr std::size_t kMaxTemplates = 500;
constexpr int kMaxSteps = 2000;

// Every template that this expression may be; nothing when one of them is not known.
// Every way that the value may have come must be known. `found` is only complete when find()
// returned true.
class TemplateFinder {
 public:
  explicit TemplateFinder(Judge& judge) : judge_(judge) {}

  // False: there may be a template that is not known.
  bool find(expr_ty node, ScopeId scope, int depth = 0) {
    if (node == nullptr || depth > kMaxFormatDepth || found.size() > kMaxTemplates ||
        ++steps_ > kMaxSteps)
      return false;
    if (auto text = judge_.flow().fold(node, scope)) {
      found.push_back(std::move(*text));
      return true;
    }
    switch (node->kind) {
      case IfExp_kind:
        return find(node->v.IfExp.body, scope, depth + 1) &&
               find(node->v.IfExp.orelse, scope, depth + 1);
      case BoolOp_kind:
        return find_all(items(node->v.BoolOp.values), scope, depth);
      case Name_kind: {
        const SymbolId id = judge_.scopes().resolve(scope, node->v.Name.id);
        if (id == kNone || !find_bindings(id, depth)) return false;
        const SymbolId other = judge_.scopes().fallback(id);
        // In a class body the module's name may be read instead.
        return other == kNone || find_bindings(other, depth);
      }
      case Attribute_kind:
        return is_own_receiver(node->v.Attribute.value, scope) && find_members(node, depth);
      case Subscript_kind:
        return find_values(node->v.Subscript.value, scope, depth + 1);
      case Call_kind: {
        // TEMPLATES.get(key, "{x}")
        expr_ty function = node->v.Call.func;
        if (function->kind != Attribute_kind || text_of(function->v.Attribute.attr) != "get")
          return false;
        const auto arguments = items(node->v.Call.args);
        if (arguments.empty() || !items(node->v.Call.keywords).empty() ||
            arguments[0]->kind == Starred_kind || arguments.back()->kind == Starred_kind)
          return false;
        if (arguments.size() == 2 && !find(arguments[1], scope, depth + 1)) return false;
        return find_values(function->v.Attribute.value, scope, depth + 1);
      }
      default:
        return false;
    }
  }

  std::vector<std::string> found;

 private:
  bool find_all(std::span<expr_ty> nodes, ScopeId scope, int depth) {
    for (expr_ty node : nodes) {
      if (!find(node, scope, depth + 1)) return false;
    }
    return !nodes.empty();
  }

  // self.T, cls.T, Row.T: a class variable of this file's own, not an attribute that a library
  // happens to call the same.
  bool is_own_receiver(expr_ty node, ScopeId scope) {
    if (is_surely_own(judge_, node, scope)) return true;
    if (node->kind != Name_kind) return false;
    const SymbolId id = judge_.scopes().resolve(scope, node->v.Name.id);
    return id != kNone && (only_class(judge_, id) != nullptr || is_own_class(id));
  }

  // cls in a class method.
  bool is_own_class(SymbolId id) const {
    const Scopes& scopes = judge_.scopes();
    const Scope& function = scopes.scope(scopes.symbol(id).scope);
    if (function.kind != ScopeKind::kFunction || !is_only(scopes, id, BindingKind::kParameter) ||
        scopes.binding(scopes.symbol(id).first).index != 0 ||
        scopes.scope(function.parent).kind != ScopeKind::kClass) {
      return false;
    }
    const auto* definition = static_cast<const _stmt*>(function.node);
    if (definition->kind != FunctionDef_kind) return false;
    const auto decorators = items(definition->v.FunctionDef.decorator_list);
    return decorators.size() == 1 && decorators[0]->kind == Name_kind &&
           text_of(decorators[0]->v.Name.id) == "classmethod" &&
           scopes.resolve(function.parent, decorators[0]->v.Name.id) == kNone;
  }

  // Every binding of the name has to be known; one parameter or loop over something foreign is
  // enough to say no.
  bool find_bindings(SymbolId id, int depth) {
    if (may_be_builtin(judge_, id)) return false;
    bool is_known = true;
    judge_.scopes().for_each_binding(id, [&](const Binding& one) {
      const bool is_value =
          one.kind == BindingKind::kValue && find(one.value, one.scope, depth + 1);
      const bool is_element = one.kind == BindingKind::kElement && one.value != nullptr &&
                              !one.is_content &&
                              find_values(one.value, one.scope, depth + 1, TableAccess::kByLoop);
      is_known = is_known && (is_value || is_element);
    });
    return is_known && judge_.scopes().symbol(id).first != kNone;
  }

  // A library's class above one of this file brings attributes of its own (SyntaxError.text), and a
  // named tuple brings its fields. None of the library's are written in capitals.
  bool may_be_inherited(PyObject* name) {
    const std::string_view text = text_of(name);
    if (!judge_.may_look(judge_.scopes().scope_count()) || judge_.taint().is_tuple_field(text))
      return true;
    const bool is_all_capitals =
        std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
    if (is_all_capitals) return false;
    const Scopes& scopes = judge_.scopes();
    for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
      if (scopes.scope(id).kind != ScopeKind::kClass) continue;
      const auto* owner = static_cast<const _stmt*>(scopes.scope(id).node);
      for (expr_ty base : items(owner->v.ClassDef.bases)) {
        const SymbolId known = base->kind == Name_kind
                                   ? scopes.resolve(scopes.scope(id).parent, base->v.Name.id)
                                   : SymbolId{kNone};
        const bool is_own = known != kNone && only_class(judge_, known) != nullptr;
        if (!is_own && !judge_.is_builtin(base, "object")) return true;
      }
    }
    return false;
  }

  // name: str = "…" in a dataclass or named tuple is what an instance has when it is given nothing
  // else. ClassVar is no field.
  bool is_field(ScopeId body, SymbolId member) {
    const Scopes& scopes = judge_.scopes();
    const auto* owner = static_cast<const _stmt*>(scopes.scope(body).node);
    if (items(owner->v.ClassDef.decorator_list).empty() && items(owner->v.ClassDef.bases).empty())
      return false;
    bool is_it = false;
    scopes.for_each_binding(member, [&](const Binding& one) {
      if (one.annotation == nullptr) return;
      expr_ty named = one.annotation->kind == Subscript_kind ? one.annotation->v.Subscript.value
                                                             : one.annotation;
      is_it = is_it || !is_class_variable(named, scopes.scope(body).parent);
    });
    return is_it;
  }

  // The library's ClassVar, by whatever name it was imported.
  bool is_class_variable(expr_ty named, ScopeId scope) {
    if (named->kind == Attribute_kind)
      return text_of(named->v.Attribute.attr) == "ClassVar" &&
             judge_.flow().module_of(named->v.Attribute.value, scope) != nullptr;
    if (named->kind != Name_kind) return false;
    const SymbolId id = judge_.scopes().resolve(scope, named->v.Name.id);
    if (id == kNone || !is_only(judge_.scopes(), id, BindingKind::kForeign)) return false;
    bool is_it = true;
    judge_.scopes().for_each_binding(
        id, [&](const Binding& one) { is_it = is_it && text_of(one.attribute) == "ClassVar"; });
    return is_it;
  }

  // self.TEMPLATE, Row.TEMPLATE: every class variable of that name, when nothing stores to it from
  // outside.
  bool find_members(expr_ty node, int depth) {
    const Scopes& scopes = judge_.scopes();
    PyObject* name = node->v.Attribute.attr;
    if (may_be_inherited(name) || judge_.defines_special("__getattr__") ||
        judge_.defines_special("__get__"))
      return false;
    // Any object of the file may be the one: stores under this name count wherever they are.
    for (const AttributeStore& store : scopes.attribute_stores) {
      if (store.name == name && (store.is_augmented || !find(store.value, store.scope, depth + 1)))
        return false;
    }
    const std::size_t before = found.size();
    for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
      if (scopes.scope(id).kind != ScopeKind::kClass) continue;
      const SymbolId member = scopes.find_here(id, name);
      if (member == kNone) continue;
      if (is_field(id, member) || !find_bindings(member, depth + 1)) return false;
    }
    return found.size() > before;
  }

  // The values of a table: a dict, list or tuple display, or a name bound to one.
  enum class TableAccess { kByKey, kByLoop };
  // kByKey: T[k] gives a value; kByLoop: a loop over a dict gives its keys.
  bool find_values(expr_ty node, ScopeId scope, int depth,
                   TableAccess access = TableAccess::kByKey) {
    if (node == nullptr || depth > kMaxFormatDepth || ++steps_ > kMaxSteps) return false;
    switch (node->kind) {
      case Dict_kind:
        // A loop over a dict gets its keys.
        return (access == TableAccess::kByKey ||
                find_all(items(node->v.Dict.keys), scope, depth)) &&
               find_all(items(node->v.Dict.values), scope, depth);
      case List_kind:
        return find_all(items(node->v.List.elts), scope, depth);
      case Tuple_kind:
        return find_all(items(node->v.Tuple.elts), scope, depth);
      case Name_kind: {
        const SymbolId id = judge_.scopes().resolve(scope, node->v.Name.id);
        if (id == kNone) return false;
        const SymbolId other = judge_.scopes().fallback(id);
        return find_stored(id, depth, access) &&
               (other == kNone || find_stored(other, depth, access));
      }
      case Call_kind: {
        // TEMPLATES.values(), .items(): the same values (keys are texts too and do no harm).
        expr_ty function = node->v.Call.func;
        if (function->kind != Attribute_kind) return false;
        const std::string_view method = text_of(function->v.Attribute.attr);
        const TableAccess which = method == "items" ? TableAccess::kByLoop : TableAccess::kByKey;
        return (method == "values" || method == "items") && items(node->v.Call.args).empty() &&
               find_values(function->v.Attribute.value, scope, depth + 1, which);
      }
      default:
        return false;
    }
  }

  // The values of a table that is known by name.
  bool find_stored(SymbolId id, int depth, TableAccess access) {
    if (may_be_builtin(judge_, id) || is_shared(id)) return false;
    bool is_known = judge_.scopes().symbol(id).first != kNone;
    judge_.scopes().for_each_binding(id, [&](const Binding& one) {
      // kElement: container[key] = value put a value in.
      is_known = is_known &&
                 ((one.kind == BindingKind::kValue && one.value != nullptr &&
                   (one.value->kind == Tuple_kind || TaintMap::has_one_name(one)) &&
                   find_values(one.value, one.scope, depth + 1, access)) ||
                  (one.is_content && access == TableAccess::kByKey &&
                   one.statement->kind != AugAssign_kind && find(one.value, one.scope, depth + 1)));
    });
    return is_known;
  }

  // Another name for the table, or the table handed to someone: then it may be changed out of
  // sight.
  bool is_shared(SymbolId id) const {
    const Symbol& symbol = judge_.scopes().symbol(id);
    const Binding& first = judge_.scopes().binding(symbol.first);
    const bool is_tuple = symbol.first == symbol.last && first.value != nullptr &&
                          first.kind == BindingKind::kValue && first.value->kind == Tuple_kind;
    return !is_tuple && judge_.taint().is_shared(id);
  }

  Judge& judge_;
  int steps_ = 0;
};

// The attributes that the fields of a template read, nested fields included. Reads like CPython's
// own parser: {{ and }} are text, a field ends at ! : or }, inside its name .x is an attribute and
// [x] an index.
std::vector<std::string> attributes_in(std::string_view text) {
  std::vector<std::string> names;
  bool in_name = false;   // in the name part of a field
  bool in_index = false;  // inside [ ]
  int depth = 0;
  // CPython's MarkupIterator: in a format spec (behind ':') fields may be nested, so depth is kept.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_index) {
      in_index = c != ']';
    } else if (c == '{') {
      if (depth == 0 && i + 1 < text.size() && text[i + 1] == '{') {
        ++i;
      } else {
        ++depth;
        in_name = true;
      }
    } else if (c == '}') {
      if (depth > 0) --depth;
      in_name = false;
    } else if (in_name && (c == ':' || c == '!')) {
      in_name = false;
    } else if (in_name && c == '[') {
      in_index = true;
    } else if (in_name && c == '.') {
      // Up to whatever ends the attribute's name.
      const std::size_t end = text.find_first_of(".[]!:{}", i + 1);
      names.emplace_back(text.substr(i + 1, end == std::string_view::npos ? end : end - i - 1));
    }
  }
  return names;
}

// Every attribute that a field reads, as if it stood behind a dot; of which object is not known.
void judge_template(Judge& judge, expr_ty node, const std::string& text) {
  for (const std::string& name : attributes_in(text)) {
    PyObject* interned = PyUnicode_InternFromString(name.c_str());
    if (interned == nullptr) {
      PyErr_Clear();
      continue;
    }
    const auto objection = attribute_objection(judge, interned, Exemption::kNoNames);
    const Refusal* file = judge.policy().facts(interned).file_operation;
    if (objection || file != nullptr) {
      judge.report(RuleCode::kFormatTemplate, place_of(node), name,
                   "A field of this template reads the attribute '" + name +
                       "': " + (objection ? objection->why : file->why),
                   "Use an f-string with exactly the value you need.");
    }
    Py_DECREF(interned);
  }
}

// A `format` that a class of this file defines, on an object that surely is of such a class and no
// text.
bool is_own_format(Judge& judge, expr_ty receiver) {
  const Scopes& scopes = judge.scopes();
  bool defines_it = false;
  for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
    if (scopes.scope(id).kind != ScopeKind::kClass) continue;
    const auto* owner = static_cast<const _stmt*>(scopes.scope(id).node);
    for (expr_ty base : items(owner->v.ClassDef.bases)) {
      // Any base that is not a class of this file may bring str.format with it.
      if (!judge.flow().is_surely_own_class(base, scopes.scope(id).parent) &&
          !judge.is_builtin(base, "object"))
        return false;
    }
    for (const SymbolId member : scopes.scope(id).symbols) {
      defines_it = defines_it || text_of(scopes.symbol(member).name) == "format";
    }
  }
  return defines_it && is_surely_own(judge, receiver, judge.scope());
}

// Whether a class of this file may be a text, or something else that has a `format` by birth.
bool may_derive_from_text(Judge& judge) {
  static constexpr std::array kPlain = {
      std::string_view("NamedTuple"), std::string_view("Generic"), std::string_view("Protocol"),
      std::string_view("Enum"),       std::string_view("IntEnum"), std::string_view("TypedDict"),
      std::string_view("Flag"),       std::string_view("IntFlag"), std::string_view("UserDict"),
      std::string_view("UserList"),   std::string_view("Mapping"), std::string_view("Sequence")};
  const Scopes& scopes = judge.scopes();
  if (!judge.may_look(scopes.scope_count())) return true;
  for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
    if (scopes.scope(id).kind != ScopeKind::kClass) continue;
    const auto* owner = static_cast<const _stmt*>(scopes.scope(id).node);
    for (expr_ty base : items(owner->v.ClassDef.bases)) {
      if (base->kind == Call_kind) continue;  // namedtuple("Row", "a b")
      expr_ty named = base->kind == Subscript_kind ? base->v.Subscript.value : base;
      if (named->kind != Name_kind) return true;
      const SymbolId known = scopes.resolve(scopes.scope(id).parent, named->v.Name.id);
      bool is_plain = known == kNone && text_of(named->v.Name.id) != "str";
      if (known != kNone) {
        is_plain = only_class(judge, known) != nullptr;
        if (is_only(scopes, known, BindingKind::kForeign)) {
          is_plain = true;
          scopes.for_each_binding(known, [&](const Binding& one) {
            is_plain =
                is_plain && std::ranges::find(kPlain, text_of(one.attribute)) != kPlain.end();
          });
        }
      }
      if (!is_plain) return true;
    }
  }
  return false;
}

// record.format, where `format` is a plain field of a class of this file: data, not a method.
bool is_own_field(Judge& judge, expr_ty node) {
  const Scopes& scopes = judge.scopes();
  if (!is_surely_own(judge, node->v.Attribute.value, judge.scope()) || may_derive_from_text(judge))
    return false;
  for (const AttributeStore& store : scopes.attribute_stores) {
    if (store.name == node->v.Attribute.attr) return true;
  }
  for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
    if (scopes.scope(id).kind != ScopeKind::kClass) continue;
    const SymbolId member = scopes.find_here(id, node->v.Attribute.attr);
    if (member != kNone && scopes.symbol(member).first != kNone &&
        scopes.binding(scopes.symbol(member).first).annotation != nullptr) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::string>> possible_texts(Judge& judge, expr_ty node) {
  TemplateFinder finder(judge);
  if (!finder.find(node, judge.scope())) return std::nullopt;
  return std::move(finder.found);
}

void judge_format_call(Judge& judge, expr_ty node) {
  expr_ty function = node->v.Call.func;
  expr_ty receiver = function->v.Attribute.value;
  const auto arguments = items(node->v.Call.args);
  // str.format("{}", x): the template is the first argument.
  const bool is_unbound = judge.is_builtin(receiver, "str");
  if (is_unbound)
    receiver = arguments.empty() || arguments[0]->kind == Starred_kind ? nullptr : arguments[0];
  TemplateFinder finder(judge);
  if (receiver != nullptr && finder.find(receiver, judge.scope())) {
    for (const std::string& text : finder.found) judge_template(judge, node, text);
    return;
  }
  // A method called `format` of a class of this file formats nothing by itself.
  if (receiver != nullptr && !is_unbound && is_own_format(judge, receiver)) return;
  judge.report(
      RuleCode::kFormatTemplate, place_of(node), std::string(text_of(function->v.Attribute.attr)),
      "The template of str.format is not a literal: a field in it could read any attribute",
      "Use an f-string, or write the template where it is used.");
}

// "…".format without a call: as good as a call of it elsewhere, with arguments that nobody sees.
void judge_format_reference(Judge& judge, expr_ty node) {
  if (is_own_format(judge, node->v.Attribute.value) || is_own_field(judge, node)) return;
  if (judge.flow().module_of(node->v.Attribute.value, judge.scope()) != nullptr) return;
  TemplateFinder finder(judge);
  if (finder.find(node->v.Attribute.value, judge.scope())) {
    for (const std::string& text : finder.found) judge_template(judge, node, text);
    return;
  }
  judge.report(RuleCode::kFormatTemplate, place_of(node),
               std::string(text_of(node->v.Attribute.attr)),
               "str.format may not be taken as a value: its template could read any attribute",
               "Use an f-string, or a small function of your own around one.");
}

}  // namespace airlock::vet

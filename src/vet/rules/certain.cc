// What a value surely is, read backwards from its use and believing nothing but the text: no
// annotation, no name of a parameter. Used where strings are the danger (a template of one's own
// making is a text like any other), so that nothing can be followed forward from a few sources.
#include <algorithm>

#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// Steps backwards through names and attributes; past it nothing is certain any more.
constexpr int kMaxDepth = 12;

stmt_ty statement_of(const Scope& scope) {
  return static_cast<stmt_ty>(const_cast<void*>(scope.node));
}

// A library's decorator, called or not: it marks the class and gives it back.
bool is_library_decorator(Judge& judge, expr_ty node, ScopeId scope) {
  if (node->kind == Call_kind) node = node->v.Call.func;
  if (node->kind == Attribute_kind)
    return judge.flow().module_of(node->v.Attribute.value, scope) != nullptr;
  if (node->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(scope, node->v.Name.id);
  return id != kNone && is_only(judge.scopes(), id, BindingKind::kForeign);
}

// The first parameter of a method, if nobody can call the method with something else: no decorator
// that changes it, no special method that gets a class, no Own.method(x) anywhere.
bool is_self(Judge& judge, const Binding& binding, SymbolId id) {
  const Scope& function = judge.scopes().scope(judge.scopes().symbol(id).scope);
  if (function.kind != ScopeKind::kFunction || binding.index != 0) return false;
  if (judge.scopes().scope(function.parent).kind != ScopeKind::kClass) return false;
  stmt_ty definition = statement_of(function);
  if (definition->kind != FunctionDef_kind) return false;
  const std::string_view name = text_of(definition->v.FunctionDef.name);
  if (name == "__new__" || name == "__init_subclass__" || name == "__class_getitem__" ||
      (name.starts_with('_') && name.ends_with('_') && !is_special(name))) {
    return false;
  }
  for (expr_ty one : items(definition->v.FunctionDef.decorator_list)) {
    const bool is_accessor =
        one->kind == Attribute_kind &&
        (text_of(one->v.Attribute.attr) == "setter" || text_of(one->v.Attribute.attr) == "deleter");
    const bool is_property = one->kind == Name_kind && text_of(one->v.Name.id) == "property" &&
                             judge.scopes().resolve(function.parent, one->v.Name.id) == kNone;
    if (!is_accessor && !is_property) return false;
  }
  return !judge.taint().is_called_on_anything(definition->v.FunctionDef.name);
}

// Every value that is ever stored under this name, in any object of the file.
bool are_stores_own(Judge& judge, PyObject* name, int depth) {
  // By the attribute's name, over all objects: one foreign value is enough to say no.
  const Scopes& scopes = judge.scopes();
  bool is_stored = false;
  for (const AttributeStore& store : scopes.attribute_stores) {
    if (store.name != name) continue;
    is_stored = true;
    if (store.is_content || store.is_augmented || store.value == nullptr ||
        !is_surely_own(judge, store.value, store.scope, depth + 1))
      return false;
  }
  if (!judge.may_look(scopes.attribute_stores.size() + scopes.scope_count())) return false;
  for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
    if (scopes.scope(id).kind == ScopeKind::kClass && scopes.find_here(id, name) != kNone)
      return false;
  }
  // With these, what is read need not be what was stored.
  for (const std::string_view special : {"__getattr__", "__get__", "__setattr__"}) {
    if (judge.defines_special(special)) return false;
  }
  return is_stored;
}

}  // namespace

bool may_be_builtin(const Judge& judge, SymbolId id) {
  const Symbol& symbol = judge.scopes().symbol(id);
  const ScopeKind where = judge.scopes().scope(symbol.scope).kind;
  return (where == ScopeKind::kModule || where == ScopeKind::kClass) &&
         judge.policy().facts(symbol.name).is_interpreter_builtin;
}

bool is_only(const Scopes& scopes, SymbolId id, BindingKind kind) {
  bool is_it = scopes.symbol(id).first != kNone;
  scopes.for_each_binding(id, [&](const Binding& one) { is_it = is_it && one.kind == kind; });
  return is_it;
}

stmt_ty only_class(const Judge& judge, SymbolId id) {
  const Scopes& scopes = judge.scopes();
  if (id == kNone || scopes.fallback(id) != kNone || may_be_builtin(judge, id)) return nullptr;
  const Symbol& symbol = scopes.symbol(id);
  // Exactly one binding: otherwise the name may stand for something else at times.
  if (symbol.first == kNone || symbol.first != symbol.last) return nullptr;
  const Binding& only = scopes.binding(symbol.first);
  return only.kind == BindingKind::kClass ? only.statement : nullptr;
}

// A name of which every binding is an own object; an attribute of one in which only own objects are
// stored; a call of a class statement of this file.
bool is_surely_own(Judge& judge, expr_ty node, ScopeId scope, int depth) {
  if (node == nullptr || depth > kMaxDepth || !judge.may_look()) return false;
  const Scopes& scopes = judge.scopes();
  if (node->kind == Name_kind) {
    const SymbolId id = scopes.resolve(scope, node->v.Name.id);
    if (id == kNone || scopes.fallback(id) != kNone || may_be_builtin(judge, id)) return false;
    // Every binding must be an own one, not just some.
    bool is_own = scopes.symbol(id).first != kNone;
    scopes.for_each_binding(id, [&](const Binding& one) {
      const bool is_value =
          one.kind == BindingKind::kValue && is_surely_own(judge, one.value, one.scope, depth + 1);
      const bool is_first = one.kind == BindingKind::kParameter && is_self(judge, one, id);
      is_own = is_own && (is_value || is_first || one.kind == BindingKind::kDeclared);
    });
    return is_own;
  }
  if (node->kind == Attribute_kind)
    return is_surely_own(judge, node->v.Attribute.value, scope, depth + 1) &&
           are_stores_own(judge, node->v.Attribute.attr, depth);
  if (node->kind != Call_kind || node->v.Call.func->kind != Name_kind) return false;
  const SymbolId id = scopes.resolve(scope, node->v.Call.func->v.Name.id);
  stmt_ty definition = only_class(judge, id);
  if (definition == nullptr || !items(definition->v.ClassDef.keywords).empty()) return false;
  for (expr_ty one : items(definition->v.ClassDef.decorator_list)) {
    if (!is_library_decorator(judge, one, scopes.symbol(id).scope)) return false;
  }
  return !judge.defines_special("__new__");  // which gives whatever it likes
}

// A literal, a display, a text: an instance of a plain type, and no class.
bool is_surely_plain(Judge& judge, expr_ty node, ScopeId scope, int depth) {
  if (node == nullptr || depth > kMaxDepth || !judge.may_look()) return false;
  switch (node->kind) {
    case Constant_kind:
    case JoinedStr_kind:
    case List_kind:
    case Tuple_kind:
    case Dict_kind:
    case Set_kind:
    case ListComp_kind:
    case SetComp_kind:
    case DictComp_kind:
      return true;
    case Name_kind: {
      const SymbolId id = judge.scopes().resolve(scope, node->v.Name.id);
      if (id == kNone || judge.scopes().fallback(id) != kNone || may_be_builtin(judge, id))
        return false;
      bool is_plain = judge.scopes().symbol(id).first != kNone;
      judge.scopes().for_each_binding(id, [&](const Binding& one) {
        const bool is_value = one.kind == BindingKind::kValue &&
                              is_surely_plain(judge, one.value, one.scope, depth + 1);
        is_plain = is_plain && (is_value || one.is_content);
      });
      return is_plain;
    }
    default:
      return false;
  }
}

}  // namespace airlock::vet

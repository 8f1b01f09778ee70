// Where values are put: names, attributes, containers; and which containers have one name only.
#include <algorithm>
#include <array>

#include "vet/facts/taint.h"

namespace airlock::vet {

namespace {

using python::text_of;

}  // namespace

// What stands left of `=` gets these bits.
void TaintMap::bind(expr_ty target, unsigned bits, ScopeId scope) {
  switch (target->kind) {
    case Name_kind:
      return add_to_symbol(scopes_.resolve(scope, target->v.Name.id), bits);
    case Starred_kind:
      return bind(target->v.Starred.value, bits | ambient(), scope);
    // Unpacking calls __iter__ and __next__, which may give something else.
    case Tuple_kind:
      add(implicit_, bits);
      for (expr_ty one : items(target->v.Tuple.elts)) bind(one, bits | ambient(), scope);
      return;
    case List_kind:
      add(implicit_, bits);
      for (expr_ty one : items(target->v.List.elts)) bind(one, bits | ambient(), scope);
      return;
    // By the attribute's name alone, for all objects of the file at once.
    case Attribute_kind:
      add(implicit_, bits | eval(target->v.Attribute.value, scope, As::kReceiver));
      call_setter(target->v.Attribute.attr, bits);
      return store_attribute(target->v.Attribute.attr, bits);
    case Subscript_kind: {
      const unsigned key = eval(target->v.Subscript.slice, scope);
      add(implicit_, bits | key | eval(target->v.Subscript.value, scope, As::kReceiver));
      if ((bits | key) != 0) put_into(target->v.Subscript.value, bits | key, scope);
      return;
    }
    default:
      return;
  }
}

// Something now holds these; so does every other name for it.
void TaintMap::put_into(expr_ty container, unsigned bits, ScopeId scope) {
  switch (container->kind) {
    case Name_kind: {
      const SymbolId id = scopes_.resolve(scope, container->v.Name.id);
      if (id == kNone || !is_new(id)) add(loose_, bits);
      return add_to_symbol(id, bits);
    }
    case Attribute_kind:
      if (!is_new_attribute(container->v.Attribute.attr)) add(loose_, bits);
      return store_attribute(container->v.Attribute.attr, bits);
    case Subscript_kind:
      return put_into(container->v.Subscript.value, bits, scope);
    case Call_kind: {
      // groups.setdefault(key, []).append(path)
      expr_ty function = container->v.Call.func;
      if (function->kind == Attribute_kind && text_of(function->v.Attribute.attr) == "setdefault")
        return put_into(function->v.Attribute.value, bits, scope);
      return add(loose_, bits);
    }
    default:
      return add(loose_, bits);
  }
}

// A container that is made here, of values that are made here: nobody else has a name for it or
// for what is in it.
// Then putting something into it taints that one name, not the pool of all containers (loose).
bool TaintMap::is_new(expr_ty node, ScopeId scope, int depth) const {
  // Displays inside each other; "not new" is the careful answer.
  if (node == nullptr || depth > 8) return false;
  const auto all = [&](std::span<expr_ty> nodes) {
    return std::ranges::all_of(nodes, [&](expr_ty one) { return is_new(one, scope, depth + 1); });
  };
  switch (node->kind) {
    case Constant_kind:
    case JoinedStr_kind:
    case Compare_kind:
      return true;
    case List_kind:
      return all(items(node->v.List.elts));
    case Set_kind:
      return all(items(node->v.Set.elts));
    case Tuple_kind:
      return all(items(node->v.Tuple.elts));
    case Dict_kind:
      return all(items(node->v.Dict.keys)) && all(items(node->v.Dict.values));
    case Attribute_kind:
      return surely_gives_text(node->v.Attribute.attr);
    case Call_kind: {
      expr_ty function = node->v.Call.func;
      if (function->kind == Name_kind) {
        const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
        static constexpr std::array kMakers = {
            std::string_view("list"),  std::string_view("dict"),      std::string_view("set"),
            std::string_view("tuple"), std::string_view("frozenset"), std::string_view("bytearray"),
            std::string_view("str"),   std::string_view("int"),       std::string_view("float"),
            std::string_view("len"),   std::string_view("range")};
        // Builtins that make a container of their own, and classes of collections.
        bool is_maker = id == kNone && is_one_of(text_of(function->v.Name.id), kMakers);
        if (id != kNone) {
          is_maker = true;
          scopes_.for_each_binding(id, [&](const Binding& one) {
            is_maker = is_maker && one.kind == BindingKind::kForeign &&
                       one.surface->surface().name == "collections";
          });
        }
        return is_maker && std::ranges::all_of(items(node->v.Call.args), [&](expr_ty one) {
                 return is_new(one, scope, depth + 1) || names_a_type(one, scope) ||
                        one->kind == Lambda_kind;
               });
      }
      return function->kind == Attribute_kind && items(node->v.Call.args).empty() &&
             surely_gives_text(function->v.Attribute.attr);
    }
    default:
      return false;
  }
}

// The value of the statement is this binding's value and goes to no second target. In a tuple
// assignment each element goes to one target.
bool TaintMap::has_one_name(const Binding& binding) {
  stmt_ty node = binding.statement;
  if (node == nullptr) return false;
  if (node->kind == AnnAssign_kind) return node->v.AnnAssign.value == binding.value;
  if (node->kind != Assign_kind || items(node->v.Assign.targets).size() != 1) return false;
  expr_ty value = node->v.Assign.value;
  if (value == binding.value) return true;
  const bool are_tuples =
      items(node->v.Assign.targets)[0]->kind == Tuple_kind && value->kind == Tuple_kind;
  return are_tuples && std::ranges::find(items(value->v.Tuple.elts), binding.value) !=
                           items(value->v.Tuple.elts).end();
}

// What is stored under a name goes to the setter of a property of that name.
void TaintMap::call_setter(PyObject* name, unsigned bits) {
  const auto found = members_.find(name);
  if (bits == 0 || found == members_.end()) return;
  Arguments given;
  // Unpacked, so that it reaches every parameter but self.
  given.starred = given.all = bits;
  given.has_star = true;
  for (const SymbolId id : found->second) {
    scopes_.for_each_binding(id, [&](const Binding& one) {
      if (one.kind == BindingKind::kFunction) hand_over(one.statement, given, 1);
    });
  }
}

// By its name, and nobody here gives another meaning to it.
bool TaintMap::surely_gives_text(PyObject* name) const {
  return gives_text(name) && !stored_.contains(name) && !members_.contains(name) &&
         !has_own_lookup_;
}

// All that was ever bound to the name is new, or was put into what it holds.
bool TaintMap::is_new(SymbolId id) const {
  // True while it is being worked out: a name that depends on itself adds no other name.
  const auto [found, is_first] = new_symbols_.try_emplace(id, true);
  if (!is_first) return found->second;
  bool is_new_everywhere = true;
  scopes_.for_each_binding(id, [&](const Binding& one) {
    if (one.kind == BindingKind::kDeclared || one.kind == BindingKind::kDeleted) return;
    const bool is_value =
        one.kind == BindingKind::kValue && has_one_name(one) && is_new(one.value, one.scope);
    const bool is_content =
        one.is_content || (one.statement != nullptr && one.statement->kind == AugAssign_kind);
    is_new_everywhere = is_new_everywhere && (is_value || is_content);
  });
  new_symbols_[id] = is_new_everywhere;
  return is_new_everywhere;
}

// The same for an attribute, over all objects that have one of this name.
bool TaintMap::is_new_attribute(PyObject* name) const {
  const auto [found, is_first] = new_attributes_.try_emplace(name, true);
  if (!is_first) return found->second;
  bool is_new_everywhere = true;
  for (const AttributeStore& store : scopes_.attribute_stores) {
    if (store.name == name && !store.is_content)
      is_new_everywhere = is_new_everywhere && is_new(store.value, store.scope);
  }
  if (const auto members = members_.find(name); members != members_.end()) {
    for (const SymbolId id : members->second) {
      // A field with an annotation gets its value from whoever makes the object.
      is_new_everywhere = is_new_everywhere && is_new(id) &&
                          scopes_.binding(scopes_.symbol(id).first).annotation == nullptr;
    }
  }
  new_attributes_[name] = is_new_everywhere;
  return is_new_everywhere;
}

// Attributes of a path or class that are text, numbers or truth values.
bool TaintMap::gives_text(PyObject* name) const {
  static constexpr std::array kNames = {
      std::string_view("name"),        std::string_view("stem"),
      std::string_view("suffix"),      std::string_view("suffixes"),
      std::string_view("parts"),       std::string_view("root"),
      std::string_view("anchor"),      std::string_view("drive"),
      std::string_view("as_posix"),    std::string_view("as_uri"),
      std::string_view("is_absolute"), std::string_view("is_relative_to"),
      std::string_view("is_reserved"), std::string_view("match"),
      std::string_view("__str__"),     std::string_view("__name__"),
      std::string_view("__qualname__")};
  const std::string_view text = text_of(name);
  return is_one_of(text, kNames) && !tuple_fields_.contains(text);
}

}  // namespace airlock::vet

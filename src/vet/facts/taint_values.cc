// Expressions: what each may be, hold or give. eval() has a case for every kind of the grammar; one
// that is missing carries every taint.
#include <algorithm>
#include <array>

#include "vet/facts/taint.h"

namespace airlock::vet {

namespace {

using python::text_of;

// Methods of the library's objects that keep what they are given, or hand it to someone who waits.
constexpr std::array kStoringMethods = {
    std::string_view("append"),     std::string_view("add"),        std::string_view("insert"),
    std::string_view("extend"),     std::string_view("update"),     std::string_view("setdefault"),
    std::string_view("appendleft"), std::string_view("extendleft"), std::string_view("subtract"),
    std::string_view("send"),       std::string_view("throw"),      std::string_view("__setitem__"),
    std::string_view("__init__")};

}  // namespace

unsigned TaintMap::eval_all(std::span<expr_ty> nodes, ScopeId scope) {
  unsigned bits = 0;
  for (expr_ty node : nodes) bits |= node == nullptr ? 0 : eval(node, scope);
  return bits;
}

// What the expression carries; and on the way everything that evaluating it hands to others. So
// every part is evaluated, also where its own bits do not matter for the result.
unsigned TaintMap::eval(expr_ty node, ScopeId scope, As as) {
  if (node == nullptr) return 0;
  spend();
  if (is_too_much_) return kEveryTaint;
  auto& v = node->v;
  switch (node->kind) {
    case Constant_kind:
      return 0;
    case Name_kind:
      return name(node, scope, as);
    case Attribute_kind: {
      if (const SurfaceIndex* module = flow_.module_of(v.Attribute.value, scope); module != nullptr)
        return foreign(module->surface().name, text_of(v.Attribute.attr));
      // The bound method is a value of its own, and leads back to what it is bound to.
      const unsigned receiver = eval(v.Attribute.value, scope);
      mark_methods_used_as_values(v.Attribute.attr);
      return attribute(receiver, v.Attribute.attr);
    }
    case Call_kind:
      return call(node, scope);
    case BinOp_kind: {
      const unsigned bits = eval(v.BinOp.left, scope) | eval(v.BinOp.right, scope);
      // "%s" % x is text, whatever x is.
      const bool is_text = v.BinOp.op == Mod && (v.BinOp.left->kind == JoinedStr_kind ||
                                                 v.BinOp.left->kind == Constant_kind);
      add(implicit_, bits);
      if (is_text) return special_;  // __rmod__ of one's own is asked first
      return bits | ambient();
    }
    case UnaryOp_kind: {
      const unsigned bits = eval(v.UnaryOp.operand, scope, As::kReceiver);
      // `not x` is a bool; -x is what __neg__ gives.
      return v.UnaryOp.op == Not ? 0 : bits | ambient();
    }
    case BoolOp_kind: {
      const unsigned bits = eval_all(items(v.BoolOp.values), scope);
      return bits;
    }
    case IfExp_kind:
      eval(v.IfExp.test, scope, As::kReceiver);
      return eval(v.IfExp.body, scope) | eval(v.IfExp.orelse, scope);
    case NamedExpr_kind: {
      const unsigned bits = eval(v.NamedExpr.value, scope);
      bind(v.NamedExpr.target, bits, scope);
      return bits;
    }
    case Lambda_kind:
      return lambda(node, scope);
    case Dict_kind:
      return eval_all(items(v.Dict.keys), scope) | eval_all(items(v.Dict.values), scope);
    case Set_kind:
      return eval_all(items(v.Set.elts), scope);
    case List_kind:
      return eval_all(items(v.List.elts), scope);
    case Tuple_kind:
      return eval_all(items(v.Tuple.elts), scope);
    case ListComp_kind:
      return comprehension(node, v.ListComp.generators, v.ListComp.elt, nullptr, scope);
    case SetComp_kind:
      return comprehension(node, v.SetComp.generators, v.SetComp.elt, nullptr, scope);
    case GeneratorExp_kind:
      return comprehension(node, v.GeneratorExp.generators, v.GeneratorExp.elt, nullptr, scope);
    case DictComp_kind:
      return comprehension(node, v.DictComp.generators, v.DictComp.key, v.DictComp.value, scope);
    case Await_kind:
      return eval(v.Await.value, scope) | ambient();
    case Yield_kind:
    case YieldFrom_kind: {
      expr_ty value = node->kind == Yield_kind ? v.Yield.value : v.YieldFrom.value;
      const unsigned bits = value != nullptr ? eval(value, scope) : 0;
      // For whoever calls a generator, what it yields is what it gives.
      add(returns_[function_around(scope)], bits);
      return sent_ | ambient() | (node->kind == YieldFrom_kind ? bits : 0);
    }
    case Compare_kind: {
      unsigned bits = eval(v.Compare.left, scope, As::kReceiver);
      for (expr_ty one : items(v.Compare.comparators)) bits |= eval(one, scope, As::kReceiver);
      // == and `in` call __eq__ and __contains__ of either side.
      add(implicit_, bits);
      return special_;
    }
    case FormattedValue_kind:
      eval(v.FormattedValue.value, scope, As::kReceiver);
      if (v.FormattedValue.format_spec != nullptr) eval(v.FormattedValue.format_spec, scope);
      return 0;
    case JoinedStr_kind:
      eval_all(items(v.JoinedStr.values), scope);
      return 0;
    case Subscript_kind:
      return subscript(node, scope);
    case Starred_kind: {
      const unsigned bits = eval(v.Starred.value, scope) | ambient();
      add(implicit_, bits);
      return bits;
    }
    case Slice_kind:
      return eval(v.Slice.lower, scope) | eval(v.Slice.upper, scope) | eval(v.Slice.step, scope);
    default:
      return kEveryTaint;
  }
}

// A function that is read as a value may be called by anyone from then on. The plain function in a
// class body takes anything as its `self`.
unsigned TaintMap::name(expr_ty node, ScopeId scope, As as) {
  const SymbolId id = scopes_.resolve(scope, node->v.Name.id);
  if (id == kNone) return 0;
  unsigned bits = 0;
  for (const SymbolId one : {id, scopes_.fallback(id)}) {
    if (one == kNone) continue;
    bits |= symbols_[one];
    if (as != As::kValue) continue;
    // Used as a value: from here on there may be another name for it.
    shared_[one] = true;
    scopes_.for_each_binding(one, [&](const Binding& binding) {
      if (binding.kind != BindingKind::kFunction) return;
      if (const ScopeId function = scope_of(binding.statement); function != kNone)
        mark_used_as_value(function);
      if (scopes_.scope(scopes_.symbol(one).scope).kind == ScopeKind::kClass)
        call_on_anything(node->v.Name.id);
    });
  }
  return bits;
}

// The methods of this name are used as values.
void TaintMap::mark_methods_used_as_values(PyObject* name) {
  const auto found = members_.find(name);
  if (found == members_.end()) return;
  for (const SymbolId id : found->second) {
    scopes_.for_each_binding(id, [&](const Binding& one) {
      if (one.kind != BindingKind::kFunction) return;
      if (const ScopeId function = scope_of(one.statement); function != kNone)
        mark_used_as_value(function);
    });
  }
}

// x.name: whatever was ever stored under that name in any object, what classes of the file define
// under it, and what the receiver itself may lead to.
unsigned TaintMap::attribute(unsigned receiver, PyObject* name) {
  const std::string_view text = text_of(name);
  // Something that was put into an object out of sight may come out anywhere.
  unsigned bits = loose_;
  if (const auto found = attributes_.find(name); found != attributes_.end()) bits |= found->second;
  const auto members = members_.find(name);
  if (members != members_.end()) {
    for (const SymbolId id : members->second) bits |= symbols_[id];
  }
  if (has_own_lookup_) {
    add(implicit_, receiver);
    bits |= special_;
  }
  add(receivers_, receiver);
  if (text == "obj") bits |= receivers_;  // AttributeError.obj is what does not have it
  const bool is_own = members != members_.end() || attributes_.contains(name);
  if ((receiver & kPathTaint) != 0 && !gives_text(name)) bits |= kPathTaint;
  if ((receiver & kPathClassTaint) != 0) bits |= kPathTaint | kPathClassTaint;
  if ((receiver & kLibraryClassTaint) != 0) bits |= kLibraryClassTaint;
  if ((receiver & kOwnClassTaint) != 0) {
    call_on_anything(name);
    if (!is_own) bits |= kOwnClassTaint;  // what is in it: error.args
  }
  if (members != members_.end() && constructed_ != 0) {
    // A field of something that was made where nobody sees which class it is.
    for (const SymbolId id : members->second) {
      if (scopes_.binding(scopes_.symbol(id).first).annotation != nullptr) bits |= constructed_;
    }
  }
  // Attributes of the library's objects that hand out what the file gave them: Field.type of a
  // dataclass, the value and name of an enum's member.
  if (text == "type") bits |= annotated_;
  if (text == "value" || text == "_value_") bits |= members_hold_;
  if (text == "name" || text == "_name_") bits |= members_are_named_;
  if (std::ranges::find(kStoringMethods, text) != kStoringMethods.end()) bits |= kStoringTaint;
  return bits;
}

// Dict[str, Path], list[int]: a type in brackets, not something that is looked up.
bool TaintMap::names_a_type(expr_ty node, ScopeId scope) const {
  if (node->kind == Attribute_kind)
    return flow_.module_of(node->v.Attribute.value, scope) != nullptr;
  return node->kind == Name_kind && is_foreign_name(node, scope);
}

unsigned TaintMap::subscript(expr_ty node, ScopeId scope) {
  expr_ty value = node->v.Subscript.value;
  const unsigned receiver = eval(value, scope, As::kReceiver);
  const unsigned key = eval(node->v.Subscript.slice, scope);
  if (names_a_type(value, scope)) return receiver | key;
  add(implicit_, receiver | key);
  // KeyError carries the key.
  add(raised_, key);
  return receiver | ambient();
}

unsigned TaintMap::comprehension(expr_ty node, asdl_comprehension_seq* sequence, expr_ty element,
                                 expr_ty value, ScopeId scope) {
  const ScopeId inner = scope_of(node);
  if (inner == kNone) return kEveryTaint;
  bool is_first = true;
  for (comprehension_ty part : items(sequence)) {
    // The first iterable is evaluated outside of the comprehension.
    const unsigned bits = eval(part->iter, is_first ? scope : inner, As::kReceiver);
    is_first = false;
    add(implicit_, bits);
    bind(part->target, bits | ambient(), inner);
    for (expr_ty test : items(part->ifs)) eval(test, inner, As::kReceiver);
  }
  return eval(element, inner) | eval(value, inner);
}

unsigned TaintMap::lambda(expr_ty node, ScopeId scope) {
  const ScopeId inner = scope_of(node);
  if (inner == kNone) return kEveryTaint;
  // A lambda is always used as a value. One that only re.sub calls gets matches, which hold text.
  const unsigned given = get_matches_.contains(node) ? 0 : unknown_args_;
  parameters(node->v.Lambda.args, inner, scope, given, given);
  const unsigned bits = eval(node->v.Lambda.body, inner);
  add(returns_[inner], bits);
  return as_function(returns_[inner]);
}

}  // namespace airlock::vet

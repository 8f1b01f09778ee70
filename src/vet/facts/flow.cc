#include "vet/facts/flow.h"

#include <algorithm>
#include <array>

namespace airlock::vet {

namespace {

using python::text_of;

// Nodes and bindings looked at, for one question and for all of a file: the first bounds recursion
// that branches, the second keeps a file with many questions from being slow.
constexpr int kMaxSteps = 4000;
constexpr int kMaxStepsInFile = 200'000;
// Calls of kind() inside each other: the stack is ours, the depth is the text's.
constexpr int kMaxDepth = 60;
// The answer when nobody knows: everything that a rule could object to, and never kOwn alone.
constexpr unsigned kSuspicious = kOther | kGuarded | kGuardedClass | kForeignObject | kForeignMade;

// Pure methods of a path that give a path again.
bool gives_a_path(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("joinpath"),    std::string_view("with_name"),
      std::string_view("with_stem"),   std::string_view("with_suffix"),
      std::string_view("relative_to"), std::string_view("resolve"),
      std::string_view("absolute"),    std::string_view("expanduser"),
      std::string_view("parent"),      std::string_view("parents"),
      std::string_view("home"),        std::string_view("cwd"),
      std::string_view("rename"),      std::string_view("replace"),
      std::string_view("readlink"),    std::string_view("iterdir"),
      std::string_view("glob"),        std::string_view("rglob"),
      std::string_view("__truediv__"), std::string_view("__rtruediv__"),
      std::string_view("__new__")};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Builtins that hand on what they are given, or what is in it.
bool passes_on(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("list"),      std::string_view("tuple"),  std::string_view("set"),
      std::string_view("frozenset"), std::string_view("sorted"), std::string_view("reversed"),
      std::string_view("iter"),      std::string_view("next"),   std::string_view("max"),
      std::string_view("min"),       std::string_view("filter"), std::string_view("zip"),
      std::string_view("enumerate"), std::string_view("dict"),   std::string_view("map"),
      std::string_view("getattr"),   std::string_view("sum")};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Methods of containers that give what was put in.
bool takes_out(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("pop"),     std::string_view("get"),        std::string_view("popitem"),
      std::string_view("popleft"), std::string_view("copy"),       std::string_view("values"),
      std::string_view("items"),   std::string_view("setdefault"), std::string_view("__getitem__"),
      std::string_view("__next__")};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

unsigned ValueFlow::ask(expr_ty node, ScopeId scope) {
  steps_ = 0;
  depth_ = 0;
  asking_.clear();
  returning_.clear();
  return kind(node, scope);
}

bool ValueFlow::spend() {
  return ++steps_ <= kMaxSteps && ++steps_in_file_ <= kMaxStepsInFile;
}

// Looked up once: without an import of the class or of its module, no path can be in the file, and
// most questions need not be asked.
bool ValueFlow::has_guarded_class() const {
  if (has_guarded_ >= 0) return has_guarded_ == 1;
  has_guarded_ = 0;
  for (const SurfaceIndex& one : policy_.guarded_classes()) {
    const std::string_view full = one.surface().name;
    const std::string_view module = full.substr(0, full.rfind('.'));
    for (SymbolId id = 0; id < scopes_.symbols().size(); ++id) {
      scopes_.for_each_binding(id, [&](const Binding& binding) {
        if (binding.surface == nullptr || binding.surface->surface().name != module) return;
        const bool is_it = binding.kind == BindingKind::kModule ||
                           (binding.kind == BindingKind::kForeign &&
                            policy_.guarded_class(module, text_of(binding.attribute)) != nullptr);
        if (is_it) has_guarded_ = 1;
      });
    }
  }
  return has_guarded_ == 1;
}

unsigned ValueFlow::union_of(std::span<expr_ty> nodes, ScopeId scope) {
  unsigned bits = 0;
  for (expr_ty node : nodes) bits |= kind(node, scope);
  return bits;
}

// What an expression may be. A container counts as what is in it, so taking something out needs no
// rule of its own. Kinds that are not listed give text, numbers or truth values: kOther.
unsigned ValueFlow::kind(expr_ty node, ScopeId scope) {
  if (node == nullptr) return kOther;
  if (!spend() || depth_ >= kMaxDepth) return kSuspicious;
  ++depth_;
  unsigned bits = kOther;
  const auto& v = node->v;
  switch (node->kind) {
    case Name_kind: {
      const SymbolId id = scopes_.resolve(scope, v.Name.id);
      bits = id == kNone ? kind_of_builtin(v.Name.id) : kind_of_name(id);
      break;
    }
    case Attribute_kind:
      bits = kind_of_attribute(node, scope);
      break;
    case Call_kind:
      bits = kind_of_call(node, scope);
      break;
    case BinOp_kind:
      bits = kind(v.BinOp.left, scope) | kind(v.BinOp.right, scope);
      // path / name gives a path, list + list and list * 2 keep what is in them, dict | dict too;
      // other operators give something new.
      if (v.BinOp.op != Div && v.BinOp.op != Add && v.BinOp.op != BitOr && v.BinOp.op != Mult)
        bits = kOther;
      break;
    case BoolOp_kind:
      bits = union_of(items(v.BoolOp.values), scope);
      break;
    case IfExp_kind:
      bits = kind(v.IfExp.body, scope) | kind(v.IfExp.orelse, scope);
      break;
    case NamedExpr_kind:
      bits = kind(v.NamedExpr.value, scope);
      break;
    case Subscript_kind:
      bits = kind(v.Subscript.value, scope);
      break;
    case Starred_kind:
      bits = kind(v.Starred.value, scope);
      break;
    case Await_kind:
      bits = kind(v.Await.value, scope);
      break;
    case List_kind:
      bits = union_of(items(v.List.elts), scope);
      break;
    case Tuple_kind:
      bits = union_of(items(v.Tuple.elts), scope);
      break;
    case Set_kind:
      bits = union_of(items(v.Set.elts), scope);
      break;
    case Dict_kind:
      bits = union_of(items(v.Dict.values), scope) | union_of(items(v.Dict.keys), scope);
      break;
    case ListComp_kind:
      bits = kind(v.ListComp.elt, scopes_.scope_opened_by(node));
      break;
    case SetComp_kind:
      bits = kind(v.SetComp.elt, scopes_.scope_opened_by(node));
      break;
    case GeneratorExp_kind:
      bits = kind(v.GeneratorExp.elt, scopes_.scope_opened_by(node));
      break;
    case DictComp_kind:
      bits = kind(v.DictComp.value, scopes_.scope_opened_by(node)) |
             kind(v.DictComp.key, scopes_.scope_opened_by(node));
      break;
    default:
      break;
  }
  --depth_;
  return bits;
}

unsigned ValueFlow::kind_of_name(SymbolId id) {
  const SymbolId other = scopes_.fallback(id);
  return kind_of_symbol(id) | (other == kNone ? 0 : kind_of_symbol(other));
}

unsigned ValueFlow::result_of_name(SymbolId id) {
  const SymbolId other = scopes_.fallback(id);
  return result_of_symbol(id) | (other == kNone ? 0 : result_of_symbol(other));
}

// Asked of the vetter's own interpreter, which is the version that will run the code.
unsigned ValueFlow::kind_of_builtin(PyObject* name) const {
  PyObject* value = PyDict_GetItem(PyEval_GetBuiltins(), name);
  return value != nullptr && PyType_Check(value) ? unsigned{kBuiltinClass} : unsigned{kOther};
}

unsigned ValueFlow::kind_of_symbol(SymbolId id) {
  if (std::ranges::find(asking_, id) != asking_.end()) return 0;
  asking_.push_back(id);
  unsigned bits = 0;
  scopes_.for_each_binding(id,
                           [&](const Binding& binding) { bits |= kind_of_binding(binding, id); });
  asking_.pop_back();
  return bits;
}

// What the name may hold because of this one binding; the answer for the name is the union.
unsigned ValueFlow::kind_of_binding(const Binding& binding, SymbolId id) {
  switch (binding.kind) {
    case BindingKind::kValue:
    case BindingKind::kElement: {
      const unsigned annotated = named_in(binding.annotation, binding.scope);
      // An annotation can only add suspicion: it is never believed when it says something harmless.
      return kind(binding.value, binding.scope) | (annotated & kGuarded);
    }
    case BindingKind::kParameter:
      return kind_of_parameter(binding, id);
    case BindingKind::kClass: {
      unsigned bits = kOwnClass;
      for (expr_ty base : items(binding.statement->v.ClassDef.bases)) {
        if ((kind(base, binding.scope) & kGuardedClass) != 0) bits |= kGuardedClass;
      }
      return bits;
    }
    case BindingKind::kForeign: {
      const bool is_guarded = policy_.guarded_class(binding.surface->surface().name,
                                                    text_of(binding.attribute)) != nullptr;
      return is_guarded ? unsigned{kGuardedClass} : unsigned{kForeignObject};
    }
    case BindingKind::kDeclared:
      return kOther | named_in(binding.annotation, binding.scope);
    case BindingKind::kDeleted:
      return 0;
    default:
      return kOther;
  }
}

// What an annotation says a value is: a guarded class anywhere in it, also as text.
unsigned ValueFlow::named_in(expr_ty annotation, ScopeId scope) {
  if (annotation == nullptr || !spend() || depth_ >= kMaxDepth) return 0;
  ++depth_;
  unsigned bits = 0;
  switch (annotation->kind) {
    case Name_kind:
    case Attribute_kind: {
      const unsigned named = kind(annotation, scope);
      if ((named & kGuardedClass) != 0) bits |= kGuarded;
      if ((named & kOwnClass) != 0) bits |= kOwn;
      break;
    }
    case Constant_kind:
      if (PyUnicode_Check(annotation->v.Constant.value)) {
        const std::string_view text = text_of(annotation->v.Constant.value);
        for (const SurfaceIndex& one : policy_.guarded_classes()) {
          const std::string_view full = one.surface().name;
          if (text.find(full.substr(full.rfind('.') + 1)) != std::string_view::npos)
            bits |= kGuarded;
        }
      }
      break;
    case Subscript_kind:
      bits = named_in(annotation->v.Subscript.value, scope) |
             named_in(annotation->v.Subscript.slice, scope);
      break;
    case Tuple_kind:
      for (expr_ty one : items(annotation->v.Tuple.elts)) bits |= named_in(one, scope);
      break;
    case BinOp_kind:
      bits = named_in(annotation->v.BinOp.left, scope) | named_in(annotation->v.BinOp.right, scope);
      break;
    default:
      break;
  }
  --depth_;
  return bits;
}

// The default, the annotation, and whatever any call in the file may hand to it; `self` and `cls`
// are known without looking at calls.
unsigned ValueFlow::kind_of_parameter(const Binding& binding, SymbolId id) {
  const Symbol& symbol = scopes_.symbol(id);
  const Scope& function = scopes_.scope(symbol.scope);
  unsigned bits = named_in(binding.annotation, binding.scope);
  if (binding.value != nullptr) bits |= kind(binding.value, binding.scope);
  if (function.kind == ScopeKind::kLambda) {
    return bits | kOther |
           arguments_passed(function.node, nullptr, binding.index, symbol.name, false);
  }
  auto* definition = static_cast<stmt_ty>(const_cast<void*>(function.node));
  const bool is_async = definition->kind == AsyncFunctionDef_kind;
  PyObject* name = is_async ? definition->v.AsyncFunctionDef.name : definition->v.FunctionDef.name;
  const auto decorators = items(is_async ? definition->v.AsyncFunctionDef.decorator_list
                                         : definition->v.FunctionDef.decorator_list);
  const Scope& around = scopes_.scope(function.parent);
  const bool is_static = std::ranges::any_of(decorators, [](expr_ty one) {
    return one->kind == Name_kind && text_of(one->v.Name.id) == "staticmethod";
  });
  const bool is_class_method = std::ranges::any_of(decorators, [](expr_ty one) {
    return one->kind == Name_kind && text_of(one->v.Name.id) == "classmethod";
  });
  // A decorator by another name may change how it is called; then its first parameter is not `self`
  // for certain, but the questions that need certainty are asked of TaintMap.
  const bool is_method = around.kind == ScopeKind::kClass && !is_static;
  if (is_method && binding.index == 0) {
    auto* owner = static_cast<stmt_ty>(const_cast<void*>(around.node));
    bool derives_from_guarded = false;
    for (expr_ty base : items(owner->v.ClassDef.bases)) {
      derives_from_guarded =
          derives_from_guarded || (kind(base, around.parent) & kGuardedClass) != 0;
    }
    if (is_class_method)
      return derives_from_guarded ? kOwnClass | kGuardedClass : unsigned{kOwnClass};
    return derives_from_guarded ? kOwn | kGuarded : unsigned{kOwn};
  }
  bits |= arguments_passed(definition, name, binding.index, symbol.name, is_method);
  return bits == 0 ? unsigned{kOther} : bits;
}

// f = make, then f(): the call is of make.
bool ValueFlow::is_other_name_for(expr_ty function, ScopeId scope, PyObject* name) const {
  const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
  if (id == kNone) return false;
  bool is_alias = false;
  scopes_.for_each_binding(id, [&](const Binding& one) {
    is_alias = is_alias || (one.value != nullptr && one.value->kind == Name_kind &&
                            one.value->v.Name.id == name);
  });
  return is_alias;
}

// Everything that any call in the file may hand to this parameter.
unsigned ValueFlow::arguments_passed(const void* definition, PyObject* name, std::size_t index,
                                     PyObject* parameter, bool is_method) {
  unsigned bits = 0;
  for (const CallSite& site : scopes_.calls) {
    if (!spend()) return kSuspicious;
    expr_ty function = site.call->v.Call.func;
    const auto arguments = items(site.call->v.Call.args);
    bool is_call = function == definition;
    std::size_t shift = 0;
    if (name != nullptr && function->kind == Name_kind) {
      is_call = function->v.Name.id == name || is_other_name_for(function, site.scope, name);
      // A class's __init__ is called by the class's name; which class does not matter here.
      // Any call of a name may make an instance of any class here: too many, never too few.
      if (!is_call && is_method && text_of(name) == "__init__") is_call = true;
      // The first argument of a call goes to the second parameter of a method.
      shift = is_method ? 1 : 0;
    } else if (name != nullptr && function->kind == Attribute_kind) {
      is_call = function->v.Attribute.attr == name;
      shift = is_method ? 1 : 0;
    } else if (name == nullptr && function->kind == Name_kind) {
      // A lambda under a name: any call of a name that may hold it.
      const SymbolId id = scopes_.resolve(site.scope, function->v.Name.id);
      for (const SymbolId one : {id, id == kNone ? kNone : scopes_.fallback(id)}) {
        if (one == kNone) continue;
        scopes_.for_each_binding(
            one, [&](const Binding& binding) { is_call = is_call || binding.value == definition; });
      }
    }
    if (is_call) {
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i]->kind == Starred_kind || i + shift == index || index == kNone)
          bits |= kind(arguments[i], site.scope);
      }
      for (keyword_ty keyword : items(site.call->v.Call.keywords)) {
        if (keyword->arg == nullptr || keyword->arg == parameter || index == kNone)
          bits |= kind(keyword->value, site.scope);
      }
      continue;
    }
    // map(f, values), sorted(values, key=f): handed to something together with values.
    const auto is_this = [&](expr_ty one) {
      return one == definition ||
             (name != nullptr && one->kind == Name_kind && one->v.Name.id == name);
    };
    const auto call_keywords = items(site.call->v.Call.keywords);
    const bool is_handed_on =
        std::ranges::any_of(arguments, is_this) ||
        std::ranges::any_of(call_keywords, [&](keyword_ty one) { return is_this(one->value); });
    if (is_handed_on) {
      for (expr_ty argument : arguments) {
        if (!is_this(argument)) bits |= kind(argument, site.scope);
      }
      if (function->kind == Attribute_kind)
        bits |= kind(function->v.Attribute.value, site.scope) & kGuarded;
    }
  }
  return bits;
}

const SurfaceIndex* ValueFlow::module_of(expr_ty node, ScopeId scope) const {
  if (node->kind == Name_kind) {
    const SymbolId id = scopes_.resolve(scope, node->v.Name.id);
    if (id == kNone) return nullptr;
    // Kept, since every attribute asks this; null (no module) is an answer like any other.
    const auto [known, is_first] = modules_.try_emplace(id, nullptr);
    if (!is_first) return known->second;
    const SurfaceIndex* found = nullptr;
    for (const SymbolId one : {id, scopes_.fallback(id)}) {
      if (one == kNone) continue;
      scopes_.for_each_binding(one, [&](const Binding& binding) {
        if (binding.kind == BindingKind::kModule || binding.kind == BindingKind::kPackage)
          found = binding.surface;
      });
    }
    known->second = found;
    return found;
  }
  if (node->kind != Attribute_kind) return nullptr;
  const SurfaceIndex* outer = module_of(node->v.Attribute.value, scope);
  if (outer == nullptr) return nullptr;
  // collections.abc is a module too, when the policy lists it.
  return policy_.module(outer->surface().name + "." + std::string(text_of(node->v.Attribute.attr)));
}

// Of a module: a library's object. Of anything else: a part of a path, whatever was stored under
// that name, and what classes of the file have under it (a method may be a property, so also what
// calling it gives).
unsigned ValueFlow::kind_of_attribute(expr_ty node, ScopeId scope) {
  PyObject* attribute = node->v.Attribute.attr;
  if (const SurfaceIndex* module = module_of(node->v.Attribute.value, scope); module != nullptr) {
    const bool is_guarded =
        policy_.guarded_class(module->surface().name, text_of(attribute)) != nullptr;
    return is_guarded ? unsigned{kGuardedClass} : unsigned{kForeignObject};
  }
  const unsigned receiver = kind(node->v.Attribute.value, scope);
  unsigned bits = 0;
  if ((receiver & kGuarded) != 0)
    bits |= gives_a_path(text_of(attribute)) ? unsigned{kGuarded} : unsigned{kOther};
  // By the name of the attribute alone: any object of the file may be the receiver.
  for (const AttributeStore& store : scopes_.attribute_stores) {
    if (store.name == attribute && spend()) bits |= kind(store.value, store.scope);
  }
  for (ScopeId id = 0; id < scopes_.scope_count(); ++id) {
    if (scopes_.scope(id).kind != ScopeKind::kClass) continue;
    const SymbolId member = scopes_.find_here(id, attribute);
    if (member == kNone) continue;
    bits |= kind_of_symbol(member) | result_of_symbol(member);
  }
  return bits == 0 ? unsigned{kOther} : bits;
}

// By a name: a builtin, a function or class of the file, something imported. By a dot: of a module,
// or a method, which is looked up by its name alone.
unsigned ValueFlow::kind_of_call(expr_ty node, ScopeId scope) {
  expr_ty function = node->v.Call.func;
  if (function->kind == Name_kind) {
    const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
    if (id == kNone) return kind_of_builtin_call(text_of(function->v.Name.id), node, scope);
    unsigned bits = result_of_name(id);
    // `if False: list = None` hides nothing: outside functions a name can fall back to the builtin.
    const ScopeKind where = scopes_.scope(scopes_.symbol(id).scope).kind;
    const bool falls_back = where == ScopeKind::kModule || where == ScopeKind::kClass;
    if (falls_back && passes_on(text_of(function->v.Name.id)))
      bits |= kind_of_builtin_call(text_of(function->v.Name.id), node, scope);
    for (const SymbolId one : {id, scopes_.fallback(id)}) {
      if (one == kNone) continue;
      scopes_.for_each_binding(one, [&](const Binding& binding) {
        if (binding.kind == BindingKind::kForeign)
          bits |= made_by_library(text_of(binding.attribute), node, scope);
      });
    }
    return bits;
  }
  if (function->kind == Attribute_kind) {
    const std::string_view name = text_of(function->v.Attribute.attr);
    if (const SurfaceIndex* module = module_of(function->v.Attribute.value, scope);
        module != nullptr) {
      if (policy_.guarded_class(module->surface().name, name) != nullptr) return kGuarded;
      return made_by_library(name, node, scope);
    }
    const unsigned receiver = kind(function->v.Attribute.value, scope);
    unsigned bits = 0;
    if ((receiver & (kGuarded | kGuardedClass)) != 0) {
      bits |= gives_a_path(name) || takes_out(name) ? unsigned{kGuarded} : unsigned{kOther};
    } else if (takes_out(name)) {
      bits |= receiver;
    }
    return bits | result_of(function, scope);
  }
  return result_of(function, scope);
}

// typing.cast(T, value) and dataclasses.replace(value) hand their argument on; what others make is
// the library's.
unsigned ValueFlow::made_by_library(std::string_view name, expr_ty call, ScopeId scope) {
  const unsigned given = union_of(items(call->v.Call.args), scope);
  if (name == "cast" || name == "replace") return (given & (kOther | kGuarded | kOwn)) | kOther;
  return kForeignMade | (given & kGuarded);
}

unsigned ValueFlow::kind_of_builtin_call(std::string_view name, expr_ty node, ScopeId scope) {
  const auto arguments = items(node->v.Call.args);
  if (name == "type" && arguments.size() == 1) {
    const unsigned of = kind(arguments[0], scope);
    unsigned bits = kOther;
    if ((of & kGuarded) != 0) bits |= kGuardedClass;
    if ((of & kOwn) != 0) bits = (bits & ~kOther) | kOwnClass;
    // type(SomeClass) is `type` itself, or a metaclass.
    if ((of & (kOwnClass | kBuiltinClass | kForeignObject | kGuardedClass)) != 0)
      bits |= kBuiltinClass;
    return bits;
  }
  // What it gives is what the bases are: own ones, and perhaps a library's.
  if (name == "super") return kOwn | kOther;
  if (!passes_on(name)) return kOther;
  unsigned bits = union_of(arguments, scope) & ~(kOwnClass | kBuiltinClass);
  for (keyword_ty keyword : items(node->v.Call.keywords)) bits |= kind(keyword->value, scope);
  if ((name == "map" || name == "filter") && !arguments.empty())
    bits |= result_of(arguments[0], scope);
  return bits == 0 ? unsigned{kOther} : bits;
}

// What calling this expression may give; kind() says what it is without a call.
unsigned ValueFlow::result_of(expr_ty function, ScopeId scope) {
  if (!spend() || depth_ >= kMaxDepth) return kSuspicious;
  if (function->kind == Lambda_kind) {
    return kind(function->v.Lambda.body, scopes_.scope_opened_by(function));
  }
  if (function->kind == Name_kind) {
    const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
    return id == kNone ? unsigned{kOther} : result_of_name(id);
  }
  if (function->kind == Attribute_kind &&
      module_of(function->v.Attribute.value, scope) == nullptr) {
    unsigned bits = 0;
    for (ScopeId id = 0; id < scopes_.scope_count(); ++id) {
      if (scopes_.scope(id).kind != ScopeKind::kClass) continue;
      const SymbolId member = scopes_.find_here(id, function->v.Attribute.attr);
      if (member != kNone) bits |= result_of_symbol(member);
    }
    for (const AttributeStore& store : scopes_.attribute_stores) {
      // self.make = Path; self.make(x) gives a path.
      if (store.name == function->v.Attribute.attr && store.value != nullptr && spend()) {
        const unsigned stored = kind(store.value, store.scope);
        if ((stored & kGuardedClass) != 0) bits |= kGuarded;
      }
    }
    return bits == 0 ? unsigned{kOther} : bits;
  }
  const unsigned what = kind(function, scope);
  unsigned bits = 0;
  if ((what & kGuardedClass) != 0) bits |= kGuarded;
  if ((what & kOwnClass) != 0) bits |= kOwn;
  return bits == 0 ? unsigned{kOther} : bits;
}

// Calling a class gives an instance; one under a guarded class is not surely the file's own.
unsigned ValueFlow::result_of_symbol(SymbolId id) {
  unsigned bits = 0;
  scopes_.for_each_binding(id, [&](const Binding& binding) {
    switch (binding.kind) {
      case BindingKind::kFunction:
        bits |= returns_of(binding.statement);
        break;
      case BindingKind::kValue:
        if (binding.value != nullptr && binding.value->kind == Lambda_kind) {
          bits |= kind(binding.value->v.Lambda.body, scopes_.scope_opened_by(binding.value));
        } else if (binding.value != nullptr && binding.value->kind == Name_kind &&
                   depth_ < kMaxDepth) {
          ++depth_;  // another name for a function
          bits |= result_of(binding.value, binding.scope);
          --depth_;
        }
        break;
      default:
        break;
    }
  });
  const unsigned what = kind_of_symbol(id);
  if ((what & kGuardedClass) != 0) bits |= kGuarded;
  if ((what & kOwnClass) != 0 && (what & kGuardedClass) == 0) bits |= kOwn;
  return bits == 0 ? unsigned{kOther} : bits;
}

// A function without `return` gives None.
unsigned ValueFlow::returns_of(const void* definition) {
  if (std::ranges::find(returning_, definition) != returning_.end()) return 0;
  const ScopeId body = scopes_.scope_opened_by(definition);
  if (body == kNone) return kOther;
  returning_.push_back(definition);
  unsigned bits = 0;
  for (expr_ty value : scopes_.scope(body).returns) bits |= kind(value, body);
  returning_.pop_back();
  return bits == 0 ? unsigned{kOther} : bits;
}

}  // namespace airlock::vet

// Calls: who gets the arguments, and what comes back. From the best known target to the least: a
// builtin or library function by its name, a function or class of this file, a method by its name,
// and at last anything at all (call_anything). The lists below say what is known about builtins and
// the standard library by name; a name that is missing in one only makes the answer more careful.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "python/ref.h"
#include "vet/facts/taint.h"

namespace airlock::vet {

namespace {

using python::text_of;

// Builtins that give text, a number or a truth value, whatever they are given.
bool gives_plain_value(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("str"),      std::string_view("repr"),       std::string_view("ascii"),
      std::string_view("format"),   std::string_view("len"),        std::string_view("int"),
      std::string_view("float"),    std::string_view("bool"),       std::string_view("complex"),
      std::string_view("bytes"),    std::string_view("hash"),       std::string_view("isinstance"),
      std::string_view("callable"), std::string_view("issubclass"), std::string_view("chr"),
      std::string_view("ord"),      std::string_view("hex"),        std::string_view("oct"),
      std::string_view("bin"),      std::string_view("print"),      std::string_view("range"),
      std::string_view("any"),      std::string_view("all"),        std::string_view("hasattr"),
      std::string_view("delattr"),  std::string_view("bytearray")};
  return is_one_of(name, kNames);
}

// Builtins that only look at what they are given, and give it to nobody.
bool only_looks(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("list"),      std::string_view("tuple"),  std::string_view("set"),
      std::string_view("frozenset"), std::string_view("sorted"), std::string_view("reversed"),
      std::string_view("enumerate"), std::string_view("zip"),    std::string_view("map"),
      std::string_view("filter"),    std::string_view("iter")};
  return is_one_of(name, kNames) || gives_plain_value(name);
}

// Pure methods of a path: they take texts and paths, and give paths or truth values.
bool is_path_method(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("joinpath"),    std::string_view("with_name"),
      std::string_view("with_stem"),   std::string_view("with_suffix"),
      std::string_view("relative_to"), std::string_view("is_relative_to"),
      std::string_view("match")};
  return is_one_of(name, kNames);
}

// Methods of the library's containers and texts, which call nothing but special methods.
bool is_container_method(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("append"),     std::string_view("add"),
      std::string_view("insert"),     std::string_view("extend"),
      std::string_view("update"),     std::string_view("setdefault"),
      std::string_view("appendleft"), std::string_view("extendleft"),
      std::string_view("remove"),     std::string_view("index"),
      std::string_view("count"),      std::string_view("get"),
      std::string_view("pop"),        std::string_view("discard"),
      std::string_view("join"),       std::string_view("startswith"),
      std::string_view("endswith"),   std::string_view("union"),
      std::string_view("issubset"),   std::string_view("issuperset"),
      std::string_view("copy")};
  return is_one_of(name, kNames);
}

// Methods of texts, patterns, matches and times, which nothing else in the library has: they give
// text, numbers, matches and times.
bool works_on_text(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("search"),       std::string_view("match"),
      std::string_view("fullmatch"),    std::string_view("finditer"),
      std::string_view("findall"),      std::string_view("sub"),
      std::string_view("subn"),         std::string_view("split"),
      std::string_view("rsplit"),       std::string_view("splitlines"),
      std::string_view("strip"),        std::string_view("lstrip"),
      std::string_view("rstrip"),       std::string_view("lower"),
      std::string_view("upper"),        std::string_view("title"),
      std::string_view("startswith"),   std::string_view("endswith"),

      std::string_view("join"),         std::string_view("partition"),
      std::string_view("rpartition"),   std::string_view("strftime"),
      std::string_view("isoformat"),    std::string_view("removeprefix"),
      std::string_view("removesuffix"), std::string_view("zfill")};
  return is_one_of(name, kNames);
}

// Builtins that make containers, iterators or exceptions, or take something out of one; they call
// the functions that they are given under these names and in these places, and no others.
bool calls_only_its_key(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("list"), std::string_view("tuple"),     std::string_view("set"),
      std::string_view("dict"), std::string_view("frozenset"), std::string_view("sorted"),
      std::string_view("max"),  std::string_view("min"),       std::string_view("sum"),
      std::string_view("next"), std::string_view("reversed"),  std::string_view("enumerate"),
      std::string_view("zip"),  std::string_view("map"),       std::string_view("filter")};
  return is_one_of(name, kNames) || name.ends_with("Error") || name.ends_with("Exception");
}

// Whether a container or generator has such a method: then a method of that name here proves
// nothing.
bool is_containers(PyObject* name) {
  for (PyTypeObject* type : {&PyList_Type, &PyDict_Type, &PySet_Type, &PyTuple_Type, &PyGen_Type}) {
    if (PyObject_HasAttr(reinterpret_cast<PyObject*>(type), name) != 0) return true;
  }
  static constexpr std::array kNames = {
      std::string_view("appendleft"), std::string_view("extendleft"),
      std::string_view("popleft"),    std::string_view("subtract"),
      std::string_view("elements"),   std::string_view("most_common"),
      std::string_view("new_child")};
  return is_one_of(text_of(name), kNames);
}

}  // namespace

// re.sub(pattern, function, text), pattern.sub(function, text): the function gets matches.
bool TaintMap::hands_out_matches(expr_ty function, ScopeId scope) const {
  if (function->kind == Attribute_kind) {
    const std::string_view name = text_of(function->v.Attribute.attr);
    return (name == "sub" || name == "subn") && !members_.contains(function->v.Attribute.attr) &&
           !stored_.contains(function->v.Attribute.attr);
  }
  if (function->kind != Name_kind) return false;
  const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
  if (id == kNone) return false;
  bool is_it = true;
  scopes_.for_each_binding(id, [&](const Binding& one) {
    is_it = is_it && one.kind == BindingKind::kForeign && one.surface->surface().name == "re";
  });
  return is_it;
}

// A function in the hands of someone who calls it with `bits`, and with nothing else.
void TaintMap::call_with(expr_ty function, unsigned bits, ScopeId scope) {
  Arguments given;
  given.starred = given.all = bits;
  given.has_star = true;
  if (function->kind == Lambda_kind) {
    const ScopeId inner = scope_of(function);
    if (inner != kNone) hand_over(function->v.Lambda.args, inner, given, 0);
  } else if (function->kind == Name_kind) {
    const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
    if (id != kNone) call_symbol(id, given);
  } else if (function->kind != Constant_kind) {
    call_anything(given);
  }
}

// Evaluates the arguments of a call, each once, and sorts them by how they are given.
TaintMap::Arguments TaintMap::arguments_of(expr_ty node, ScopeId scope) {
  expr_ty function = node->v.Call.func;
  const bool is_builtin =
      function->kind == Name_kind && scopes_.resolve(scope, function->v.Name.id) == kNone;
  const bool has_matches = hands_out_matches(function, scope);
  const std::string_view called = function->kind == Name_kind ? text_of(function->v.Name.id)
                                  : function->kind == Attribute_kind
                                      ? text_of(function->v.Attribute.attr)
                                      : std::string_view();
  // namedtuple and join read the names that they are given, and keep none of what holds them.
  // Only read: no new name for the argument arises (As::kReceiver).
  const bool is_read = (is_builtin && only_looks(called)) || called == "namedtuple" ||
                       called == "NamedTuple" || called == "join";
  const As as = is_read || has_matches ? As::kReceiver : As::kValue;
  Arguments given;
  for (expr_ty one : items(node->v.Call.args)) {
    if (has_matches && one->kind == Lambda_kind) get_matches_.insert(one);
    const unsigned bits = eval(one, scope, as);
    given.all |= bits;
    if (one->kind == Starred_kind) {
      given.has_star = true;
      given.starred |= bits;
    } else {
      given.positional.push_back(bits);
    }
  }
  for (keyword_ty one : items(node->v.Call.keywords)) {
    const unsigned bits = eval(one->value, scope);
    given.all |= bits;
    if (one->arg == nullptr) {
      given.has_star = true;
      given.starred |= bits;
    } else {
      given.named.emplace_back(one->arg, bits);
    }
  }
  return given;
}

// The arguments go to the parameters of a function of this file.
void TaintMap::hand_over(const void* definition, const Arguments& given, std::size_t shift) {
  const ScopeId inner = scope_of(definition);
  if (inner == kNone) return;
  const auto* node = static_cast<const _stmt*>(definition);
  hand_over(node->kind == AsyncFunctionDef_kind ? node->v.AsyncFunctionDef.args
                                                : node->v.FunctionDef.args,
            inner, given, shift);
}

// `shift`: how many parameters come before the first argument (self).
void TaintMap::hand_over(arguments_ty parameters, ScopeId inner, const Arguments& given,
                         std::size_t shift) {
  if (given.all == 0) return;
  std::vector<PyObject*> names;
  for (auto sequence : {parameters->posonlyargs, parameters->args}) {
    for (arg_ty one : items(sequence)) names.push_back(one->arg);
  }
  unsigned rest = given.starred;
  for (std::size_t i = 0; i < given.positional.size(); ++i) {
    spend();
    // With * in the call, a positional argument behind it may land anywhere.
    if (given.has_star && !is_too_much_) {
      for (PyObject* name : names) add_to_parameter(inner, name, given.positional[i]);
    }
    if (i + shift < names.size()) {
      add_to_parameter(inner, names[i + shift], given.positional[i]);
    } else {
      rest |= given.positional[i];
    }
  }
  for (const auto& [name, bits] : given.named) {
    add_to_parameter(inner, name, bits);
    // A name that no parameter has ends up in **kwargs.
    rest |= bits;
  }
  for (PyObject* name : names) add_to_parameter(inner, name, given.starred);
  for (arg_ty one : items(parameters->kwonlyargs)) add_to_parameter(inner, one->arg, given.starred);
  if (parameters->vararg != nullptr) add_to_parameter(inner, parameters->vararg->arg, rest);
  if (parameters->kwarg != nullptr) add_to_parameter(inner, parameters->kwarg->arg, rest);
}

// Nobody knows what is called: any function that is used as a value, any object with __call__.
// The least that is ever known: the arguments may come back, be kept, or reach any function.
unsigned TaintMap::call_anything(const Arguments& given) {
  add(unknown_args_, given.all);
  add(implicit_, given.all);
  add(constructed_, given.all);
  // Somebody may call a class, or a method, that is among the arguments.
  if ((given.all & kStoringTaint) != 0) store_out_of_sight(given);
  return given.all | ambient() | ((given.all & kPathClassTaint) != 0 ? unsigned{kPathTaint} : 0U);
}

// A value is called of which only the taint is known.
unsigned TaintMap::call_value(unsigned called, const Arguments& given) {
  if ((called & kStoringTaint) != 0) store_out_of_sight(given);
  return when_called(called) | call_anything(given);
}

// Somebody keeps these, under a name that nobody sees.
void TaintMap::store_out_of_sight(const Arguments& given) {
  const unsigned bits = given.all & ~unsigned{kStoringTaint};
  add(loose_, bits);
  add(sent_, bits);
  add(raised_, bits);
}

// By the form of what is called: with a dot, by a name, or any other expression.
unsigned TaintMap::call(expr_ty node, ScopeId scope) {
  expr_ty function = node->v.Call.func;
  if (function->kind == Attribute_kind) return call_method(node, arguments_of(node, scope), scope);
  if (function->kind == Name_kind) {
    const SymbolId id = scopes_.resolve(scope, function->v.Name.id);
    const std::string_view text = text_of(function->v.Name.id);
    if (id == kNone) return call_builtin(text, node, arguments_of(node, scope), scope);
    const Arguments given = arguments_of(node, scope);
    unsigned bits = 0;
    // In a class body the name may also be the module's (Scopes::fallback).
    for (const SymbolId one : {id, scopes_.fallback(id)}) {
      if (one == kNone) continue;
      bits |= call_symbol(one, given);
      scopes_.for_each_binding(one, [&](const Binding& binding) {
        if (binding.kind == BindingKind::kForeign)
          bits |= call_library(binding.surface->surface().name, text_of(binding.attribute), node,
                               given);
      });
    }
    // Outside of functions a name may fall back to the builtin.
    const ScopeKind where = scopes_.scope(scopes_.symbol(id).scope).kind;
    if ((where == ScopeKind::kModule || where == ScopeKind::kClass) &&
        policy_.facts(function->v.Name.id).is_interpreter_builtin)
      bits |= call_builtin(text, node, given, scope);
    return bits;
  }
  const unsigned called = eval(function, scope);
  const Arguments given = arguments_of(node, scope);
  return call_value(called, given);
}

// A name may have several bindings; the call may be of any of them.
unsigned TaintMap::call_symbol(SymbolId id, const Arguments& given) {
  if (id == kNone) return given.all;
  unsigned bits = 0;
  scopes_.for_each_binding(id, [&](const Binding& one) {
    switch (one.kind) {
      // A function of the class body that is called by its bare name gets no instance.
      case BindingKind::kFunction:
        hand_over(one.statement, given, 0);
        bits |= when_called(symbols_[id]);
        if (scopes_.scope(scopes_.symbol(id).scope).kind == ScopeKind::kClass)
          call_on_anything(scopes_.symbol(id).name);
        break;
      case BindingKind::kClass:
        bits |= construct(one.statement, given);
        if ((symbols_[id] & kPathClassTaint) != 0) bits |= kPathTaint;
        bits |= symbols_[id] & ~unsigned{kOwnClassTaint | kPathClassTaint};  // defaults of fields
        break;
      case BindingKind::kForeign:
      case BindingKind::kDeclared:
      case BindingKind::kDeleted:
        break;
      default:
        bits |= call_value(symbols_[id], given);
        break;
    }
  });
  return bits;
}

// Making an instance: the arguments go to __init__, or to the fields that a decorator or base class
// makes __init__ from. What comes back carries the arguments only if instances hold them
// themselves.
unsigned TaintMap::construct(stmt_ty definition, const Arguments& given) {
  const ScopeId inner = scope_of(definition);
  if (inner == kNone) return kEveryTaint;
  add(implicit_, given.all);  // __new__, __post_init__, _missing_
  // The class's own __init__.
  const SymbolId maker = init_name_ == nullptr ? kNone : scopes_.find_here(inner, init_name_);
  const bool is_bare = items(definition->v.ClassDef.bases).empty() &&
                       items(definition->v.ClassDef.decorator_list).empty();
  if (maker != kNone) {
    scopes_.for_each_binding(maker, [&](const Binding& one) {
      if (one.kind == BindingKind::kFunction) hand_over(one.statement, given, 1);
    });
    // No base and no decorator: nothing else takes the arguments.
    if (is_bare) return special_;
  }
  if (given.all == 0) return special_;
  // An inherited __init__, or fields of this class or of its bases.
  if (const auto found = members_.find(init_name_); found != members_.end()) {
    for (const SymbolId id : found->second) {
      scopes_.for_each_binding(id, [&](const Binding& one) {
        if (one.kind == BindingKind::kFunction) hand_over(one.statement, given, 1);
      });
    }
  }
  store_fields(definition, inner, given);
  for (const auto& [name, bits] : given.named) store_attribute(name, bits);
  // A tuple, a list or an exception holds what it is made of; an object of one's own does not, its
  // attributes do.
  const ScopeId around = scopes_.scope(inner).parent;
  if (!has_foreign_base(definition, around)) return special_;
  add(instances_hold_, given.all);
  return special_ | given.all;
}

// The fields of a dataclass or named tuple, in order when they all stand in this class.
void TaintMap::store_fields(stmt_ty definition, ScopeId inner, const Arguments& given) {
  std::vector<PyObject*> fields;
  for (stmt_ty one : items(definition->v.ClassDef.body)) {
    if (one->kind == AnnAssign_kind && one->v.AnnAssign.target->kind == Name_kind)
      fields.push_back(one->v.AnnAssign.target->v.Name.id);
  }
  const auto bases = items(definition->v.ClassDef.bases);
  const bool is_whole = !given.has_star && given.positional.size() <= fields.size() &&
                        std::ranges::all_of(bases, [&](expr_ty base) {
                          return names_a_type(base, scopes_.scope(inner).parent);
                        });
  if (is_whole) {
    // Some fields take no argument (ClassVar, init=False, keywords only), so an argument may be for
    // a later one.
    for (std::size_t i = 0; i < given.positional.size(); ++i) {
      for (std::size_t j = i; j < fields.size(); ++j)
        store_attribute(fields[j], given.positional[i]);
    }
    return;
  }
  for (const auto& [name, symbols] : members_) {
    spend();
    if (is_too_much_) return;
    const bool is_field = std::ranges::any_of(symbols, [&](SymbolId id) {
      return scopes_.binding(scopes_.symbol(id).first).annotation != nullptr;
    });
    if (is_field) store_attribute(name, given.all);
  }
}

// From the most harmless to the least known.
unsigned TaintMap::call_builtin(std::string_view name, expr_ty node, const Arguments& given,
                                ScopeId scope) {
  const auto arguments = items(node->v.Call.args);
  // What str() or len() gives carries nothing, whatever it was asked of.
  if (gives_plain_value(name)) return 0;
  if (name == "super") {
    // super(Own, Own).method is the plain function.
    const bool is_of_class = is_inside_class_method_ || !arguments.empty();
    return given.all | (is_of_class ? unsigned{kOwnClassTaint} : 0U);
  }
  if (name == "type") {
    // What may be done with it is judged where it stands.
    return kOwnClassTaint | ((given.all & kPathTaint) != 0 ? unsigned{kPathClassTaint} : 0U) |
           ((given.all & kPathClassTaint) != 0 ? unsigned{kLibraryClassTaint} : 0U);
  }
  // With a literal name it is an attribute like any other; with a computed one, any of them.
  if (name == "getattr" && arguments.size() >= 2 && !given.has_star) {
    unsigned bits = every_attribute_ | every_member_ | constructed_ | ambient() | given.all;
    if (arguments[1]->kind == Constant_kind && PyUnicode_Check(arguments[1]->v.Constant.value)) {
      // Names are compared by address, and a constant's text is not interned.
      const python::Ref attribute_name = python::interned(arguments[1]->v.Constant.value);
      mark_methods_used_as_values(attribute_name.get());
      bits = attribute(given.positional[0], attribute_name.get());
      if (arguments.size() > 2) bits |= given.positional[2];
    }
    return bits;
  }
  if (name == "setattr" && arguments.size() == 3 && !given.has_star) {
    add(implicit_, given.all);
    if (arguments[1]->kind == Constant_kind && PyUnicode_Check(arguments[1]->v.Constant.value)) {
      // The binder keeps the interned name alive.
      const python::Ref attribute_name = python::interned(arguments[1]->v.Constant.value);
      store_attribute(attribute_name.get(), given.positional[2]);
      call_setter(attribute_name.get(), given.positional[2]);
    } else {
      add(loose_, given.all);
    }
    return 0;
  }
  // AttributeError(name=…, obj=…) keeps them under these names.
  for (const auto& [keyword, value] : given.named) store_attribute(keyword, value);
  // A builtin that is not on any list may call what it is given.
  if (!calls_only_its_key(name)) return call_anything(given);
  add(implicit_, given.all);
  if ((given.all & kStoringTaint) != 0) store_out_of_sight(given);
  if (given.all != 0) {
    if ((name == "map" || name == "filter") && !arguments.empty())
      call_with(arguments[0], given.all, scope);
    for (keyword_ty one : items(node->v.Call.keywords)) {
      if (one->arg == nullptr || text_of(one->arg) == "key")
        call_with(one->value, given.all, scope);
    }
  }
  return given.all | ambient();
}

// What the library's functions keep or give back of their arguments, by module.
unsigned TaintMap::call_library(std::string_view module, std::string_view name, expr_ty node,
                                const Arguments& given) {
  if (policy_.guarded_class(module, name) != nullptr) return kPathTaint;
  // Texts and plain paths, unless a class of this file answers in place of a text.
  if (module == "os.path" || module == "pathlib") return special_;
  if (name == "namedtuple" || name == "NamedTuple") {
    for (expr_ty one : items(node->v.Call.args)) note_fields(one);
    return given.all;  // defaults=[…]: the class brings them along
  }
  if (given.all != 0) call_anything(given);
  // ParseResult holds what it is given, and so do these in lower case.
  // By the library's convention, and the few that break it.
  const bool is_class = is_upper(name[0]) || name == "error" || name == "struct_time";
  if (!is_class && (module == "re" || module == "base64" || module == "hashlib" ||
                    module == "time" || module == "datetime"))
    return special_;  // text, matches, times: they hold nothing else
  const bool holds = is_class || module == "collections" || module == "dataclasses" ||
                     module == "typing" || module == "enum" || module == "json" ||
                     module == "math";  // prod gives its start, floor what __floor__ gives
  unsigned bits = holds ? given.all : given.all & ~unsigned{kLibraryClassTaint};
  if (module == "dataclasses") {
    if (name == "fields" || name == "field") bits |= kLibraryClassTaint | annotated_;
    if (name == "asdict" || name == "astuple" || name == "replace") bits |= every_attribute_;
    for (const auto& [keyword, value] : given.named) store_attribute(keyword, value);
  }
  return bits | ambient();
}

// "name stem", ["name", "stem"], [("name", str)]: attributes that hold what the tuple was made of.
void TaintMap::note_fields(expr_ty node) {
  if (node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value)) {
    std::string_view rest = text_of(node->v.Constant.value);
    while (!rest.empty()) {
      // As namedtuple splits it; an empty word between two separators does no harm.
      const std::size_t end = rest.find_first_of(", \t\n");
      if (tuple_fields_.insert(rest.substr(0, end)).second) changed_ = true;
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }
  if (node->kind == List_kind) {
    for (expr_ty one : items(node->v.List.elts)) note_fields(one);
  }
  if (node->kind == Tuple_kind) {
    for (expr_ty one : items(node->v.Tuple.elts)) note_fields(one);
  }
}

bool TaintMap::names_own_class(expr_ty node, ScopeId scope) const {
  if (node->kind != Name_kind) return false;
  const SymbolId id = scopes_.resolve(scope, node->v.Name.id);
  if (id == kNone) return false;
  bool is_it = true;
  scopes_.for_each_binding(
      id, [&](const Binding& one) { is_it = is_it && one.kind == BindingKind::kClass; });
  return is_it && (symbols_[id] & ~unsigned{kOwnClassTaint}) == 0;
}

// A method by its name: every function of that name in any class here may be the one, and a method
// of a library's object too, unless the receiver surely is of a class here.
unsigned TaintMap::call_method(expr_ty node, const Arguments& given, ScopeId scope) {
  expr_ty function = node->v.Call.func;
  expr_ty owner = function->v.Attribute.value;
  PyObject* name = function->v.Attribute.attr;
  const std::string_view text = text_of(name);
  if (const SurfaceIndex* module = flow_.module_of(owner, scope); module != nullptr)
    return call_library(module->surface().name, text, node, given);
  // Not a module: an object. What it is is not known, only what it may carry.
  const unsigned receiver = eval(owner, scope, As::kReceiver);
  unsigned bits = attribute(receiver, name);
  const auto members = members_.find(name);
  bool is_own = false;
  if (members != members_.end()) {
    for (const SymbolId id : members->second) {
      scopes_.for_each_binding(id, [&](const Binding& one) {
        if (one.kind == BindingKind::kFunction) {
          is_own = true;
          // As a bound method: the first parameter is the instance.
          hand_over(one.statement, given, 1);
          if (is_called_on_anything_here(name)) hand_over(one.statement, given, 0);
        } else if (one.kind == BindingKind::kClass) {
          bits |= construct(one.statement, given);
        }
      });
    }
  }
  if (text == "__setattr__" && given.positional.size() >= 2) {
    // object.__setattr__(obj, "name", value)
    const auto arguments = items(node->v.Call.args);
    expr_ty stored = arguments[arguments.size() - 2];
    if (stored->kind == Constant_kind && PyUnicode_Check(stored->v.Constant.value)) {
      const python::Ref attribute_name = python::interned(stored->v.Constant.value);
      store_attribute(attribute_name.get(), given.positional.back());
    }
  }
  if (text == "send" || text == "throw") {
    add(sent_, given.all);
    add(raised_, given.all);
  }
  bits = when_called(bits);
  if ((receiver & kPathClassTaint) != 0) bits |= kPathTaint;
  const bool is_path = (receiver & kPathTaint) != 0 && (gives_text(name) || is_path_method(text));
  // A pure method of a path gives what attribute() said, and keeps nothing.
  if (is_path) return bits;
  // What a container holds comes out, and what it is given goes in.
  const bool is_stored = stored_.contains(name);  // Own.method = another
  const bool is_only_own = is_own && !is_stored && !is_containers(name) &&
                           (receiver == 0 || names_own_class(owner, scope));
  bits &= ~unsigned{kStoringTaint};  // it is called, not kept
  const bool may_be_field =
      members != members_.end() || is_stored || has_own_lookup_ || tuple_fields_.contains(text);
  if (!may_be_field && works_on_text(text)) return bits;
  // The receiver may be a container: then its contents come out, or an argument does.
  if (!is_only_own) bits |= (gives_text(name) ? 0 : receiver) | given.all | ambient();
  if (given.all != 0) {
    // A container calls only special methods (__eq__, __hash__) of what it is given.
    if (is_container_method(text) && !may_be_field) {
      add(implicit_, given.all);
    } else if (!is_only_own) {
      call_anything(given);
    }
    if (!is_only_own) put_into(owner, given.all, scope);
  }
  return bits;
}

}  // namespace airlock::vet

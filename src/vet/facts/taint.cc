// Statements. Where values are put is in taint_places.cc, expressions are in taint_values.cc, calls
// in taint_calls.cc.
#include "vet/facts/taint.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace airlock::vet {

namespace {

using python::text_of;

// The bound of the work: passes over the file, and nodes visited in all of them together.
constexpr int kMaxPasses = 24;
constexpr long kMaxTaintSteps = 3'000'000;

// The library's classes are written with a capital, by convention.
bool starts_upper(std::string_view name) {
  return !name.empty() && is_upper(name[0]);
}

// Special methods, and the _names_ that enum calls.
bool is_called_by_others(std::string_view name) {
  if (is_special(name)) return name != "__init__";
  // dict(x) and **x ask for keys, print writes, json encodes and decodes.
  static constexpr std::array kProtocols = {
      std::string_view("keys"),   std::string_view("items"),      std::string_view("values"),
      std::string_view("get"),    std::string_view("write"),      std::string_view("flush"),
      std::string_view("encode"), std::string_view("iterencode"), std::string_view("default"),
      std::string_view("decode"), std::string_view("raw_decode")};
  if (is_one_of(name, kProtocols)) return true;
  return name.size() > 2 && name.starts_with('_') && name.ends_with('_');
}

}  // namespace

unsigned TaintMap::of(expr_ty node, ScopeId scope) {
  work();
  // The answer is read off the finished map; eval() may still add bits, which is harmless: the map
  // is closed under its rules by then.
  const unsigned bits = eval(node, scope, As::kReceiver);
  return is_too_much_ ? kEveryTaint : bits;
}

bool TaintMap::is_called_on_anything(PyObject* method) {
  work();
  return is_too_much_ || on_anything_.contains(method);
}

bool TaintMap::is_shared(SymbolId id) {
  work();
  return is_too_much_ || shared_[id];
}

bool TaintMap::is_tuple_field(std::string_view name) {
  work();
  return is_too_much_ || tuple_fields_.contains(name);
}

void TaintMap::work() {
  if (is_done_) return;
  is_done_ = true;
  symbols_.assign(scopes_.symbols().size(), 0);
  shared_.assign(scopes_.symbols().size(), false);
  returns_.assign(scopes_.scope_count(), 0);
  used_as_value_.assign(scopes_.scope_count(), false);
  for (ScopeId id = 0; id < scopes_.scope_count(); ++id)
    opened_by_.emplace(scopes_.scope(id).node, id);
  for (SymbolId id = 0; id < symbols_.size(); ++id) {
    const Symbol& symbol = scopes_.symbol(id);
    if (scopes_.scope(symbol.scope).kind == ScopeKind::kClass && symbol.first != kNone) {
      members_[symbol.name].push_back(id);
      const std::string_view text = text_of(symbol.name);
      // With one of these a class of the file decides itself what x.name gives.
      has_own_lookup_ =
          has_own_lookup_ || text == "__getattr__" || text == "__get__" || text == "__set_name__";
      if (text == "__init__") init_name_ = symbol.name;
    }
    scopes_.for_each_binding(id, [&](const Binding& one) {
      // From collections, whatever of it: UserDict and its like keep their contents in an
      // attribute.
      has_wrappers_ =
          has_wrappers_ || (one.surface != nullptr && one.surface->surface().name == "collections");
      if (one.kind == BindingKind::kForeign)
        symbols_[id] |= foreign(one.surface->surface().name, text_of(one.attribute));
    });
  }
  for (const AttributeStore& one : scopes_.attribute_stores) {
    if (!one.is_content) stored_.insert(one.name);
  }
  // Any call by that name: what a field is called must be known from the first round on.
  for (const CallSite& one : scopes_.calls) {
    expr_ty function = one.call->v.Call.func;
    const std::string_view called = function->kind == Name_kind ? text_of(function->v.Name.id)
                                    : function->kind == Attribute_kind
                                        ? text_of(function->v.Attribute.attr)
                                        : std::string_view();
    if (called != "namedtuple" && called != "NamedTuple") continue;
    for (expr_ty argument : items(one.call->v.Call.args)) note_fields(argument);
  }
  int passes = 0;
  do {
    changed_ = false;
    pass();
  } while (changed_ && ++passes < kMaxPasses && !is_too_much_);
  // Not finished after the last pass: then no answer can be trusted.
  is_too_much_ = is_too_much_ || changed_;
}

void TaintMap::spend() {
  if (++steps_ > kMaxTaintSteps) is_too_much_ = true;
}

void TaintMap::pass() {
  if (module_ != nullptr) statements(module_->v.Module.body, 0);
}

void TaintMap::add(unsigned& pool, unsigned bits) {
  if ((pool | bits) == pool) return;
  pool |= bits;
  changed_ = true;
}

// Names in a class body are attributes too, and can be reached without their name (vars, enum).
void TaintMap::add_to_symbol(SymbolId id, unsigned bits) {
  if (id == kNone || bits == 0) return;
  add(symbols_[id], bits);
  if (scopes_.scope(scopes_.symbol(id).scope).kind == ScopeKind::kClass) add(every_member_, bits);
}

void TaintMap::add_to_parameter(ScopeId inner, PyObject* name, unsigned bits) {
  if (bits != 0) add_to_symbol(scopes_.find_here(inner, name), bits);
}

void TaintMap::store_attribute(PyObject* name, unsigned bits) {
  if (bits == 0) return;
  add(attributes_[name], bits);
  add(every_attribute_, bits);
  // Names under which a library's object keeps what it then gives in other ways.
  const std::string_view text = text_of(name);
  if (text == "_value_") add(members_hold_, bits);
  if (text == "_name_") add(members_are_named_, bits);
  if (text == "default_factory" || (has_wrappers_ && (text == "data" || text == "maps")))
    add(loose_, bits);
}

ScopeId TaintMap::scope_of(const void* node) const {
  const auto found = opened_by_.find(node);
  return found == opened_by_.end() ? kNone : found->second;
}

// A `return` or yield belongs to the function, not to the comprehension that it stands in.
ScopeId TaintMap::function_around(ScopeId scope) const {
  while (scope != 0 && scopes_.scope(scope).kind == ScopeKind::kComprehension)
    scope = scopes_.scope(scope).parent;
  return scope;
}

// Classes and functions that are made in C cannot be changed. Names in lower case are functions,
// but for these.
unsigned TaintMap::foreign(std::string_view module, std::string_view name) const {
  if (policy_.guarded_class(module, name) != nullptr) return kPathClassTaint;
  if (module == "datetime" || module == "math" || module == "time" || module == "hashlib") return 0;
  if (name == "OrderedDict" && module == "collections") return 0;
  if (module == "re" && (name == "Pattern" || name == "Match")) return 0;
  static constexpr std::array kClasses = {std::string_view("auto"),   std::string_view("property"),
                                          std::string_view("member"), std::string_view("nonmember"),
                                          std::string_view("verify"), std::string_view("error")};
  if (starts_upper(name) || is_one_of(name, kClasses)) return kLibraryClassTaint;
  static constexpr std::array kMadeInC = {std::string_view("deque"),
                                          std::string_view("defaultdict")};
  const bool is_text = module == "string" && name != "capwords";
  return is_one_of(name, kMadeInC) || is_text ? 0U : unsigned{kLibraryFunctionTaint};
}

// ---- statements

void TaintMap::statements(asdl_stmt_seq* body, ScopeId scope) {
  for (stmt_ty node : items(body)) statement(node, scope);
}

// What each statement hands on: to names (bind), to pools (add), to what it calls without a word
// (implicit). Kinds that are missing here hand on nothing: imports, pass, break, global.
void TaintMap::statement(stmt_ty node, ScopeId scope) {
  spend();
  if (is_too_much_) return;
  auto& v = node->v;
  switch (node->kind) {
    case FunctionDef_kind:
    case AsyncFunctionDef_kind:
      return function(node, scope);
    case ClassDef_kind:
      return class_statement(node, scope);
    case Return_kind: {
      const unsigned bits = v.Return.value != nullptr ? eval(v.Return.value, scope) : 0;
      add(returns_[function_around(scope)], bits);
      // So `except StopIteration as e` can read it.
      return add(raised_, bits);  // of a generator: StopIteration carries it
    }
    case Delete_kind:
      for (expr_ty one : items(v.Delete.targets)) add(implicit_, eval(one, scope, As::kReceiver));
      return;
    case Assign_kind: {
      const unsigned bits = eval(v.Assign.value, scope);
      for (expr_ty target : items(v.Assign.targets)) {
        // a, b = x, y: pair by pair, so that a path in one does not taint the other.
        const bool are_tuples =
            target->kind == Tuple_kind && v.Assign.value->kind == Tuple_kind &&
            items(target->v.Tuple.elts).size() == items(v.Assign.value->v.Tuple.elts).size() &&
            std::ranges::none_of(items(target->v.Tuple.elts),
                                 [](expr_ty one) { return one->kind == Starred_kind; }) &&
            std::ranges::none_of(items(v.Assign.value->v.Tuple.elts),
                                 [](expr_ty one) { return one->kind == Starred_kind; });
        if (!are_tuples) {
          bind(target, bits, scope);
          continue;
        }
        for (std::size_t i = 0; i < items(target->v.Tuple.elts).size(); ++i)
          bind(items(target->v.Tuple.elts)[i], eval(items(v.Assign.value->v.Tuple.elts)[i], scope),
               scope);
      }
      return;
    }
    case AugAssign_kind: {
      const unsigned bits =
          eval(v.AugAssign.value, scope) | eval(v.AugAssign.target, scope, As::kReceiver);
      add(implicit_, bits);
      // And every other name for that list sees it.
      if (bits != 0) put_into(v.AugAssign.target, bits, scope);  // += changes lists in place
      return bind(v.AugAssign.target, bits | ambient(), scope);
    }
    case AnnAssign_kind: {
      if (scopes_.scope(scope).kind == ScopeKind::kClass)
        add(annotated_, eval(v.AnnAssign.annotation, scope));
      if (v.AnnAssign.target->kind == Name_kind)
        bind(v.AnnAssign.target, taint_of_annotation(v.AnnAssign.annotation, scope), scope);
      if (v.AnnAssign.value != nullptr)
        bind(v.AnnAssign.target, eval(v.AnnAssign.value, scope), scope);
      return;
    }
    case For_kind: {
      const unsigned bits = eval(v.For.iter, scope, As::kReceiver);
      add(implicit_, bits);
      bind(v.For.target, bits | ambient(), scope);
      statements(v.For.body, scope);
      return statements(v.For.orelse, scope);
    }
    case AsyncFor_kind:
      // Async code is never followed: the judge refuses it, and until then the worst is assumed.
      bind(v.AsyncFor.target, kEveryTaint, scope);  // refused anyway
      return statements(v.AsyncFor.body, scope);
    case While_kind:
      eval(v.While.test, scope, As::kReceiver);
      statements(v.While.body, scope);
      return statements(v.While.orelse, scope);
    case If_kind:
      eval(v.If.test, scope, As::kReceiver);
      statements(v.If.body, scope);
      return statements(v.If.orelse, scope);
    case With_kind:
      return with_statement(v.With.items, v.With.body, scope);
    case AsyncWith_kind:
      return with_statement(v.AsyncWith.items, v.AsyncWith.body, scope);
    case Match_kind: {
      const unsigned bits = eval(v.Match.subject, scope, As::kReceiver);
      add(implicit_, bits);
      for (match_case_ty one : items(v.Match.cases)) {
        // A class pattern reads attributes of the subject, so a capture may be any attribute of
        // anything.
        capture(one->pattern, bits | ambient() | every_attribute_ | every_member_ | constructed_,
                scope);
        if (one->guard != nullptr) eval(one->guard, scope, As::kReceiver);
        statements(one->body, scope);
      }
      return;
    }
    case Raise_kind:
      if (v.Raise.exc != nullptr) add(raised_, eval(v.Raise.exc, scope));
      if (v.Raise.cause != nullptr) add(raised_, eval(v.Raise.cause, scope));
      return;
    case Try_kind:
      return try_statement(v.Try.body, v.Try.handlers, v.Try.orelse, v.Try.finalbody, scope);
    case TryStar_kind:
      return try_statement(v.TryStar.body, v.TryStar.handlers, v.TryStar.orelse,
                           v.TryStar.finalbody, scope);
    case Assert_kind:
      eval(v.Assert.test, scope, As::kReceiver);
      if (v.Assert.msg != nullptr) add(raised_, eval(v.Assert.msg, scope));
      return;
    case Expr_kind:
      eval(v.Expr.value, scope, As::kReceiver);
      return;
    default:
      return;
  }
}

void TaintMap::try_statement(asdl_stmt_seq* body, asdl_excepthandler_seq* handlers,
                             asdl_stmt_seq* otherwise, asdl_stmt_seq* last, ScopeId scope) {
  statements(body, scope);
  for (excepthandler_ty one : items(handlers)) {
    if (one->v.ExceptHandler.type != nullptr) eval(one->v.ExceptHandler.type, scope, As::kReceiver);
    // Which exception it is does not matter: all that was ever raised is in the pool.
    if (one->v.ExceptHandler.name != nullptr)
      add_to_symbol(scopes_.resolve(scope, one->v.ExceptHandler.name), raised_ | loose_);
    statements(one->v.ExceptHandler.body, scope);
  }
  statements(otherwise, scope);
  statements(last, scope);
}

void TaintMap::with_statement(asdl_withitem_seq* managers, asdl_stmt_seq* body, ScopeId scope) {
  for (withitem_ty one : items(managers)) {
    const unsigned bits = eval(one->context_expr, scope);
    add(implicit_, bits);
    if (one->optional_vars != nullptr) bind(one->optional_vars, bits | ambient(), scope);
  }
  statements(body, scope);
}

// Every name in a pattern may get everything that the subject may hold: which part it is does not
// matter.
void TaintMap::capture(pattern_ty node, unsigned bits, ScopeId scope) {
  if (node == nullptr) return;
  const auto all = [&](asdl_pattern_seq* sequence) {
    for (pattern_ty one : items(sequence)) capture(one, bits, scope);
  };
  const auto named = [&](PyObject* name) {
    if (name != nullptr) add_to_symbol(scopes_.resolve(scope, name), bits);
  };
  auto& v = node->v;
  switch (node->kind) {
    case MatchValue_kind:
      return add(implicit_, eval(v.MatchValue.value, scope, As::kReceiver));
    case MatchSequence_kind:
      return all(v.MatchSequence.patterns);
    case MatchMapping_kind:
      add(implicit_, eval_all(items(v.MatchMapping.keys), scope));
      all(v.MatchMapping.patterns);
      return named(v.MatchMapping.rest);
    case MatchClass_kind:
      all(v.MatchClass.patterns);
      return all(v.MatchClass.kwd_patterns);
    case MatchStar_kind:
      return named(v.MatchStar.name);
    case MatchAs_kind:
      capture(v.MatchAs.pattern, bits, scope);
      return named(v.MatchAs.name);
    case MatchOr_kind:
      return all(v.MatchOr.patterns);
    default:
      return;
  }
}

// `first` goes to the first parameter, `rest` to all others.
// Annotations count only when they name a guarded class (taint_of_annotation).
void TaintMap::parameters(arguments_ty arguments, ScopeId inner, ScopeId outer, unsigned first,
                          unsigned rest) {
  std::vector<PyObject*> names;
  for (auto sequence : {arguments->posonlyargs, arguments->args, arguments->kwonlyargs}) {
    for (arg_ty one : items(sequence)) {
      if (sequence != arguments->kwonlyargs) names.push_back(one->arg);
      add_to_parameter(inner, one->arg, taint_of_annotation(one->annotation, outer));
    }
  }
  // Defaults belong to the last of the names.
  const auto defaults = items(arguments->defaults);
  for (std::size_t i = 0; i < defaults.size(); ++i)
    add_to_parameter(inner, names[names.size() - defaults.size() + i], eval(defaults[i], outer));
  if (!names.empty()) add_to_parameter(inner, names[0], first);
  for (std::size_t i = 1; i < names.size(); ++i) add_to_parameter(inner, names[i], rest);
  const auto keyword_defaults = items(arguments->kw_defaults);
  std::size_t index = 0;
  for (arg_ty one : items(arguments->kwonlyargs)) {
    expr_ty value = index < keyword_defaults.size() ? keyword_defaults[index] : nullptr;
    add_to_parameter(inner, one->arg, rest | (value != nullptr ? eval(value, outer) : 0));
    ++index;
  }
  // def f(*args): the first argument is in there too.
  const unsigned in_star = names.empty() ? first | rest : rest;
  if (arguments->vararg != nullptr) add_to_parameter(inner, arguments->vararg->arg, in_star);
  if (arguments->kwarg != nullptr) add_to_parameter(inner, arguments->kwarg->arg, rest);
}

// An annotation that names a guarded class is believed; one that names another is not.
unsigned TaintMap::taint_of_annotation(expr_ty annotation, ScopeId scope) {
  if (annotation == nullptr) return 0;
  if (annotation->kind == Constant_kind && PyUnicode_Check(annotation->v.Constant.value)) {
    const std::string_view text = text_of(annotation->v.Constant.value);
    const auto classes = policy_.guarded_classes();
    const bool is_named =
        flow_.has_guarded_class() && std::ranges::any_of(classes, [&](const SurfaceIndex& one) {
          const std::string_view full = one.surface().name;
          // Anywhere in the text: "Optional[Path]", "list['Path']".
          return text.find(full.substr(full.rfind('.') + 1)) != text.npos;
        });
    return is_named ? unsigned{kPathTaint} : 0U;
  }
  return (eval(annotation, scope, As::kReceiver) & kPathClassTaint) != 0 ? unsigned{kPathTaint}
                                                                         : 0U;
}

void TaintMap::mark_used_as_value(ScopeId function) {
  if (used_as_value_[function]) return;
  used_as_value_[function] = true;
  changed_ = true;
}

void TaintMap::call_on_anything(PyObject* method) {
  if (on_anything_.insert(method).second) changed_ = true;
}

// What the decorators give instead of the function or class, which they are handed as `carried`.
// @property and @x.setter call it on instances only; a library's decorators mark it and give it
// back.
unsigned TaintMap::decorated(asdl_expr_seq* decorators, unsigned carried, ScopeId scope) {
  unsigned bits = 0;
  for (expr_ty one : items(decorators)) {
    if (is_plain_decorator(one, scope)) continue;
    Arguments given;
    given.positional.push_back(carried);
    given.all = carried;
    bits |= eval(one, scope);
    const bool is_name = one->kind == Name_kind;
    bits |=
        is_name ? call_symbol(scopes_.resolve(scope, one->v.Name.id), given) : call_anything(given);
  }
  return bits;
}

bool TaintMap::is_foreign_name(expr_ty name, ScopeId scope) const {
  const SymbolId id = scopes_.resolve(scope, name->v.Name.id);
  if (id == kNone) return true;
  bool is_foreign = true;
  scopes_.for_each_binding(id, [&](const Binding& one) {
    is_foreign = is_foreign && one.kind == BindingKind::kForeign;
  });
  return is_foreign;
}

// One that gives the function back, or calls it on instances only: from a library, or @p.setter.
bool TaintMap::is_plain_decorator(expr_ty node, ScopeId scope) const {
  if (node->kind == Call_kind) node = node->v.Call.func;
  if (node->kind == Name_kind) return is_foreign_name(node, scope);
  if (node->kind != Attribute_kind) return false;
  if (flow_.module_of(node->v.Attribute.value, scope) != nullptr) return true;
  // @p.setter, p being a property of this class.
  const std::string_view name = text_of(node->v.Attribute.attr);
  if (name != "setter" && name != "getter" && name != "deleter") return false;
  if (node->v.Attribute.value->kind != Name_kind || scopes_.scope(scope).kind != ScopeKind::kClass)
    return false;
  const SymbolId id = scopes_.find_here(scope, node->v.Attribute.value->v.Name.id);
  if (id == kNone || scopes_.symbol(id).first == kNone) return false;
  const Binding& first = scopes_.binding(scopes_.symbol(id).first);
  if (first.kind != BindingKind::kFunction || first.statement->kind != FunctionDef_kind)
    return false;
  const auto decorators = items(first.statement->v.FunctionDef.decorator_list);
  return decorators.size() == 1 && decorators[0]->kind == Name_kind &&
         text_of(decorators[0]->v.Name.id) == "property" &&
         scopes_.resolve(scope, decorators[0]->v.Name.id) == kNone;
}

// The parameters get what may be handed to them, the body is walked, and the name carries what the
// body returns. Who may call it decides what the parameters get: the first one of a method an
// instance, the others the pools of whoever may call such a method.
void TaintMap::function(stmt_ty node, ScopeId scope) {
  const bool is_async = node->kind == AsyncFunctionDef_kind;
  PyObject* name = is_async ? node->v.AsyncFunctionDef.name : node->v.FunctionDef.name;
  arguments_ty arguments = is_async ? node->v.AsyncFunctionDef.args : node->v.FunctionDef.args;
  asdl_expr_seq* decorators =
      is_async ? node->v.AsyncFunctionDef.decorator_list : node->v.FunctionDef.decorator_list;
  const ScopeId inner = scope_of(node);
  if (inner == kNone) return;
  const bool in_class = scopes_.scope(scope).kind == ScopeKind::kClass;
  const std::string_view text = text_of(name);
  // These get a class without being marked as class methods; _missing_ is enum's.
  bool is_class_method = in_class && (text == "__new__" || text == "__init_subclass__" ||
                                      text == "__class_getitem__" || text == "_missing_");
  bool is_static = false;
  for (expr_ty one : items(decorators)) {
    const std::string_view of = one->kind == Name_kind ? text_of(one->v.Name.id) : "";
    is_class_method = is_class_method || of == "classmethod";
    is_static = is_static || of == "staticmethod";
    if (is_plain_decorator(one, scope)) continue;
    mark_used_as_value(inner);
    call_on_anything(name);
  }
  unsigned first = 0;
  unsigned rest = used_as_value_[inner] ? unknown_args_ : 0;
  bool is_called_by_library = false;
  if (in_class) {
    auto* owner = static_cast<stmt_ty>(const_cast<void*>(scopes_.scope(scope).node));
    const ScopeId around = scopes_.scope(scope).parent;
    // A class under Path: its instances are paths.
    const bool is_path =
        (eval_all(items(owner->v.ClassDef.bases), around) & (kPathClassTaint | kPathTaint)) != 0;
    is_called_by_library = has_foreign_base(owner, around);
    if (text == "__init__") rest |= constructed_;
    if (is_called_by_others(text) || is_called_by_library)
      rest |= implicit_ | unknown_args_ | (text == "__exit__" ? raised_ : 0U);
    if (is_called_by_library) first |= instances_hold_;
    if (is_path) first |= kPathTaint;
    if (is_class_method) first |= kOwnClassTaint | (is_path ? unsigned{kPathClassTaint} : 0U);
  }
  // The first parameter of a method gets an instance, unless somebody calls it on something else.
  if (!in_class || is_static || on_anything_.contains(name)) first |= rest;
  parameters(arguments, inner, scope, first, rest);
  const bool outer = is_inside_class_method_;
  // Asked by super(): in a class method it gives plain functions, in a method bound ones.
  if (in_class) is_inside_class_method_ = is_class_method || is_static;
  statements(is_async ? node->v.AsyncFunctionDef.body : node->v.FunctionDef.body, inner);
  is_inside_class_method_ = outer;
  if (in_class && (is_called_by_others(text) || is_called_by_library))
    add(special_, returns_[inner]);
  // A property is what its function returns; a function only gives it.
  const unsigned carried = items(decorators).empty()
                               ? as_function(returns_[inner])
                               : returns_[inner] | as_function(returns_[inner]);
  add_to_symbol(scopes_.resolve(scope, name), carried | decorated(decorators, carried, scope));
}

// Whether code of a library may call methods of this class, or make its instances: a base that is
// not `object` or a class of the file without such a base.
bool TaintMap::has_foreign_base(stmt_ty definition, ScopeId scope) const {
  const auto [found, is_first] = foreign_base_.try_emplace(definition, true);  // ends circles
  if (!is_first) return found->second;
  const auto bases = items(definition->v.ClassDef.bases);
  // A keyword (metaclass=…, total=False) is handed to code of the library.
  const bool is_foreign = !items(definition->v.ClassDef.keywords).empty() ||
                          std::ranges::any_of(bases, [&](expr_ty base) {
                            if (base->kind != Name_kind) return true;
                            const SymbolId id = scopes_.resolve(scope, base->v.Name.id);
                            if (id == kNone) return text_of(base->v.Name.id) != "object";
                            bool is_plain = true;
                            scopes_.for_each_binding(id, [&](const Binding& one) {
                              is_plain = is_plain && one.kind == BindingKind::kClass &&
                                         !has_foreign_base(one.statement, one.scope);
                            });
                            return !is_plain;
                          });
  foreign_base_[definition] = is_foreign;
  return is_foreign;
}

// The name carries "a class of this file", and what the class itself may hand out.
void TaintMap::class_statement(stmt_ty node, ScopeId scope) {
  const ScopeId inner = scope_of(node);
  if (inner == kNone) return;
  unsigned base = 0;
  for (expr_ty one : items(node->v.ClassDef.bases)) base |= eval(one, scope, As::kReceiver);
  const bool is_path = (base & (kPathClassTaint | kPathTaint)) != 0;
  for (keyword_ty one : items(node->v.ClassDef.keywords)) add(implicit_, eval(one->value, scope));
  statements(node->v.ClassDef.body, inner);
  unsigned held = 0;
  const bool is_foreign = has_foreign_base(node, scope);
  if (is_foreign || !items(node->v.ClassDef.decorator_list).empty()) {
    // What an enum, a dataclass or a decorator does with the values in the body: members have a
    // value, and are made with it.
    for (const SymbolId id : scopes_.scope(inner).symbols) held |= symbols_[id];
    // A class inside a class body is no member's value.
    held &= ~unsigned{kOwnClassTaint};
    add(implicit_, held);
    add(members_hold_, held);
    const SymbolId maker = scopes_.find_here(inner, init_name());
    if (maker != kNone && held != 0) {
      Arguments given;
      // Enum calls __init__ of a member with its value, unpacked when it is a tuple.
      given.starred = given.all = held;
      given.has_star = true;
      call_symbol(maker, given);
    }
    if (!is_foreign) held = 0;  // a loop over an enum gives what it holds; other classes do not
  }
  unsigned bits = kOwnClassTaint | (is_path ? unsigned{kPathClassTaint} : 0U);
  if (has_own_lookup_) add(implicit_, kOwnClassTaint);  // __get__ and __set_name__ get the class
  bits |= held;
  bits |= decorated(node->v.ClassDef.decorator_list, bits, scope);
  add_to_symbol(scopes_.resolve(scope, node->v.ClassDef.name), bits);
}

}  // namespace airlock::vet

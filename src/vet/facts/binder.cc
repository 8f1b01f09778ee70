#include "vet/facts/binder.h"

#include <string>
#include <utility>

namespace airlock::vet {

namespace {

// Builtins whose answers differ with the texts' hashes or with addresses.
// Only a hint (Bound::has_sets): code without any of these needs no second run with another hash
// order.
bool is_about_hashes(std::string_view name) {
  return name == "set" || name == "frozenset" || name == "hash" || name == "id";
}

// x.keys(), x.items()
bool is_view(expr_ty node) {
  if (node->kind != Call_kind || node->v.Call.func->kind != Attribute_kind) return false;
  const std::string_view name = python::text_of(node->v.Call.func->v.Attribute.attr);
  return name == "keys" || name == "items";
}

class Binder : public Walker<Binder> {
 public:
  Binder(const PolicyIndex& policy, Bound& bound)
      : Walker(policy.policy().limits.tree_depth),
        policy_(policy),
        scopes_(bound.scopes),
        problems_(bound.problems),
        has_sets_(bound.has_sets) {}

  void run(mod_ty module) {
    open_scope(ScopeKind::kModule, module);
    for (stmt_ty node : items(module->v.Module.body)) {
      visit(node);
    }
    close_scope();
    bind_pending();
  }

  // ---- what the Walker asks for
  void statement(stmt_ty node) {
    // Saved and put back: statements nest, and a binding needs the innermost one around it.
    stmt_ty outer = statement_;
    expr_ty outer_subject = subject_;
    statement_ = node;
    find_misplaced(node);
    bind_statement(node);
    const bool is_loop =
        node->kind == For_kind || node->kind == AsyncFor_kind || node->kind == While_kind;
    const bool opens_body = node->kind == FunctionDef_kind || node->kind == AsyncFunctionDef_kind ||
                            node->kind == ClassDef_kind;
    const bool opens_block = is_loop || node->kind == If_kind || node->kind == With_kind ||
                             node->kind == AsyncWith_kind || node->kind == Try_kind ||
                             node->kind == TryStar_kind || node->kind == Match_kind;
    const int outer_loops = loops_;
    const int outer_blocks = blocks_;
    // A function or class begins anew: what is "directly in the body" there is counted for that
    // body.
    blocks_ = opens_body ? 0 : blocks_ + (opens_block ? 1 : 0);
    loops_ = opens_body ? 0 : loops_ + (is_loop ? 1 : 0);
    if (node->kind == Assign_kind || node->kind == AnnAssign_kind || node->kind == AugAssign_kind) {
      assignment(node);
    } else if (node->kind == For_kind) {
      target(node->v.For.target, BindingKind::kElement, node->v.For.iter);
      children(node);
    } else if (node->kind == AsyncFor_kind) {
      target(node->v.AsyncFor.target, BindingKind::kElement, node->v.AsyncFor.iter);
      children(node);
    } else {
      children(node);
    }
    loops_ = outer_loops;
    blocks_ = outer_blocks;
    statement_ = outer;
    subject_ = outer_subject;
  }

  void expression(expr_ty node) {
    switch (node->kind) {
      case Set_kind:
      case SetComp_kind:
        has_sets_ = true;
        break;
      case Name_kind:
        has_sets_ = has_sets_ || is_about_hashes(python::text_of(node->v.Name.id));
        break;
      case BinOp_kind:
        // keys() - keys() is a set.
        has_sets_ = has_sets_ || is_view(node->v.BinOp.left) || is_view(node->v.BinOp.right);
        break;
      // The walrus.
      case NamedExpr_kind:
        if (in_iterable()) {
          problem(place_of(node),
                  "assignment expression cannot be used in a comprehension iterable expression");
        }
        // Binds in the function around a comprehension, not in the comprehension.
        bind_walrus(node);
        return visit(node->v.NamedExpr.value);
      case Call_kind:
        scopes_.calls.push_back({node, scope_});
        mutation(node);
        break;
      // A generator returns what it yields, one by one; for the questions that is the same.
      case Yield_kind:
        if (!in_function()) problem(place_of(node), "'yield' outside function");
        if (node->v.Yield.value != nullptr) note_return(node->v.Yield.value);
        break;
      case YieldFrom_kind:
        if (!in_function()) problem(place_of(node), "'yield' outside function");
        note_return(node->v.YieldFrom.value);
        break;
      default:
        break;
    }
    children(node);
  }

  // A capture binds some part of what is matched, so it may hold whatever the subject holds.
  void pattern(pattern_ty node) {
    PyObject* name = nullptr;
    if (node->kind == MatchAs_kind) name = node->v.MatchAs.name;
    if (node->kind == MatchStar_kind) name = node->v.MatchStar.name;
    if (node->kind == MatchMapping_kind) name = node->v.MatchMapping.rest;
    if (name != nullptr) {
      Binding binding = make(BindingKind::kElement, subject_, nullptr);
      binding.place = place_of(node);
      bind_name(name, binding);
    }
    children(node);
  }

  void open_scope(ScopeKind kind, const void* node) {
    scope_ = scopes_.add_scope(kind, scope_, node);
    is_first_part_ = kind == ScopeKind::kComprehension;
  }
  void close_scope() { scope_ = scopes_.scope(scope_).parent; }

  // A default is evaluated where the function is defined, not inside of it.
  void parameter(arg_ty one, expr_ty value, std::size_t index) {
    Binding binding = make(BindingKind::kParameter, value, nullptr);
    binding.annotation = one->annotation;
    binding.index = static_cast<std::uint32_t>(index);
    binding.place = place_of(one);
    // `value` is the default.
    binding.scope = scopes_.scope(scope_).parent;
    if (scopes_.find_here(scope_, one->arg) != kNone) {
      problem(place_of(one), "duplicate argument '" + std::string(python::text_of(one->arg)) +
                                 "' in function definition");
    }
    bind_name(one->arg, binding);
  }

  void handler(excepthandler_ty node) {
    if (PyObject* name = node->v.ExceptHandler.name; name != nullptr) {
      Binding binding = make(BindingKind::kHandler, nullptr, nullptr);
      binding.place = place_of(node);
      bind_name(name, binding);
    }
  }

  // The first iterable is evaluated outside: in [p for p in p] it is another p.
  void generator(comprehension_ty part) {
    value_scope_ = std::exchange(is_first_part_, false) ? scopes_.scope(scope_).parent : kNone;
    target(part->target, BindingKind::kElement, part->iter);
    value_scope_ = kNone;
  }

  // The judge refuses it; here there is nothing to bind.
  void unknown(const char*, int, Place) {}

 private:
  // ---- what only the compiler would find
  void problem(Place place, std::string message) {
    problems_.push_back({place, std::move(message)});
  }

  // A comprehension is compiled as a function of its own.
  bool in_function() const {
    const ScopeKind kind = scopes_.scope(scope_).kind;
    return kind == ScopeKind::kFunction || kind == ScopeKind::kLambda ||
           kind == ScopeKind::kComprehension;
  }

  // CPython finds these in its symbol table and compiler passes, not in its parser. They are found
  // here so that a check without compiling gives the same findings; the messages are CPython's.
  void find_misplaced(stmt_ty node) {
    const Place place = place_of(node);
    if (node->kind == Return_kind && !in_function()) problem(place, "'return' outside function");
    if (node->kind == Break_kind && loops_ == 0) problem(place, "'break' outside loop");
    if (node->kind == Continue_kind && loops_ == 0)
      problem(place, "'continue' not properly in loop");
    if (node->kind == Try_kind) find_early_bare_except(node->v.Try.handlers);
    if (node->kind == Nonlocal_kind) find_module_nonlocal(node);
    if (node->kind == Global_kind) find_late_global(node);
    find_misplaced_future(node);
  }

  void find_early_bare_except(asdl_excepthandler_seq* sequence) {
    const auto handlers = items(sequence);
    for (std::size_t i = 0; i + 1 < handlers.size(); ++i) {
      if (handlers[i]->v.ExceptHandler.type == nullptr)
        problem(place_of(handlers[i]), "default 'except:' must be last");
    }
  }

  void find_module_nonlocal(stmt_ty node) {
    if (scope_ == 0) problem(place_of(node), "nonlocal declaration not allowed at module level");
  }

  // `global x` must come before the first use of x in that function; `global` at module level says
  // nothing, and is allowed.
  void find_late_global(stmt_ty node) {
    for (PyObject* name : items(node->v.Global.names)) {
      const SymbolId id = scopes_.find_here(scope_, name);
      if (scope_ == 0 || id == kNone || scopes_.symbol(id).is_global ||
          scopes_.symbol(id).first == kNone)
        continue;
      const std::string text(python::text_of(name));
      const bool is_parameter =
          scopes_.binding(scopes_.symbol(id).first).kind == BindingKind::kParameter;
      problem(place_of(node), is_parameter
                                  ? "name '" + text + "' is parameter and global"
                                  : "name '" + text + "' is assigned to before global declaration");
    }
  }

  // Only docstrings and other __future__ imports may stand before one.
  void find_misplaced_future(stmt_ty node) {
    const bool is_future = node->kind == ImportFrom_kind && node->v.ImportFrom.module != nullptr &&
                           node->v.ImportFrom.level == 0 &&
                           python::text_of(node->v.ImportFrom.module) == "__future__";
    const bool is_docstring = node->kind == Expr_kind &&
                              node->v.Expr.value->kind == Constant_kind &&
                              PyUnicode_Check(node->v.Expr.value->v.Constant.value);
    if (is_future && (is_past_head_ || scope_ != 0)) {
      problem(place_of(node), "from __future__ imports must occur at the beginning of the file");
    }
    if (!is_future && !is_docstring) is_past_head_ = true;
  }

  // `in_body` is what later makes a binding certain: the statement surely runs when its module or
  // class body does, because no if, loop or try stands around it.
  Binding make(BindingKind kind, expr_ty value, expr_ty at) const {
    Binding binding{};
    binding.kind = kind;
    const ScopeKind kind_here = scopes_.scope(scope_).kind;
    binding.in_body =
        blocks_ == 0 && (kind_here == ScopeKind::kModule || kind_here == ScopeKind::kClass);
    binding.scope = value_scope_ != kNone ? value_scope_ : scope_;
    binding.value = value;
    binding.statement = statement_;
    binding.place =
        at != nullptr ? place_of(at) : (statement_ != nullptr ? place_of(statement_) : Place{});
    return binding;
  }

  // `global x` in a function binds the module's x; `nonlocal x` that of a function further out,
  // which may be bound only later in the file.
  void bind_in(ScopeId scope, PyObject* name, Binding binding) {
    const SymbolId id = scopes_.symbol(scope, name);
    const bool is_global = scopes_.symbol(id).is_global;
    if (is_global && scope != 0) {
      binding.in_body = false;  // not the module's body, and it may never run
      scopes_.add_binding(scopes_.symbol(0, name), binding);
    } else if (scopes_.symbol(id).is_nonlocal) {
      pending_.push_back({scopes_.scope(scope).parent, name, binding});
    } else {
      scopes_.add_binding(id, binding);
    }
  }

  // Which scope binds a name is known only when all of the file has been seen.
  void bind_pending() {
    for (const Pending& one : pending_) {
      const SymbolId id = scopes_.resolve(one.from, one.name);
      if (id == kNone) continue;
      const bool is_comprehension =
          scopes_.scope(scopes_.symbol(id).scope).kind == ScopeKind::kComprehension;
      if (one.into == Pending::kComprehension && !is_comprehension) continue;
      scopes_.add_binding(id, one.binding);
      if (const SymbolId other = scopes_.fallback(id); other != kNone)
        scopes_.add_binding(other, one.binding);
    }
  }
  void bind_name(PyObject* name, const Binding& binding) { bind_in(scope_, name, binding); }

  void bind_walrus(expr_ty node) {
    Binding binding = make(BindingKind::kValue, node->v.NamedExpr.value, node->v.NamedExpr.target);
    binding.in_body = false;  // it may stand behind an `and` that never gets there
    PyObject* name = node->v.NamedExpr.target->v.Name.id;
    const ScopeId home = scope_for_walrus();
    // An annotation that stays text binds nothing in the module; a function's name is local by it.
    if (home == 0 && in_annotation() && scopes_.future_annotations) return;
    if (home != scope_) declare_for_walrus(home, name, binding);
    bind_in(home, name, binding);
  }

  // To the comprehension it stands in, a walrus is a declaration: global when it binds in the
  // module, else nonlocal. Nonlocal is the nearest, which may be the variable of a comprehension in
  // between.
  void declare_for_walrus(ScopeId home, PyObject* name, const Binding& binding) {
    const bool is_global = home == 0 || scopes_.symbol(scopes_.symbol(home, name)).is_global;
    Symbol& here = scopes_.symbol(scopes_.symbol(scope_, name));
    here.is_global = is_global;
    here.is_nonlocal = !is_global;
    if (!is_global)
      pending_.push_back({scopes_.scope(scope_).parent, name, binding, Pending::kComprehension});
  }

  ScopeId scope_for_walrus() const {
    ScopeId at = scope_;
    while (scopes_.scope(at).kind == ScopeKind::kComprehension) at = scopes_.scope(at).parent;
    return at;
  }

  void note_return(expr_ty value) {
    ScopeId at = scope_;
    while (at != 0 && scopes_.scope(at).kind == ScopeKind::kComprehension)
      at = scopes_.scope(at).parent;
    scopes_.scope(at).returns.push_back(value);
  }

  // The names that the statement itself binds; its parts are visited by the caller.
  void bind_statement(stmt_ty node) {
    switch (node->kind) {
      case FunctionDef_kind:
        return bind_name(node->v.FunctionDef.name, make(BindingKind::kFunction, nullptr, nullptr));
      case AsyncFunctionDef_kind:
        return bind_name(node->v.AsyncFunctionDef.name,
                         make(BindingKind::kFunction, nullptr, nullptr));
      case ClassDef_kind:
        return bind_name(node->v.ClassDef.name, make(BindingKind::kClass, nullptr, nullptr));
      case Import_kind:
        for (alias_ty alias : items(node->v.Import.names)) import(alias);
        return;
      case ImportFrom_kind:
        return import_from(node);
      case Global_kind:
        for (PyObject* name : items(node->v.Global.names)) {
          scopes_.symbol(scopes_.symbol(scope_, name)).is_global = true;
          // Made in the module at once, so that the module's scope knows it though nothing binds it
          // there.
          scopes_.symbol(0, name);
        }
        return;
      case Nonlocal_kind:
        for (PyObject* name : items(node->v.Nonlocal.names)) {
          scopes_.symbol(scopes_.symbol(scope_, name)).is_nonlocal = true;
        }
        return;
      case Return_kind:
        if (node->v.Return.value != nullptr) note_return(node->v.Return.value);
        return;
      case Delete_kind:
        for (expr_ty one : items(node->v.Delete.targets))
          target(one, BindingKind::kDeleted, nullptr);
        return;
      case With_kind:
        return with_items(node->v.With.items);
      case AsyncWith_kind:
        return with_items(node->v.AsyncWith.items);
      case Match_kind:
        subject_ = node->v.Match.subject;
        return;
      default:
        return;
    }
  }

  void with_items(asdl_withitem_seq* sequence) {
    for (withitem_ty one : items(sequence)) {
      if (one->optional_vars != nullptr) {
        target(one->optional_vars, BindingKind::kElement, one->context_expr);
      }
    }
  }

  // The value before the targets, as the interpreter evaluates them: scopes must be opened in the
  // same order in every pass (see Judge::open_scope).
  void assignment(stmt_ty node) {
    if (node->kind == Assign_kind) {
      visit(node->v.Assign.value);
      for (expr_ty one : items(node->v.Assign.targets)) {
        target(one, BindingKind::kValue, node->v.Assign.value);
        visit(one);
      }
    } else if (node->kind == AugAssign_kind) {
      visit(node->v.AugAssign.value);
      // a += b: a may hold what b is, and stays what it was.
      target(node->v.AugAssign.target, BindingKind::kElement, node->v.AugAssign.value);
      visit(node->v.AugAssign.target);
    } else {
      visit(node->v.AnnAssign.value);
      annotation(node->v.AnnAssign.annotation);
      expr_ty one = node->v.AnnAssign.target;
      const bool is_simple = node->v.AnnAssign.simple != 0;
      if (one->kind == Name_kind && node->v.AnnAssign.value == nullptr && !is_simple) {
        // (name): annotation binds nothing, unlike name: annotation.
      } else if (one->kind == Name_kind) {
        Binding binding =
            make(node->v.AnnAssign.value != nullptr ? BindingKind::kValue : BindingKind::kDeclared,
                 node->v.AnnAssign.value, one);
        binding.annotation = node->v.AnnAssign.annotation;
        bind_name(one->v.Name.id, binding);
      } else {
        target(one, BindingKind::kValue, node->v.AnnAssign.value);
      }
      visit(one);
    }
  }

  // What stands left of `=`, behind `for`, `as` or `del`: a name, an attribute, an item, or a list
  // of these. `kind` says how `value` gets there.
  void target(expr_ty node, BindingKind kind, expr_ty value) {
    switch (node->kind) {
      case Name_kind:
        return bind_name(node->v.Name.id, make(kind, value, node));
      // *rest gets a list of elements.
      case Starred_kind:
        return target(node->v.Starred.value, BindingKind::kElement, value);
      case Tuple_kind:
        return unpack(items(node->v.Tuple.elts), kind, value);
      case List_kind:
        return unpack(items(node->v.List.elts), kind, value);
      case Attribute_kind:
        if (kind != BindingKind::kDeleted) {
          scopes_.attribute_stores.push_back(
              {node->v.Attribute.attr, value, value_scope_ != kNone ? value_scope_ : scope_, false,
               kind == BindingKind::kElement ||
                   (statement_ != nullptr && statement_->kind == AugAssign_kind)});
        }
        return;
      case Subscript_kind:
        if (kind != BindingKind::kDeleted) put_into(node->v.Subscript.value, value);
        return;
      default:
        return;
    }
  }

  // a, b = x, y is followed pair by pair; from anything else each target gets some element.
  void unpack(std::span<expr_ty> targets, BindingKind kind, expr_ty value) {
    std::span<expr_ty> values;
    if (kind == BindingKind::kValue && value != nullptr && value->kind == Tuple_kind) {
      values = items(value->v.Tuple.elts);
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (kind == BindingKind::kDeleted) {
        target(targets[i], kind, nullptr);
      } else if (values.size() == targets.size() && targets[i]->kind != Starred_kind &&
                 values[i]->kind != Starred_kind) {
        target(targets[i], BindingKind::kValue, values[i]);
      } else {
        target(targets[i], BindingKind::kElement, value);
      }
    }
  }

  // container[key] = value and container.append(value): the container may hold what the value is.
  void put_into(expr_ty container, expr_ty value) {
    const bool is_augmented = statement_ != nullptr && statement_->kind == AugAssign_kind;
    if (container->kind == Name_kind) {
      Binding binding = make(BindingKind::kElement, value, container);
      binding.is_content = true;
      pending_.push_back({scope_, container->v.Name.id, binding});
    } else if (container->kind == Attribute_kind) {
      scopes_.attribute_stores.push_back({container->v.Attribute.attr, value,
                                          value_scope_ != kNone ? value_scope_ : scope_, true,
                                          is_augmented});
    }
  }

  void mutation(expr_ty call) {
    expr_ty function = call->v.Call.func;
    const auto arguments = items(call->v.Call.args);
    // setattr(obj, "name", value) stores an attribute too.
    if (function->kind == Name_kind && python::text_of(function->v.Name.id) == "setattr" &&
        arguments.size() == 3 && arguments[1]->kind == Constant_kind &&
        PyUnicode_Check(arguments[1]->v.Constant.value)) {
      // The text of a constant is not interned by the parser as a name is; names are compared by
      // address.
      PyObject* stored = scopes_.own_name(python::text_of(arguments[1]->v.Constant.value));
      scopes_.attribute_stores.push_back({stored, arguments[2], scope_});
    }
    if (function->kind != Attribute_kind) return;
    const std::string_view name = python::text_of(function->v.Attribute.attr);
    // object.__setattr__(obj, "name", value), obj.__setattr__("name", value)
    if (name == "__setattr__" && (arguments.size() == 2 || arguments.size() == 3)) {
      expr_ty stored_name = arguments[arguments.size() - 2];
      if (stored_name->kind == Constant_kind && PyUnicode_Check(stored_name->v.Constant.value)) {
        PyObject* stored = scopes_.own_name(python::text_of(stored_name->v.Constant.value));
        scopes_.attribute_stores.push_back({stored, arguments.back(), scope_});
      }
    }
    // The usual ways to put something into a container, whatever the object really is: a method of
    // the same name that does something else only makes the answer more careful.
    if (name != "append" && name != "add" && name != "insert" && name != "extend" &&
        name != "setdefault" && name != "update" && name != "appendleft" && name != "__setitem__") {
      return;
    }
    for (expr_ty argument : arguments) put_into(function->v.Attribute.value, argument);
    for (keyword_ty keyword : items(call->v.Call.keywords))
      put_into(function->v.Attribute.value, keyword->value);
  }

  // `import a.b` binds a; `import a.b as c` binds the inner module. A module that the policy does
  // not list gets a binding of its own kind (kRefused), so that reads of its name are not reported
  // as undefined too.
  void import(alias_ty alias) {
    const std::string_view name = python::text_of(alias->name);
    Binding binding = make(BindingKind::kRefused, nullptr, nullptr);
    PyObject* bound = alias->asname != nullptr ? alias->asname : alias->name;
    const std::size_t dot = name.find('.');
    if (const SurfaceIndex* module = policy_.module(name); module != nullptr) {
      binding.kind = BindingKind::kModule;
      binding.surface = module;
      if (alias->asname == nullptr && dot != std::string_view::npos) {
        const std::string_view top = name.substr(0, dot);
        binding.surface = policy_.module(top);
        if (binding.surface == nullptr) {
          binding.kind = BindingKind::kPackage;
          binding.surface = policy_.package(top);
        }
      }
    } else if (policy_.package(name) != nullptr && dot == std::string_view::npos) {
      // `import os` is refused where it stands; its attributes are still judged, so that one look
      // shows all there is.
      binding.kind = BindingKind::kPackage;
      binding.surface = policy_.package(name);
    }
    if (alias->asname == nullptr && dot != std::string_view::npos) {
      bound = scopes_.own_name(name.substr(0, dot));
    }
    bind_name(bound, binding);
  }

  // A name that the policy does not allow stays kRefused, like a module; the judge says why. `from
  // collections import abc` binds a module.
  void import_from(stmt_ty node) {
    const std::string_view module = node->v.ImportFrom.module != nullptr
                                        ? python::text_of(node->v.ImportFrom.module)
                                        : std::string_view();
    const bool is_relative = node->v.ImportFrom.level > 0;
    const SurfaceIndex* surface = is_relative ? nullptr : policy_.module(module);
    if (surface == nullptr && !is_relative) surface = policy_.package(module);
    for (alias_ty alias : items(node->v.ImportFrom.names)) {
      const std::string_view name = python::text_of(alias->name);
      if (module == "__future__" && name == "annotations") scopes_.future_annotations = true;
      if (name == "*") continue;
      Binding binding = make(BindingKind::kRefused, nullptr, nullptr);
      if (surface != nullptr && surface->allows(alias->name)) {
        const SurfaceIndex* inner = policy_.module(std::string(module) + "." + std::string(name));
        binding.kind = inner != nullptr ? BindingKind::kModule : BindingKind::kForeign;
        binding.surface = inner != nullptr ? inner : surface;
        binding.attribute = alias->name;
      }
      bind_name(alias->asname != nullptr ? alias->asname : alias->name, binding);
    }
  }

  struct Pending {
    enum Into { kAny, kComprehension };
    ScopeId from;
    PyObject* name;
    Binding binding;
    Into into = kAny;
  };

  const PolicyIndex& policy_;
  Scopes& scopes_;
  std::vector<CompileProblem>& problems_;
  bool& has_sets_;
  std::vector<Pending> pending_;
  ScopeId value_scope_ = kNone;  // where the value of a target is evaluated, when not in scope_
  bool is_first_part_ = false;   // a comprehension was opened, its first part comes next
  int blocks_ = 0;               // compound statements around this one, in this scope's body
  int loops_ = 0;                // around this statement, in this function
  bool is_past_head_ = false;    // a statement that __future__ imports may not follow
  ScopeId scope_ = kNone;
  stmt_ty statement_ = nullptr;
  expr_ty subject_ = nullptr;
};

}  // namespace

Bound bind(mod_ty module, const PolicyIndex& policy) {
  Bound bound;
  Binder binder(policy, bound);
  binder.run(module);
  if (binder.too_deep()) bound.too_deep = binder.too_deep_at();
  return bound;
}

}  // namespace airlock::vet

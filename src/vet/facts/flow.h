// Questions about values that the text alone can answer, asked only where a rule needs them.
//
// "May this be a pathlib.Path?" decides whether .group() is harmless (a match object) or asks the
// file system (a path). The answer follows names through assignments, loops, containers,
// attributes, parameters, returns and calls, without regard to order: it may say yes too often,
// never because an attacker renamed something. Each question has a budget; when it is used up the
// answer is the suspicious one.
//
// It does not know every way that a value can travel, so "no" is no proof: what must be certain is
// asked of TaintMap (taint.h), which goes the other way, from the few places where a dangerous
// value comes from to everything that it may reach.
//
// One ValueFlow serves one file, on one thread; it borrows scopes and policy. The bits of an answer
// are a union over all ways that the value may have come, so more bits means less certain.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vet/facts/scopes.h"

namespace airlock::vet {

// Bits of what a value may be.
enum FlowKind : unsigned {
  kOther = 1U,    // something else
  kGuarded = 2U,  // an instance of a guarded class (pathlib.Path), or a container with one in it
  kGuardedClass = 4U,  // such a class, or one derived from it
  kOwn = 8U,           // an instance of a class of this file
  kOwnClass = 16U,
  kForeignObject = 32U,  // a class or function of a library
  kBuiltinClass = 128U,  // str, int, Exception: a builtin class itself
  kForeignMade = 64U,    // what calling one gave: a Field of dataclasses, say
};

class ValueFlow {
 public:
  ValueFlow(const Scopes& scopes, const PolicyIndex& policy) : scopes_(scopes), policy_(policy) {}

  bool may_be_guarded(expr_ty node, ScopeId scope) { return (ask(node, scope) & kGuarded) != 0; }
  bool may_be_guarded_class(expr_ty node, ScopeId scope) {
    return (ask(node, scope) & kGuardedClass) != 0;
  }
  bool may_be_made_by_library(expr_ty node, ScopeId scope) {
    return (ask(node, scope) & (kForeignMade | kForeignObject | kGuarded | kGuardedClass)) != 0;
  }
  bool is_surely_own(expr_ty node, ScopeId scope) { return ask(node, scope) == kOwn; }
  bool is_surely_own_class(expr_ty node, ScopeId scope) { return ask(node, scope) == kOwnClass; }
  bool may_be_foreign(expr_ty node, ScopeId scope) {
    return (ask(node, scope) & (kForeignObject | kForeignMade | kGuardedClass)) != 0;
  }

  // Whether the file uses a guarded class at all.
  bool has_guarded_class() const;

  // The text that an expression of constants adds up to: literals, +, *, join, slices, %s-free
  // f-strings, chr(), and names bound once to such a text.
  std::optional<std::string> fold(expr_ty node, ScopeId scope, int depth = 0) const;

  // The surface of the module that this expression names (re, os.path, collections.abc), null when
  // it names none. `is_package`: it names a package such as os, of which only a few names may be
  // read.
  const SurfaceIndex* module_of(expr_ty node, ScopeId scope) const;

 private:
  // One kind of node each, of fold(); `depth` is that of its parts.
  std::optional<std::string> fold_sum(expr_ty node, ScopeId scope, int depth) const;
  std::optional<std::string> fold_joined(expr_ty node, ScopeId scope, int depth) const;
  std::optional<std::string> fold_call(expr_ty node, ScopeId scope, int depth) const;
  std::optional<std::string> fold_name(expr_ty node, ScopeId scope, int depth) const;

  // A new question: budget and stacks begin anew. Everything below is called while one is answered.
  unsigned ask(expr_ty node, ScopeId scope);
  unsigned kind(expr_ty node, ScopeId scope);
  unsigned kind_of_builtin(PyObject* name) const;
  unsigned kind_of_symbol(SymbolId id);
  unsigned kind_of_name(SymbolId id);  // what a read of it by name may give
  unsigned kind_of_binding(const Binding& binding, SymbolId id);
  unsigned kind_of_parameter(const Binding& binding, SymbolId id);
  unsigned kind_of_attribute(expr_ty node, ScopeId scope);
  unsigned kind_of_call(expr_ty node, ScopeId scope);
  unsigned made_by_library(std::string_view name, expr_ty call, ScopeId scope);
  unsigned kind_of_builtin_call(std::string_view name, expr_ty node, ScopeId scope);
  unsigned result_of(expr_ty function, ScopeId scope);  // what calling it may give
  unsigned result_of_symbol(SymbolId id);
  unsigned result_of_name(SymbolId id);
  unsigned returns_of(const void* definition);
  unsigned named_in(expr_ty annotation, ScopeId scope);
  unsigned union_of(std::span<expr_ty> nodes, ScopeId scope);
  unsigned arguments_passed(const void* definition, PyObject* name, std::size_t index,
                            PyObject* parameter, bool is_method);
  bool is_other_name_for(expr_ty function, ScopeId scope, PyObject* name) const;
  // One step of the budget; false when it is used up.
  bool spend();

  const Scopes& scopes_;
  const PolicyIndex& policy_;
  int steps_ = 0;          // of this question
  int steps_in_file_ = 0;  // of all questions: a file must not make many slow ones
  // Of fold(), which is counted over the whole file.
  mutable int folds_ = 0;
  // -1: not asked yet.
  mutable int has_guarded_ = -1;
  mutable std::unordered_map<SymbolId, const SurfaceIndex*> modules_;  // asked before
  int depth_ = 0;
  // Names and functions that are being worked on: meeting one again adds nothing, and ends circles
  // such as a = b; b = a.
  std::vector<SymbolId> asking_;
  std::vector<const void*> returning_;
};

}  // namespace airlock::vet

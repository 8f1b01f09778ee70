// The one way through CPython's tree. Both passes (bind, then judge) derive from it, so they meet
// the same nodes in the same order and open the same scopes. A node kind that is not listed here
// goes to unknown(), which refuses it: a new grammar is never skipped.
//
// Depth is counted here. The parser builds chains (a + b + …, elif …) with loops, so trees can be
// far deeper than its own limits; past `max_depth` the walk stops and says where.
//
// A class Self that derives from Walker<Self> provides (no virtual calls: this runs on every node):
//   statement(stmt_ty), expression(expr_ty), pattern(pattern_ty)
//                              what to do at a node; calls children() to go on, or does not
//   open_scope(ScopeKind, const void* node), close_scope()
//   parameter(arg_ty, default value, index), handler(excepthandler_ty), generator(comprehension_ty)
//   unknown(const char* family, int kind, Place)
#pragma once

#include <cstdint>

#include "python/sequence.h"

namespace airlock::vet {

using python::items;
using python::place_of;

enum class ScopeKind : std::uint8_t { kModule, kClass, kFunction, kLambda, kComprehension };

template <typename Self>
class Walker {
 public:
  explicit Walker(std::uint32_t max_depth) : max_depth_(max_depth) {}

  bool too_deep() const { return too_deep_; }
  Place too_deep_at() const { return too_deep_at_; }

 protected:
  void visit(stmt_ty node) {
    guarded(node, [&] { self().statement(node); });
  }
  void visit(expr_ty node) {
    if (node != nullptr) guarded(node, [&] { self().expression(node); });
  }
  void visit(pattern_ty node) {
    if (node != nullptr) guarded(node, [&] { self().pattern(node); });
  }
  template <typename Sequence>
  void visit_all(Sequence* sequence) {
    for (auto node : items(sequence)) visit(node);
  }

  // ---- statements
  // All passes use this one order, so that all of them open the same scopes in the same order. It
  // follows the interpreter's own order of evaluation where that matters for names.
  void children(stmt_ty node) {
    auto& v = node->v;
    switch (node->kind) {
      case FunctionDef_kind:
        return function(node, v.FunctionDef.decorator_list, v.FunctionDef.args,
                        v.FunctionDef.returns, v.FunctionDef.body);
      case AsyncFunctionDef_kind:
        return function(node, v.AsyncFunctionDef.decorator_list, v.AsyncFunctionDef.args,
                        v.AsyncFunctionDef.returns, v.AsyncFunctionDef.body);
      case ClassDef_kind:
        visit_all(v.ClassDef.decorator_list);
        visit_all(v.ClassDef.bases);
        keywords(v.ClassDef.keywords);
        self().open_scope(ScopeKind::kClass, node);
        visit_all(v.ClassDef.body);
        return self().close_scope();
      case Return_kind:
        return visit(v.Return.value);
      case Delete_kind:
        return visit_all(v.Delete.targets);
      case Assign_kind:
        visit(v.Assign.value);
        return visit_all(v.Assign.targets);
      case AugAssign_kind:
        visit(v.AugAssign.value);
        return visit(v.AugAssign.target);
      case AnnAssign_kind:
        visit(v.AnnAssign.value);
        annotation(v.AnnAssign.annotation);
        return visit(v.AnnAssign.target);
      case For_kind:
        return loop(v.For.target, v.For.iter, v.For.body, v.For.orelse);
      case AsyncFor_kind:
        return loop(v.AsyncFor.target, v.AsyncFor.iter, v.AsyncFor.body, v.AsyncFor.orelse);
      case While_kind:
        visit(v.While.test);
        visit_all(v.While.body);
        return visit_all(v.While.orelse);
      case If_kind:
        visit(v.If.test);
        visit_all(v.If.body);
        return visit_all(v.If.orelse);
      case With_kind:
        return with(v.With.items, v.With.body);
      case AsyncWith_kind:
        return with(v.AsyncWith.items, v.AsyncWith.body);
      case Match_kind:
        visit(v.Match.subject);
        for (match_case_ty one : items(v.Match.cases)) {
          visit(one->pattern);
          visit(one->guard);
          visit_all(one->body);
        }
        return;
      case Raise_kind:
        visit(v.Raise.exc);
        return visit(v.Raise.cause);
      case Try_kind:
        return try_block(v.Try.body, v.Try.handlers, v.Try.orelse, v.Try.finalbody);
      case TryStar_kind:
        return try_block(v.TryStar.body, v.TryStar.handlers, v.TryStar.orelse, v.TryStar.finalbody);
      case Assert_kind:
        visit(v.Assert.test);
        return visit(v.Assert.msg);
      case Expr_kind:
        return visit(v.Expr.value);
      case Import_kind:
      case ImportFrom_kind:
      case Global_kind:
      case Nonlocal_kind:
      case Pass_kind:
      case Break_kind:
      case Continue_kind:
        return;
    }
    self().unknown("statement", node->kind, place_of(node));
  }

  // ---- expressions
  void children(expr_ty node) {
    auto& v = node->v;
    switch (node->kind) {
      case BoolOp_kind:
        return visit_all(v.BoolOp.values);
      case NamedExpr_kind:
        visit(v.NamedExpr.value);
        return visit(v.NamedExpr.target);
      case BinOp_kind:
        visit(v.BinOp.left);
        return visit(v.BinOp.right);
      case UnaryOp_kind:
        return visit(v.UnaryOp.operand);
      case Lambda_kind:
        defaults(v.Lambda.args);
        self().open_scope(ScopeKind::kLambda, node);
        parameters(v.Lambda.args);
        visit(v.Lambda.body);
        return self().close_scope();
      case IfExp_kind:
        visit(v.IfExp.test);
        visit(v.IfExp.body);
        return visit(v.IfExp.orelse);
      case Dict_kind:
        visit_all(v.Dict.keys);
        return visit_all(v.Dict.values);
      case Set_kind:
        return visit_all(v.Set.elts);
      case ListComp_kind:
        return comprehension(node, v.ListComp.generators, v.ListComp.elt, nullptr);
      case SetComp_kind:
        return comprehension(node, v.SetComp.generators, v.SetComp.elt, nullptr);
      case DictComp_kind:
        return comprehension(node, v.DictComp.generators, v.DictComp.key, v.DictComp.value);
      case GeneratorExp_kind:
        return comprehension(node, v.GeneratorExp.generators, v.GeneratorExp.elt, nullptr);
      case Await_kind:
        return visit(v.Await.value);
      case Yield_kind:
        return visit(v.Yield.value);
      case YieldFrom_kind:
        return visit(v.YieldFrom.value);
      case Compare_kind:
        visit(v.Compare.left);
        return visit_all(v.Compare.comparators);
      case Call_kind:
        visit(v.Call.func);
        visit_all(v.Call.args);
        return keywords(v.Call.keywords);
      case FormattedValue_kind:
        visit(v.FormattedValue.value);
        return visit(v.FormattedValue.format_spec);
      case JoinedStr_kind:
        return visit_all(v.JoinedStr.values);
      case Constant_kind:
      case Name_kind:
        return;
      case Attribute_kind:
        return visit(v.Attribute.value);
      case Subscript_kind:
        visit(v.Subscript.value);
        return visit(v.Subscript.slice);
      case Starred_kind:
        return visit(v.Starred.value);
      case List_kind:
        return visit_all(v.List.elts);
      case Tuple_kind:
        return visit_all(v.Tuple.elts);
      case Slice_kind:
        visit(v.Slice.lower);
        visit(v.Slice.upper);
        return visit(v.Slice.step);
    }
    self().unknown("expression", node->kind, place_of(node));
  }

  // ---- patterns
  void children(pattern_ty node) {
    auto& v = node->v;
    switch (node->kind) {
      case MatchValue_kind:
        return visit(v.MatchValue.value);
      case MatchSingleton_kind:
      case MatchStar_kind:
        return;
      case MatchSequence_kind:
        return visit_all(v.MatchSequence.patterns);
      case MatchMapping_kind:
        visit_all(v.MatchMapping.keys);
        return visit_all(v.MatchMapping.patterns);
      case MatchClass_kind:
        visit(v.MatchClass.cls);
        visit_all(v.MatchClass.patterns);
        return visit_all(v.MatchClass.kwd_patterns);
      case MatchAs_kind:
        return visit(v.MatchAs.pattern);
      case MatchOr_kind:
        return visit_all(v.MatchOr.patterns);
    }
    self().unknown("pattern", node->kind, place_of(node));
  }

  void keywords(asdl_keyword_seq* sequence) {
    for (keyword_ty keyword : items(sequence)) visit(keyword->value);
  }

  void annotation(expr_ty node) {
    if (node == nullptr) return;
    ++annotations_;
    visit(node);
    --annotations_;
  }
  // Whether this expression stands in an annotation, of a parameter, a return or a variable.
  bool in_annotation() const { return annotations_ > 0; }
  // Between `in` and what follows it in a comprehension.
  bool in_iterable() const { return iterables_ > 0; }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  // Once too deep, nothing more is visited: what is above unwinds without judging.
  template <typename Node, typename Visit>
  void guarded(Node* node, Visit&& go) {
    if (too_deep_) return;
    if (depth_ >= max_depth_) {
      too_deep_ = true;
      too_deep_at_ = place_of(node);
      return;
    }
    ++depth_;
    go();
    --depth_;
  }

  // Evaluated outside of the function, when it is defined; so are annotations.
  void defaults(arguments_ty arguments) {
    visit_all(arguments->defaults);
    visit_all(arguments->kw_defaults);
  }

  void annotations(arguments_ty arguments) {
    for (auto sequence : {arguments->posonlyargs, arguments->args, arguments->kwonlyargs}) {
      for (arg_ty one : items(sequence)) annotation(one->annotation);
    }
    if (arguments->vararg != nullptr) annotation(arguments->vararg->annotation);
    if (arguments->kwarg != nullptr) annotation(arguments->kwarg->annotation);
  }

  // Defaults belong to the last parameters: `defaults` has as many entries as parameters have one.
  void parameters(arguments_ty arguments) {
    const auto positional = items(arguments->args).size() + items(arguments->posonlyargs).size();
    const auto values = items(arguments->defaults);
    std::size_t index = 0;
    for (auto sequence : {arguments->posonlyargs, arguments->args}) {
      for (arg_ty one : items(sequence)) {
        const std::size_t from_end = positional - index;
        self().parameter(
            one, from_end <= values.size() ? values[values.size() - from_end] : nullptr, index);
        ++index;
      }
    }
    // *args and **kwargs have no place of their own: anything may end up in them.
    if (arguments->vararg != nullptr) self().parameter(arguments->vararg, nullptr, SIZE_MAX);
    const auto keyword_defaults = items(arguments->kw_defaults);
    std::size_t keyword = 0;
    for (arg_ty one : items(arguments->kwonlyargs)) {
      self().parameter(one, keyword < keyword_defaults.size() ? keyword_defaults[keyword] : nullptr,
                       index++);
      ++keyword;
    }
    if (arguments->kwarg != nullptr) self().parameter(arguments->kwarg, nullptr, SIZE_MAX);
  }

  // Decorators, defaults and annotations run in the scope around the function, when it is defined.
  void function(stmt_ty node, asdl_expr_seq* decorators, arguments_ty arguments, expr_ty returns,
                asdl_stmt_seq* body) {
    visit_all(decorators);
    defaults(arguments);
    annotations(arguments);
    annotation(returns);
    self().open_scope(ScopeKind::kFunction, node);
    parameters(arguments);
    visit_all(body);
    self().close_scope();
  }

  void loop(expr_ty target, expr_ty iterable, asdl_stmt_seq* body, asdl_stmt_seq* otherwise) {
    visit(iterable);
    visit(target);
    visit_all(body);
    visit_all(otherwise);
  }

  void with(asdl_withitem_seq* managers, asdl_stmt_seq* body) {
    for (withitem_ty one : items(managers)) {
      visit(one->context_expr);
      visit(one->optional_vars);
    }
    visit_all(body);
  }

  // The handler is told of before its body: it binds a name there.
  void try_block(asdl_stmt_seq* body, asdl_excepthandler_seq* handlers, asdl_stmt_seq* otherwise,
                 asdl_stmt_seq* finally) {
    visit_all(body);
    for (excepthandler_ty handler : items(handlers)) {
      visit(handler->v.ExceptHandler.type);
      self().handler(handler);
      visit_all(handler->v.ExceptHandler.body);
    }
    visit_all(otherwise);
    visit_all(finally);
  }

  void iterable(expr_ty node) {
    ++iterables_;
    visit(node);
    --iterables_;
  }

  // The first iterable is evaluated outside; everything else inside a scope of its own.
  void comprehension(expr_ty node, asdl_comprehension_seq* generators, expr_ty element,
                     expr_ty value) {
    const auto parts = items(generators);
    if (!parts.empty()) iterable(parts[0]->iter);
    self().open_scope(ScopeKind::kComprehension, node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) iterable(parts[i]->iter);
      self().generator(parts[i]);
      visit(parts[i]->target);
      visit_all(parts[i]->ifs);
    }
    visit(element);
    visit(value);
    self().close_scope();
  }

  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0;
  int annotations_ = 0;
  int iterables_ = 0;
  bool too_deep_ = false;
  Place too_deep_at_;
};

// A Walker that only looks: what a pass does not ask for does nothing. A node that nobody knows is
// refused by the judge.
template <typename Self>
class PassiveWalker : public Walker<Self> {
 public:
  using Walker<Self>::Walker;

  void statement(stmt_ty node) { this->children(node); }
  void expression(expr_ty node) { this->children(node); }
  void pattern(pattern_ty node) { this->children(node); }
  void open_scope(ScopeKind, const void*) {}
  void close_scope() {}
  void parameter(arg_ty, expr_ty, std::size_t) {}
  void handler(excepthandler_ty) {}
  void generator(comprehension_ty) {}
  void unknown(const char*, int, Place) {}
};

}  // namespace airlock::vet

// type(x). What it gives may be compared, named, printed and tested, and nothing else: called,
// handed on or kept, it makes instances or (type(type(x))) classes that no reading of the text can
// judge. A name that is bound once to it may be used in the same ways. type() of an object that
// surely is an instance of a class of this file, or a plain literal, is as harmless as the class's
// own name.
#include <algorithm>
#include <string>

#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

bool is_type_call(Judge& judge, expr_ty node, ScopeId scope) {
  return node->kind == Call_kind && node->v.Call.func->kind == Name_kind &&
         text_of(node->v.Call.func->v.Name.id) == "type" &&
         judge.scopes().resolve(scope, node->v.Call.func->v.Name.id) == kNone;
}

// The one value that a name outside of class bodies is ever bound to.
const Binding* only_value(const Judge& judge, SymbolId id) {
  const Scopes& scopes = judge.scopes();
  if (id == kNone || scopes.fallback(id) != kNone || may_be_builtin(judge, id)) return nullptr;
  const Symbol& symbol = scopes.symbol(id);
  if (symbol.first == kNone || symbol.first != symbol.last) return nullptr;
  if (scopes.scope(symbol.scope).kind == ScopeKind::kClass) return nullptr;
  const Binding& only = scopes.binding(symbol.first);
  return only.kind == BindingKind::kValue && only.value != nullptr ? &only : nullptr;
}

// type(x), or a name for it.
bool gives_class(Judge& judge, expr_ty node) {
  if (is_type_call(judge, node, judge.scope())) return true;
  return node->kind == Name_kind && is_name_of_type(judge, node);
}

// A class under its own name, whose comparisons are the interpreter's.
// Comparing calls __eq__ of either side; of classes under their own names that is type's own.
bool names_class(Judge& judge, expr_ty node, ScopeId scope) {
  if (is_type_call(judge, node, scope)) return true;
  if (node->kind == Constant_kind) return true;
  if (node->kind == Attribute_kind)
    return judge.flow().module_of(node->v.Attribute.value, scope) != nullptr;
  if (node->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(scope, node->v.Name.id);
  if (id == kNone) return true;
  return only_class(judge, id) != nullptr || is_only(judge.scopes(), id, BindingKind::kForeign) ||
         is_name_of_type(judge, node);
}

bool names_classes(Judge& judge, std::span<expr_ty> nodes, ScopeId scope) {
  return std::ranges::all_of(
      nodes, [&](expr_ty one) { return one != nullptr && names_class(judge, one, scope); });
}

// (int, str), {int: "integer"}, or a name for such a table that nobody changes.
bool is_table_of_classes(Judge& judge, expr_ty node, ScopeId scope) {
  switch (node->kind) {
    case Tuple_kind:
      return names_classes(judge, items(node->v.Tuple.elts), scope);
    case List_kind:
      return names_classes(judge, items(node->v.List.elts), scope);
    case Set_kind:
      return names_classes(judge, items(node->v.Set.elts), scope);
    case Dict_kind:
      return names_classes(judge, items(node->v.Dict.keys), scope);
    case Name_kind: {
      const SymbolId id = judge.scopes().resolve(scope, node->v.Name.id);
      const Binding* only = only_value(judge, id);
      if (only == nullptr || only->value->kind == Name_kind) return false;
      const bool is_tuple = only->value->kind == Tuple_kind;
      return is_table_of_classes(judge, only->value, only->scope) &&
             (is_tuple || (TaintMap::has_one_name(*only) && !judge.taint().is_shared(id)));
    }
    default:
      return false;
  }
}

void excuse_class(Judge& judge, expr_ty node) {
  if (gives_class(judge, node)) judge.show(node);
}

bool is_text(expr_ty node) {
  return node->kind == JoinedStr_kind ||
         (node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value));
}

}  // namespace

bool is_name_of_type(Judge& judge, expr_ty node) {
  const Binding* only = only_value(judge, judge.scopes().resolve(judge.scope(), node->v.Name.id));
  return only != nullptr && is_type_call(judge, only->value, only->scope) &&
         !is_harmless_type_call(judge, only->value, only->scope);
}

bool is_harmless_type_call(Judge& judge, expr_ty node, ScopeId scope) {
  const auto arguments = items(node->v.Call.args);
  return arguments.size() == 1 &&
         (is_surely_plain(judge, arguments[0], scope) || is_surely_own(judge, arguments[0], scope));
}

void report_kept_type(Judge& judge, expr_ty node) {
  judge.report(RuleCode::kDynamicClass, place_of(node), "type",
               "What type() gives may be compared, named, printed and tested, but not called, kept "
               "or handed on: of a class it gives something that makes classes nobody can read",
               "Use type(x).__name__ for a name, isinstance(x, T) for a test, T(…) to make one.");
}

// Whoever is around this call has said beforehand, by show(), that the class goes nowhere.
void judge_type_call(Judge& judge, expr_ty node) {
  const auto arguments = items(node->v.Call.args);
  const bool is_plain = arguments.size() == 1 && arguments[0]->kind != Starred_kind &&
                        items(node->v.Call.keywords).empty();
  if (!is_plain) {
    judge.report(
        RuleCode::kDynamicClass, place_of(node), "type",
        "type() with more than one argument makes a class that no reading of the text can judge",
        "Use a class statement.");
  } else if (!judge.is_shown(node) && !is_harmless_type_call(judge, node, judge.scope())) {
    report_kept_type(judge, node);
  }
  // type(Path) is harmless where type(x) is.
  for (expr_ty one : arguments) {
    if (is_plain) judge.excuse(one);
  }
  judge.visit_all(node->v.Call.args);
  judge.keywords(node->v.Call.keywords);
}

void judge_comparison(Judge& judge, expr_ty node) {
  const auto operands = items(node->v.Compare.comparators);
  const auto* operators = node->v.Compare.ops;
  // a < b < c is two comparisons, of neighbours.
  const auto pair = [&](expr_ty left, expr_ty right, int how) {
    if (how == In || how == NotIn) excuse_members(judge, right);
    const bool is_left = gives_class(judge, left);
    const bool is_right = gives_class(judge, right);
    if (!is_left && !is_right) return;
    if (how == Is || how == IsNot) {
      excuse_class(judge, left);
      excuse_class(judge, right);
    } else if (how == In || how == NotIn) {
      // `in` compares with each element, so all of them must be classes by name.
      if (is_left && is_table_of_classes(judge, right, judge.scope())) {
        judge.show(left);
        if (right->kind == Tuple_kind) {
          for (expr_ty one : items(right->v.Tuple.elts)) excuse_class(judge, one);
        }
      }
    } else if (names_class(judge, left, judge.scope()) &&
               names_class(judge, right, judge.scope())) {
      excuse_class(judge, left);
      excuse_class(judge, right);
    }
  };
  expr_ty left = node->v.Compare.left;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    pair(left, operands[i], asdl_seq_GET(operators, i));
    left = operands[i];
  }
  judge.children(node);
}

void judge_formatted_value(Judge& judge, expr_ty node) {
  excuse_class(judge, node->v.FormattedValue.value);
  judge.children(node);
}

void judge_loop(Judge& judge, stmt_ty node) {
  excuse_members(judge, node->v.For.iter);
  judge.children(node);
}

void judge_discarded(Judge& judge, stmt_ty node) {
  if (is_type_call(judge, node->v.Expr.value, judge.scope())) judge.show(node->v.Expr.value);
  judge.children(node);
}

void excuse_classes_in_text(Judge& judge, expr_ty node) {
  if (node->v.BinOp.op != Mod || !is_text(node->v.BinOp.left)) return;
  expr_ty right = node->v.BinOp.right;
  excuse_class(judge, right);
  if (right->kind != Tuple_kind) return;
  for (expr_ty one : items(right->v.Tuple.elts)) excuse_class(judge, one);
}

void excuse_class_in_slice(Judge& judge, expr_ty node) {
  if (gives_class(judge, node->v.Subscript.slice) && node->v.Subscript.ctx == Load &&
      is_table_of_classes(judge, node->v.Subscript.value, judge.scope()))
    judge.show(node->v.Subscript.slice);
}

// kind = type(x), when that is all that `kind` ever is: then reads of the name are judged instead.
void excuse_named_type(Judge& judge, stmt_ty node) {
  expr_ty value = nullptr;
  expr_ty target = nullptr;
  if (node->kind == Assign_kind && items(node->v.Assign.targets).size() == 1) {
    value = node->v.Assign.value;
    target = items(node->v.Assign.targets)[0];
  } else if (node->kind == AnnAssign_kind) {
    value = node->v.AnnAssign.value;
    target = node->v.AnnAssign.target;
  }
  if (value == nullptr || target->kind != Name_kind || !is_type_call(judge, value, judge.scope()))
    return;
  const Binding* only = only_value(judge, judge.scopes().resolve(judge.scope(), target->v.Name.id));
  if (only != nullptr && only->value == value) judge.show(value);
}

// Builtins that print or test, a lookup in a table of classes, and str.format of a literal.
void excuse_classes_in_call(Judge& judge, expr_ty node) {
  expr_ty function = node->v.Call.func;
  const auto arguments = items(node->v.Call.args);
  if (function->kind == Name_kind) {
    const std::string_view name = text_of(function->v.Name.id);
    const bool only_shows = name == "str" || name == "repr" || name == "print" ||
                            name == "format" || name == "ascii" || name == "isinstance" ||
                            name == "issubclass" || name == "callable";
    // The builtin itself, not a function of the file that has its name.
    if (!only_shows || judge.scopes().resolve(judge.scope(), function->v.Name.id) != kNone) return;
    const bool tests = name == "isinstance" || name == "issubclass";
    for (expr_ty one : arguments) {
      excuse_class(judge, one);
      if (!tests || one->kind != Tuple_kind) continue;
      for (expr_ty part : items(one->v.Tuple.elts)) excuse_class(judge, part);
    }
    return;
  }
  if (function->kind != Attribute_kind) return;
  const std::string_view method = text_of(function->v.Attribute.attr);
  if (method == "get" && !arguments.empty() &&
      is_table_of_classes(judge, function->v.Attribute.value, judge.scope())) {
    excuse_class(judge, arguments[0]);
  }
  if (method == "format" && is_text(function->v.Attribute.value)) {
    for (expr_ty one : arguments) excuse_class(judge, one);
    for (keyword_ty one : items(node->v.Call.keywords)) excuse_class(judge, one->value);
  }
}

}  // namespace airlock::vet

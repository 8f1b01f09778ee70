// Definitions. A class is judged by reading its body, so it must be a plain class statement: bases
// that are named, no metaclass, nothing unpacked into it.
#include <string>

#include "vet/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// class Row(namedtuple("Row", "a b")): the documented way to add methods to one.
bool is_class_factory(Judge& judge, expr_ty call) {
  expr_ty function = call->v.Call.func;
  std::string_view name;
  if (function->kind == Attribute_kind) {
    if (judge.flow().module_of(function->v.Attribute.value, judge.scope()) == nullptr) return false;
    name = text_of(function->v.Attribute.attr);
  } else if (function->kind == Name_kind) {
    const SymbolId id = judge.scopes().resolve(judge.scope(), function->v.Name.id);
    if (id == kNone) return false;
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      if (one.kind == BindingKind::kForeign) name = text_of(one.attribute);
    });
  }
  return name == "namedtuple" || name == "NamedTuple" || name == "TypedDict" || name == "NewType";
}

void judge_base(Judge& judge, expr_ty base) {
  if (base->kind == Name_kind || base->kind == Attribute_kind || base->kind == Subscript_kind)
    return;
  if (base->kind == Call_kind && is_class_factory(judge, base)) return;
  judge.report(
      RuleCode::kDynamicClass, place_of(base), "base class",
      "A base class must be named: what this expression gives cannot be read from the text",
      "Name the base class.");
}

}  // namespace

void judge_class(Judge& judge, stmt_ty node) {
  judge_binding(judge, node->v.ClassDef.name, place_of(node));
  for (expr_ty base : items(node->v.ClassDef.bases)) judge_base(judge, base);
  for (keyword_ty keyword : items(node->v.ClassDef.keywords)) {
    const std::string_view name = keyword->arg != nullptr ? text_of(keyword->arg) : "**";
    if (name == "metaclass" || name == "**") {
      judge.report(RuleCode::kDynamicClass, place_of(keyword), std::string(name),
                   "A metaclass decides what the class statement makes, so the class cannot be "
                   "judged by reading it",
                   "Use a class decorator or a plain base class.");
    }
  }
  judge.children(node);
}

void judge_function(Judge& judge, stmt_ty node) {
  judge_binding(judge, node->v.FunctionDef.name, place_of(node));
  judge.children(node);
}

}  // namespace airlock::vet

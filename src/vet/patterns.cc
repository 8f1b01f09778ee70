// match patterns. A class pattern reads attributes without a dot: case object(gi_frame=x). Each
// keyword is judged as the attribute it is; `object` matches everything, so it may carry none.
#include <string>

#include "vet/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

void refuse(Judge& judge, pattern_ty node, std::string_view item, std::string message,
            std::string suggestion) {
  judge.report(RuleCode::kClassPattern, place_of(node), std::string(item), std::move(message),
               std::move(suggestion));
}

}  // namespace

void judge_class_pattern(Judge& judge, pattern_ty node) {
  expr_ty cls = node->v.MatchClass.cls;
  const auto names = items(node->v.MatchClass.kwd_attrs);
  if (judge.is_builtin(cls, "object") && !names.empty()) {
    refuse(judge, node, "object",
           "The pattern object(…=…) reads an attribute from any object at all",
           "Name the class that you expect.");
  }
  const bool is_guarded = judge.flow().may_be_guarded_class(cls, judge.scope());
  for (PyObject* name : names) {
    const std::string_view text = text_of(name);
    if (const auto objection = attribute_objection(judge, name)) {
      refuse(judge, node, text,
             "This pattern reads the attribute '" + std::string(text) + "': " + objection->why,
             objection->instead);
    } else if (const Refusal* file = judge.policy().facts(name).file_operation;
               (file != nullptr && !judge.scopes().defines_attribute(name)) ||
               (is_guarded && judge.policy().any_guarded_class_refuses(name))) {
      refuse(judge, node, text,
             "This pattern reads '" + std::string(text) + "' of a path, which is a file operation",
             "Use the path's own parts: name, stem, suffix, parent, parts.");
    }
  }
  judge.children(node);
}

void judge_pattern_binding(Judge& judge, pattern_ty node) {
  PyObject* name = nullptr;
  if (node->kind == MatchAs_kind) name = node->v.MatchAs.name;
  if (node->kind == MatchStar_kind) name = node->v.MatchStar.name;
  if (node->kind == MatchMapping_kind) name = node->v.MatchMapping.rest;
  if (name != nullptr) judge_binding(judge, name, place_of(node));
  judge.children(node);
}

}  // namespace airlock::vet

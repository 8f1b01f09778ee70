// match patterns. A class pattern reads attributes without a dot: case object(gi_frame=x). Each
// keyword is judged as the attribute it is; `object` matches everything, so it may carry none.
#include <algorithm>
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

// A file operation of a guarded class, whatever else has that name.
bool is_guarded_name(Judge& judge, PyObject* name) {
  const auto classes = judge.policy().guarded_classes();
  return std::ranges::any_of(classes,
                             [&](const SurfaceIndex& one) { return one.refusal(name) != nullptr; });
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
  const bool is_own = judge.flow().is_surely_own_class(cls, judge.scope());
  judge.excuse(cls);
  for (PyObject* name : names) {
    const std::string_view text = text_of(name);
    if (text == "format" || text == "format_map") {
      refuse(judge, node, text,
             "This pattern takes str.format as a value: its template could read any attribute",
             "Use an f-string.");
    } else if (const auto objection = attribute_objection(judge, name, Exemption::kNobodys)) {
      refuse(judge, node, text,
             "This pattern reads the attribute '" + std::string(text) + "': " + objection->why,
             objection->instead);
    } else if (const Refusal* file = judge.policy().facts(name).file_operation;
               (file != nullptr && !judge.scopes().defines_attribute(name)) ||
               ((is_guarded || !is_own || !judge.scopes().defines_attribute(name)) &&
                judge.flow().has_guarded_class() &&
                judge.policy().any_guarded_class_refuses(name) && is_guarded_name(judge, name))) {
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

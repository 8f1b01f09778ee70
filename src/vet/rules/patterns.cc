// match patterns. A class pattern reads attributes without a dot: case object(gi_frame=x). Each
// keyword is judged as the attribute it is; `object` matches everything, so it may carry none.
#include <algorithm>
#include <string>

#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

void refuse(Judge& judge, pattern_ty node, std::string_view item, std::string message,
            std::string suggestion) {
  judge.report(RuleCode::kClassPattern, place_of(node), std::string(item), std::move(message),
               std::move(suggestion));
}

// Row = namedtuple("Row", "a b"), bound once: its fields are judged where it is made.
bool is_literal_tuple(Judge& judge, SymbolId id) {
  const Symbol& symbol = judge.scopes().symbol(id);
  if (symbol.first == kNone || symbol.first != symbol.last || may_be_builtin(judge, id))
    return false;
  const Binding& only = judge.scopes().binding(symbol.first);
  if (only.kind != BindingKind::kValue || only.value == nullptr || only.value->kind != Call_kind ||
      only.value->v.Call.func->kind != Name_kind)
    return false;
  const SymbolId maker = judge.scopes().resolve(only.scope, only.value->v.Call.func->v.Name.id);
  return maker != kNone && is_only(judge.scopes(), maker, BindingKind::kForeign);
}

// A file operation of a guarded class, whatever else has that name.
bool is_guarded_name(Judge& judge, PyObject* name) {
  const auto classes = judge.policy().guarded_classes();
  return std::ranges::any_of(classes,
                             [&](const SurfaceIndex& one) { return one.refusal(name) != nullptr; });
}

// Classes above each other; past it the pattern is refused.
constexpr int kMaxPatternBases = 40;

bool has_harmless_fields(Judge& judge, stmt_ty definition, ScopeId around, int depth);

// Its fields come on top of the class's own in __match_args__.
bool is_harmless_base(Judge& judge, expr_ty base, ScopeId scope, int depth) {
  expr_ty named = base->kind == Subscript_kind ? base->v.Subscript.value : base;
  if (judge.flow().may_be_guarded_class(named, scope)) return false;
  if (named->kind == Attribute_kind)
    return judge.flow().module_of(named->v.Attribute.value, scope) != nullptr;
  if (named->kind != Name_kind) return named->kind == Call_kind;  // namedtuple("Row", "a b")
  const SymbolId id = judge.scopes().resolve(scope, named->v.Name.id);
  if (id == kNone || is_only(judge.scopes(), id, BindingKind::kForeign)) return true;
  if (stmt_ty own = only_class(judge, id); own != nullptr)
    return has_harmless_fields(judge, own, judge.scopes().symbol(id).scope, depth + 1);
  return is_literal_tuple(judge, id);
}

// A positional pattern reads the attributes that __match_args__ lists; dataclass and NamedTuple
// make that list of the fields.
bool has_harmless_fields(Judge& judge, stmt_ty definition, ScopeId around, int depth) {
  if (depth > kMaxPatternBases || !judge.may_look()) return false;
  const ScopeId body = judge.scopes().scope_opened_by(definition);
  for (const SymbolId id : judge.scopes().scope(body).symbols) {
    bool is_field = false;
    judge.scopes().for_each_binding(
        id, [&](const Binding& one) { is_field = is_field || one.annotation != nullptr; });
    PyObject* name = judge.scopes().symbol(id).name;
    // A field may have been called anything: its name is judged as if it were read from any object.
    if (is_field && attribute_objection(judge, name, Exemption::kNoNames)) return false;
  }
  for (expr_ty one : items(definition->v.ClassDef.decorator_list)) {
    if (one->kind == Call_kind) one = one->v.Call.func;
    const bool is_module = one->kind == Attribute_kind &&
                           judge.flow().module_of(one->v.Attribute.value, around) != nullptr;
    const SymbolId id =
        one->kind == Name_kind ? judge.scopes().resolve(around, one->v.Name.id) : SymbolId{kNone};
    const bool is_foreign = id != kNone && is_only(judge.scopes(), id, BindingKind::kForeign);
    // A decorator of the file may put another class in the place of this one.
    if (!is_module && !is_foreign) return false;
  }
  return std::ranges::all_of(items(definition->v.ClassDef.bases), [&](expr_ty base) {
    return is_harmless_base(judge, base, around, depth);
  });
}

// case Point(x, y): a builtin class, or one class statement of this file.
bool is_readable_by_place(Judge& judge, expr_ty cls) {
  if (cls->kind == Attribute_kind)
    return judge.flow().module_of(cls->v.Attribute.value, judge.scope()) != nullptr;
  if (cls->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), cls->v.Name.id);
  if (id == kNone || is_only(judge.scopes(), id, BindingKind::kForeign)) return true;
  if (stmt_ty own = only_class(judge, id); own != nullptr)
    return has_harmless_fields(judge, own, judge.scopes().symbol(id).scope, 0);
  return is_literal_tuple(judge, id);
}

}  // namespace

// By place first (which attributes are read is the class's word), then each keyword by its name.
void judge_class_pattern(Judge& judge, pattern_ty node) {
  expr_ty cls = node->v.MatchClass.cls;
  const auto names = items(node->v.MatchClass.kwd_attrs);
  if (judge.is_builtin(cls, "object") && !names.empty()) {
    refuse(judge, node, "object",
           "The pattern object(…=…) reads an attribute from any object at all",
           "Name the class that you expect.");
  }
  if (!items(node->v.MatchClass.patterns).empty() && !is_readable_by_place(judge, cls)) {
    refuse(judge, node, "class pattern",
           "This pattern reads attributes by their place, and which ones cannot be read from the "
           "text: the class is not surely one class statement with harmless fields",
           "Name the attributes: case Point(x=x, y=y).");
  }
  const bool is_guarded = judge.flow().may_be_guarded_class(cls, judge.scope());
  const bool is_own = judge.flow().is_surely_own_class(cls, judge.scope());
  // A class may be named in a pattern, as in isinstance().
  judge.excuse(cls);
  for (PyObject* name : names) {
    const std::string_view text = text_of(name);
    if (text == "format" || text == "format_map") {
      refuse(judge, node, text,
             "This pattern takes str.format as a value: its template could read any attribute",
             "Use an f-string.");
    } else if (const auto objection = attribute_objection(judge, name, Exemption::kNoNames)) {
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

// Definitions. A class is judged by reading its body, so it must be a plain class statement: bases
// that are named, no metaclass, nothing unpacked into it.
#include <algorithm>
#include <string>

#include "vet/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// The library's own name of what is called, whatever the code calls it; empty when it is not a
// library's.
std::string_view library_name(Judge& judge, expr_ty function) {
  std::string_view name;
  if (function->kind == Attribute_kind) {
    if (judge.flow().module_of(function->v.Attribute.value, judge.scope()) == nullptr) return {};
    name = text_of(function->v.Attribute.attr);
  } else if (function->kind == Name_kind) {
    const SymbolId id = judge.scopes().resolve(judge.scope(), function->v.Name.id);
    if (id == kNone) return {};
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      if (one.kind == BindingKind::kForeign) name = text_of(one.attribute);
    });
  }
  return name;
}

// Whether an attribute of this name may not be read from every object.
bool refuses_attribute(Judge& judge, std::string_view text) {
  PyObject* name = PyUnicode_InternFromString(std::string(text).c_str());
  const auto classes = judge.policy().guarded_classes();
  const bool is_guarded = std::ranges::any_of(
      classes, [&](const SurfaceIndex& one) { return one.refusal(name) != nullptr; });
  const bool refuses = attribute_objection(judge, name, Exemption::kNobodys).has_value() ||
                       judge.policy().facts(name).file_operation != nullptr ||
                       (is_guarded && judge.flow().has_guarded_class()) || text == "format" ||
                       text == "format_map";
  Py_DECREF(name);
  return refuses;
}

// class Row(namedtuple("Row", "a b")): the documented way to add methods to one.
bool is_class_factory(Judge& judge, expr_ty call) {
  const std::string_view name = library_name(judge, call->v.Call.func);
  return name == "namedtuple" || name == "NamedTuple" || name == "TypedDict" || name == "NewType";
}

// A class of this file that derives from an enum of the library: called with two arguments it makes
// another class.
bool is_own_enum(Judge& judge, expr_ty function) {
  if (function->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), function->v.Name.id);
  if (id == kNone) return false;
  bool is_enum = false;
  judge.scopes().for_each_binding(id, [&](const Binding& one) {
    if (one.kind != BindingKind::kClass) return;
    for (expr_ty base : items(one.statement->v.ClassDef.bases)) {
      const std::string_view name = library_name(judge, base);
      is_enum = is_enum || name.ends_with("Enum") || name.ends_with("Flag");
    }
  });
  return is_enum;
}

bool is_harmless_field(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !is_letter(name[0])) return false;
  return std::ranges::all_of(
      name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

// "a b, c", ["a", "b"], [("a", 1)], {"a": int}: literal names, each a plain identifier.
bool are_harmless_fields(expr_ty node, int depth = 0) {
  if (depth > 3) return false;
  if (node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value)) {
    std::string_view rest = text_of(node->v.Constant.value);
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(", ");
      const std::string_view word = rest.substr(0, end);
      if (!word.empty() && !is_harmless_field(word)) return false;
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return true;
  }
  const auto all = [&](std::span<expr_ty> nodes) {
    return std::ranges::all_of(
        nodes, [&](expr_ty one) { return one != nullptr && are_harmless_fields(one, depth + 1); });
  };
  if (node->kind == Dict_kind) return all(items(node->v.Dict.keys));
  if (node->kind == List_kind) return all(items(node->v.List.elts));
  if (node->kind != Tuple_kind) return false;
  const auto parts = items(node->v.Tuple.elts);
  // ("a", 1): a name and its value.
  if (depth > 0 && parts.size() == 2) return are_harmless_fields(parts[0], depth + 1);
  return all(parts);
}

// __match_args__ = ("x", "y") makes patterns read those attributes; each is judged as if it stood
// behind a dot.
void judge_match_args(Judge& judge, expr_ty value, Place place) {
  const bool is_display =
      value != nullptr && (value->kind == Tuple_kind || value->kind == List_kind);
  bool is_plain = is_display && judge.scopes().scope(judge.scope()).kind == ScopeKind::kClass;
  if (is_plain) {
    for (expr_ty one :
         items(value->kind == Tuple_kind ? value->v.Tuple.elts : value->v.List.elts)) {
      const bool is_text = one->kind == Constant_kind && PyUnicode_Check(one->v.Constant.value);
      is_plain = is_plain && is_text && is_harmless_field(text_of(one->v.Constant.value)) &&
                 !refuses_attribute(judge, text_of(one->v.Constant.value));
    }
  }
  if (is_plain) return;
  judge.report(RuleCode::kSpecialName, place, "__match_args__",
               "__match_args__ must be a tuple of literal, public names in the class body: "
               "patterns read those attributes",
               "Write __match_args__ = (\"name\", …), or leave it out.");
}

void judge_base(Judge& judge, expr_ty base) {
  judge.excuse(base);
  if (base->kind == Name_kind || base->kind == Attribute_kind || base->kind == Subscript_kind)
    return;
  if (base->kind == Call_kind && is_class_factory(judge, base)) return;
  judge.report(
      RuleCode::kDynamicClass, place_of(base), "base class",
      "A base class must be named: what this expression gives cannot be read from the text",
      "Name the base class.");
}

}  // namespace

void judge_class_factory(Judge& judge, expr_ty call) {
  // dataclass(eq=True)(X): the decorator, made and used in one go.
  expr_ty function = call->v.Call.func;
  if (function->kind == Call_kind) function = function->v.Call.func;
  const std::string name(library_name(judge, function));
  const bool is_enum = name == "Enum" || name == "IntEnum" || name == "StrEnum" || name == "Flag" ||
                       name == "IntFlag" || name == "ReprEnum" ||
                       is_own_enum(judge, call->v.Call.func);
  const auto arguments = items(call->v.Call.args);
  const auto keywords = items(call->v.Call.keywords);
  const bool rewrites =
      name == "dataclass" || name == "final" || name == "no_type_check" || name == "unique";
  if (rewrites && !arguments.empty() && judge.flow().may_be_foreign(arguments[0], judge.scope())) {
    return judge.report(RuleCode::kForeignWrite, place_of(call), name,
                        name + "() changes the class it is given, and this one is a library's",
                        "Use it as a decorator on a class of your own.");
  }
  if (!is_enum && name != "TypedDict") return;
  const bool is_open =
      std::ranges::any_of(arguments, [](expr_ty one) { return one->kind == Starred_kind; }) ||
      std::ranges::any_of(keywords, [](keyword_ty one) { return one->arg == nullptr; });
  if (arguments.size() + keywords.size() < 2 && !is_open)
    return;  // Colour("red") looks a member up
  const bool is_plain =
      arguments.size() == 2 && arguments[1]->kind != Starred_kind &&
      are_harmless_fields(arguments[1]) &&
      std::ranges::all_of(keywords, [](keyword_ty one) { return one->arg != nullptr; });
  if (is_plain) return;
  judge.report(
      RuleCode::kDynamicClass, place_of(call), name,
      name +
          "() makes a class from names that are not plain literals, so the class cannot be judged",
      "Use a class statement.");
}

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

void judge_assignment(Judge& judge, stmt_ty node) {
  const auto judge_target = [&](expr_ty target, expr_ty value) {
    if (target->kind == Name_kind && text_of(target->v.Name.id) == "__match_args__") {
      judge_match_args(judge, value, place_of(node));
    }
  };
  if (node->kind == Assign_kind) {
    for (expr_ty target : items(node->v.Assign.targets)) judge_target(target, node->v.Assign.value);
  } else {
    judge_target(node->v.AnnAssign.target, node->v.AnnAssign.value);
  }
  judge.children(node);
}

void judge_function(Judge& judge, stmt_ty node) {
  judge_binding(judge, node->v.FunctionDef.name, place_of(node));
  judge.children(node);
}

}  // namespace airlock::vet

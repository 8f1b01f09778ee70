// Definitions. A class is judged by reading its body, so it must be a plain class statement: bases
// that are named, no metaclass, nothing unpacked into it.
#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// The library's own name of what is called, whatever the code calls it; empty when it is not a
// library's.
std::string_view library_name(Judge& judge, expr_ty function, ScopeId scope) {
  std::string_view name;
  if (function->kind == Attribute_kind) {
    if (judge.flow().module_of(function->v.Attribute.value, scope) == nullptr) return {};
    name = text_of(function->v.Attribute.attr);
  } else if (function->kind == Name_kind) {
    const SymbolId id = judge.scopes().resolve(scope, function->v.Name.id);
    if (id == kNone) return {};
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      if (one.kind == BindingKind::kForeign) name = text_of(one.attribute);
    });
  }
  return name;
}

std::string_view library_name(Judge& judge, expr_ty function) {
  return library_name(judge, function, judge.scope());
}

// class Row(namedtuple("Row", "a b")): the documented way to add methods to one.
bool is_class_factory(Judge& judge, expr_ty call) {
  const std::string_view name = library_name(judge, call->v.Call.func);
  return name == "namedtuple" || name == "NamedTuple" || name == "TypedDict" || name == "NewType";
}

// Classes above each other.
constexpr int kMaxBases = 40;

// Derives from an enum of the library, directly or through classes of this file.
bool is_enum(Judge& judge, stmt_ty definition, ScopeId scope, int depth = 0) {
  // Not known: taken for an enum, which is the stricter answer.
  if (depth > kMaxBases || !judge.may_look()) return true;
  bool is_it = false;
  for (expr_ty base : items(definition->v.ClassDef.bases)) {
    const std::string_view name = library_name(judge, base, scope);
    is_it = is_it || name.ends_with("Enum") || name.ends_with("Flag");
    if (is_it || base->kind != Name_kind) continue;
    const SymbolId id = judge.scopes().resolve(scope, base->v.Name.id);
    if (id == kNone) continue;
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      is_it = is_it || (one.kind == BindingKind::kClass && one.statement != definition &&
                        is_enum(judge, one.statement, one.scope, depth + 1));
    });
  }
  return is_it;
}

// A class of this file that derives from an enum: called with two arguments it makes another class.
bool is_own_enum(Judge& judge, expr_ty function) {
  if (function->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), function->v.Name.id);
  if (id == kNone) return false;
  bool is_it = false;
  judge.scopes().for_each_binding(id, [&](const Binding& one) {
    is_it = is_it || (one.kind == BindingKind::kClass && is_enum(judge, one.statement, one.scope));
  });
  return is_it;
}

// A value that an enum surely makes a member of: no function, no descriptor.
bool is_member_value(Judge& judge, expr_ty node, ScopeId scope) {
  switch (node->kind) {
    case Constant_kind:
    case JoinedStr_kind:
    case Tuple_kind:
    case List_kind:
    case Dict_kind:
    case Set_kind:
    case UnaryOp_kind:
      return true;
    case Call_kind: {
      const std::string_view name = library_name(judge, node->v.Call.func, scope);
      return !name.empty() && name != "property" && name != "nonmember";
    }
    default:
      return false;
  }
}

// _ignore_ = ["x"]: names that become no members. Nothing when they are not known.
std::optional<std::vector<std::string_view>> ignored_names(Judge& judge, stmt_ty definition) {
  std::vector<std::string_view> names;
  const ScopeId body = judge.scopes().scope_opened_by(definition);
  bool is_known = true;
  for (const SymbolId id : judge.scopes().scope(body).symbols) {
    if (text_of(judge.scopes().symbol(id).name) != "_ignore_") continue;
    judge.scopes().for_each_binding(id, [&](const Binding& one) {
      const bool is_list = one.value != nullptr && one.value->kind == List_kind;
      is_known = is_known && is_list && one.kind == BindingKind::kValue;
      if (!is_known) return;
      for (expr_ty part : items(one.value->v.List.elts)) {
        is_known =
            is_known && part->kind == Constant_kind && PyUnicode_Check(part->v.Constant.value);
        if (is_known) names.push_back(text_of(part->v.Constant.value));
      }
    });
  }
  return is_known ? std::optional(std::move(names)) : std::nullopt;
}

// An enum that has a member can neither be derived from nor be called to make another class.
bool has_sure_member(Judge& judge, stmt_ty definition) {
  const ScopeId body = judge.scopes().scope_opened_by(definition);
  bool has_member = false;
  const auto ignored = ignored_names(judge, definition);
  if (!ignored) return false;
  for (stmt_ty one : items(definition->v.ClassDef.body)) {
    if (one->kind != Assign_kind) continue;
    for (expr_ty target : items(one->v.Assign.targets)) {
      if (target->kind != Name_kind) continue;
      const std::string_view name = text_of(target->v.Name.id);
      const SymbolId id = judge.scopes().find_here(body, target->v.Name.id);
      const bool is_bound_once =
          id != kNone && judge.scopes().symbol(id).first == judge.scopes().symbol(id).last;
      has_member = has_member || (!name.starts_with('_') && is_bound_once &&
                                  std::ranges::find(*ignored, name) == ignored->end() &&
                                  is_member_value(judge, one->v.Assign.value, body));
    }
  }
  return has_member;
}

// A public name of ASCII letters, digits and low lines.
bool is_harmless_field(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  return std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '_'; });
}

// "a b, c", ["a", "b"], [("a", 1)], {"a": int}: literal names, each a plain identifier.
bool are_harmless_fields(expr_ty node, int depth = 0) {
  if (depth > 3) return false;
  if (node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value)) {
    std::string_view rest = text_of(node->v.Constant.value);
    if (depth > 0) return is_harmless_field(rest);  // one name; only a text alone is a list of them
    while (!rest.empty()) {
      // As enum and namedtuple split a text.
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
  // A list is taken as well as a tuple, though Python wants a tuple: it fails when it runs, and
  // does no harm.
  bool is_plain = is_display && judge.scopes().scope(judge.scope()).kind == ScopeKind::kClass;
  if (is_plain) {
    for (expr_ty one :
         items(value->kind == Tuple_kind ? value->v.Tuple.elts : value->v.List.elts)) {
      const bool is_text = one->kind == Constant_kind && PyUnicode_Check(one->v.Constant.value);
      is_plain = is_plain && is_text && is_harmless_field(text_of(one->v.Constant.value)) &&
                 !refuses_attribute(judge, text_of(one->v.Constant.value));
    }
  }
  if (!is_plain) report_match_args(judge, place);
}

// A base that is named can be looked up: a class of the file was judged where it stands, a
// library's is on the policy's list.
void judge_base(Judge& judge, expr_ty base) {
  judge.excuse(base);
  expr_ty named = base->kind == Subscript_kind ? base->v.Subscript.value : base;
  // typing.Type[X] as a base resolves to `type`.
  if (library_name(judge, named) == "Type") {
    return judge.report(
        RuleCode::kDynamicClass, place_of(base), "Type",
        "typing.Type as a base class makes a metaclass, and with it classes that no "
        "reading of the text can judge",
        "Use a class decorator or a plain base class.");
  }
  if (base->kind == Name_kind || base->kind == Attribute_kind || base->kind == Subscript_kind)
    return;
  if (base->kind == Call_kind && is_class_factory(judge, base)) return;
  judge.report(
      RuleCode::kDynamicClass, place_of(base), "base class",
      "A base class must be named: what this expression gives cannot be read from the text",
      "Name the base class.");
}

// "a b", ["a", "b"], [("a", int)], {"a": int}: texts of the file itself, or a name for them. A name
// of a field is pasted into a text that is executed; the library looks at it before, but asks the
// text itself, and a class of one's own that derives from str answers as it likes.
bool are_literal_fields(Judge& judge, expr_ty node, ScopeId scope, int depth = 0) {
  if (node == nullptr || depth > 4 || !judge.may_look()) return false;
  const auto all = [&](std::span<expr_ty> nodes) {
    return std::ranges::all_of(
        nodes, [&](expr_ty one) { return are_literal_fields(judge, one, scope, depth + 1); });
  };
  switch (node->kind) {
    case Constant_kind:
      return PyUnicode_Check(node->v.Constant.value) != 0;
    case List_kind:
      return all(items(node->v.List.elts));
    case Dict_kind:
      return all(items(node->v.Dict.keys));
    case Tuple_kind: {
      const auto parts = items(node->v.Tuple.elts);
      if (depth > 0 && parts.size() == 2)
        return are_literal_fields(judge, parts[0], scope, depth + 1);
      return all(parts);
    }
    case Name_kind: {
      const SymbolId id = judge.scopes().resolve(scope, node->v.Name.id);
      if (id == kNone || may_be_builtin(judge, id)) return false;
      const Symbol& symbol = judge.scopes().symbol(id);
      if (symbol.first == kNone || symbol.first != symbol.last) return false;
      const Binding& only = judge.scopes().binding(symbol.first);
      if (only.kind != BindingKind::kValue || only.value == nullptr) return false;
      // A list or dict under a second name may get other texts after this line; a tuple cannot.
      const bool can_change = only.value->kind == List_kind || only.value->kind == Dict_kind;
      return are_literal_fields(judge, only.value, only.scope, depth + 1) &&
             (!can_change || (TaintMap::has_one_name(only) && !judge.taint().is_shared(id)));
    }
    case Call_kind: {
      // " ".join(FIELDS), FIELDS.split(): the same texts.
      expr_ty function = node->v.Call.func;
      if (function->kind != Attribute_kind) return false;
      const std::string_view method = text_of(function->v.Attribute.attr);
      const auto arguments = items(node->v.Call.args);
      if (method == "split")
        return is_surely_plain(judge, function->v.Attribute.value, scope) &&
               are_literal_fields(judge, function->v.Attribute.value, scope, depth + 1);
      return method == "join" && function->v.Attribute.value->kind == Constant_kind &&
             arguments.size() == 1 && are_literal_fields(judge, arguments[0], scope, depth + 1);
    }
    default:
      return judge.flow().fold(node, scope).has_value();
  }
}

// namedtuple() and NamedTuple() write code from the names that they are given.
void judge_tuple_fields(Judge& judge, expr_ty call, const std::string& name) {
  const auto arguments = items(call->v.Call.args);
  bool is_plain = true;
  for (expr_ty one : arguments)
    is_plain = is_plain && are_literal_fields(judge, one, judge.scope());
  for (keyword_ty one : items(call->v.Call.keywords)) {
    const std::string_view keyword = one->arg != nullptr ? text_of(one->arg) : "**";
    const bool is_fields = keyword == "field_names" || keyword == "typename";
    is_plain = is_plain && (keyword == "defaults" || keyword == "rename" ||
                            (is_fields && are_literal_fields(judge, one->value, judge.scope())));
  }
  if (is_plain) return;
  judge.report(RuleCode::kDynamicClass, place_of(call), name,
               name +
                   "() makes a class from names that are not plain literals, so the class cannot "
                   "be judged",
               "Write the names as texts: " + name +
                   (name == "namedtuple" ? "(\"Row\", \"a b\")." : "(\"Row\", [(\"a\", int)])."));
}

// @dataclass, @dataclass(frozen=True), dataclass(Row): what it is given must be a class statement.
void judge_dataclass_call(Judge& judge, expr_ty call, const std::string& name) {
  const auto arguments = items(call->v.Call.args);
  const bool is_decorator = arguments.empty() && call->v.Call.func->kind != Call_kind;
  // judge_class() excuses decorators, so an excused call stands above a class statement.
  bool is_plain = is_decorator ? judge.is_excused_itself(call) : arguments.size() == 1;
  for (expr_ty one : arguments) {
    const SymbolId id = one->kind == Name_kind
                            ? judge.scopes().resolve(judge.scope(), one->v.Name.id)
                            : SymbolId{kNone};
    is_plain = is_plain && id != kNone && only_class(judge, id) != nullptr;
  }
  if (is_plain) return;
  judge.report(RuleCode::kDynamicClass, place_of(call), name,
               name +
                   "() changes the class it is given, and this is not the name of "
                   "one class statement",
               "Use it as a decorator: @" + name + " above the class.");
}

}  // namespace

void report_match_args(Judge& judge, Place place) {
  judge.report(RuleCode::kSpecialName, place, "__match_args__",
               "__match_args__ must be a tuple of literal, public names in the class body: "
               "patterns read those attributes",
               "Write __match_args__ = (\"name\", …), or leave it out.");
}

// What a library's decorators do to what they are given: mark it, or write methods for it.
bool rewrites_classes(std::string_view name) {
  return name == "dataclass" || name == "final" || name == "no_type_check" || name == "unique" ||
         name == "dataclass_transform" || name == "runtime_checkable";
}

// Whether an attribute of this name may not be read from every object.
bool refuses_attribute(Judge& judge, std::string_view text) {
  // Interned, as the policy's tables are keyed by address.
  PyObject* name = PyUnicode_InternFromString(std::string(text).c_str());
  const auto classes = judge.policy().guarded_classes();
  const bool is_guarded = std::ranges::any_of(
      classes, [&](const SurfaceIndex& one) { return one.refusal(name) != nullptr; });
  const bool refuses = attribute_objection(judge, name, Exemption::kNoNames).has_value() ||
                       judge.policy().facts(name).file_operation != nullptr ||
                       (is_guarded && judge.flow().has_guarded_class()) || text == "format" ||
                       text == "format_map";
  Py_DECREF(name);
  return refuses;
}

// An enum without members can still be called to make a class, or be derived from.
bool makes_classes(Judge& judge, stmt_ty definition, ScopeId scope) {
  return is_enum(judge, definition, scope) && !has_sure_member(judge, definition);
}

// Calls that make or rewrite classes: enums and typed dicts by their functional form, tuples,
// dataclass and other decorators called by hand.
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
  if (name == "namedtuple" || name == "NamedTuple") return judge_tuple_fields(judge, call, name);
  if (name == "dataclass" || name == "dataclass_transform") {
    if (call->v.Call.func->kind == Call_kind) judge.excuse(call->v.Call.func);
    judge_dataclass_call(judge, call, name);
  }
  const bool rewrites = rewrites_classes(name);
  if (rewrites && !arguments.empty() && may_be_library_class(judge, arguments[0])) {
    return judge.report(RuleCode::kForeignWrite, place_of(call), name,
                        name + "() changes the class it is given, and this one is a library's",
                        "Use it as a decorator on a class of your own.");
  }
  if (!is_enum && name != "TypedDict") return;
  const bool is_open =
      std::ranges::any_of(arguments, [](expr_ty one) { return one->kind == Starred_kind; }) ||
      std::ranges::any_of(keywords, [](keyword_ty one) { return one->arg == nullptr; });
  // The functional form has a name and the members: two arguments at least.
  if (arguments.size() + keywords.size() < 2 && !is_open)
    return;  // Colour("red") looks a member up
  const bool is_plain = arguments.size() == 2 && arguments[1]->kind != Starred_kind &&
                        are_harmless_fields(arguments[1]) &&
                        std::ranges::all_of(keywords, [](keyword_ty one) {
                          return one->arg != nullptr && text_of(one->arg) != "module";
                        });
  if (is_plain) return;
  judge.report(
      RuleCode::kDynamicClass, place_of(call), name,
      name +
          "() makes a class from names that are not plain literals, so the class cannot be judged",
      "Use a class statement.");
}

// Decorators and bases are excused before they are visited: naming a class there is what they are
// for.
void judge_class(Judge& judge, stmt_ty node) {
  judge_binding(judge, node->v.ClassDef.name, place_of(node));
  for (expr_ty base : items(node->v.ClassDef.bases)) judge_base(judge, base);
  for (expr_ty one : items(node->v.ClassDef.decorator_list)) judge.excuse(one);
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

// Only the target __match_args__ and type() have rules about assignment; names are judged when the
// children are visited.
void judge_assignment(Judge& judge, stmt_ty node) {
  const auto judge_target = [&](expr_ty target, expr_ty value) {
    if (target->kind == Name_kind && text_of(target->v.Name.id) == "__match_args__") {
      judge.excuse(target);
      judge_match_args(judge, value, place_of(node));
    }
  };
  if (node->kind == Assign_kind) {
    for (expr_ty target : items(node->v.Assign.targets)) judge_target(target, node->v.Assign.value);
  } else {
    judge_target(node->v.AnnAssign.target, node->v.AnnAssign.value);
  }
  excuse_named_type(judge, node);
  judge.children(node);
}

void judge_function(Judge& judge, stmt_ty node) {
  judge_binding(judge, node->v.FunctionDef.name, place_of(node));
  for (expr_ty one : items(node->v.FunctionDef.decorator_list)) judge.excuse(one);
  judge.children(node);
}

}  // namespace airlock::vet

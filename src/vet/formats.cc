// str.format. A template's fields can read attributes ("{0.__class__}") and nothing in the tree
// shows it, so a template must be known from the text: a literal, or a name, class variable or
// table that holds only literals.
#include <string>

#include "vet/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;
using Templates = std::optional<std::vector<std::string>>;

constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxTemplates = 500;

// Every template that this expression may be; nothing when one of them is not known.
class TemplateFinder {
 public:
  explicit TemplateFinder(Judge& judge) : judge_(judge) {}

  bool find(expr_ty node, ScopeId scope, int depth = 0) {
    if (node == nullptr || depth > kMaxDepth || found.size() > kMaxTemplates) return false;
    if (auto text = judge_.flow().fold(node, scope)) {
      found.push_back(std::move(*text));
      return true;
    }
    switch (node->kind) {
      case IfExp_kind:
        return find(node->v.IfExp.body, scope, depth + 1) &&
               find(node->v.IfExp.orelse, scope, depth + 1);
      case BoolOp_kind:
        return find_all(items(node->v.BoolOp.values), scope, depth);
      case Name_kind: {
        const SymbolId id = judge_.scopes().resolve(scope, node->v.Name.id);
        if (id == kNone || !find_bindings(id, depth)) return false;
        const SymbolId other = judge_.scopes().fallback(id);
        return other == kNone || find_bindings(other, depth);
      }
      case Attribute_kind:
        return find_members(node, depth);
      case Subscript_kind:
        return find_values(node->v.Subscript.value, scope, depth + 1);
      case Call_kind: {
        // TEMPLATES.get(key, "{x}")
        expr_ty function = node->v.Call.func;
        if (function->kind != Attribute_kind || text_of(function->v.Attribute.attr) != "get")
          return false;
        const auto arguments = items(node->v.Call.args);
        if (arguments.size() == 2 && !find(arguments[1], scope, depth + 1)) return false;
        return find_values(function->v.Attribute.value, scope, depth + 1);
      }
      default:
        return false;
    }
  }

  std::vector<std::string> found;

 private:
  bool find_all(std::span<expr_ty> nodes, ScopeId scope, int depth) {
    for (expr_ty node : nodes) {
      if (!find(node, scope, depth + 1)) return false;
    }
    return !nodes.empty();
  }

  bool find_bindings(SymbolId id, int depth) {
    bool is_known = true;
    judge_.scopes().for_each_binding(id, [&](const Binding& one) {
      const bool is_value =
          one.kind == BindingKind::kValue && find(one.value, one.scope, depth + 1);
      const bool is_element = one.kind == BindingKind::kElement && one.value != nullptr &&
                              find_values(one.value, one.scope, depth + 1);
      is_known = is_known && (is_value || is_element);
    });
    return is_known && judge_.scopes().symbol(id).first != kNone;
  }

  // self.TEMPLATE, Row.TEMPLATE: every class variable of that name, when nothing stores to it from
  // outside.
  bool find_members(expr_ty node, int depth) {
    const Scopes& scopes = judge_.scopes();
    PyObject* name = node->v.Attribute.attr;
    for (const AttributeStore& store : scopes.attribute_stores) {
      if (store.name == name && !find(store.value, store.scope, depth + 1)) return false;
    }
    const std::size_t before = found.size();
    for (ScopeId id = 0; id < scopes.scope_count(); ++id) {
      if (scopes.scope(id).kind != ScopeKind::kClass) continue;
      const SymbolId member = scopes.find_here(id, name);
      if (member != kNone && !find_bindings(member, depth + 1)) return false;
    }
    return found.size() > before;
  }

  // The values of a table: a dict, list or tuple display, or a name bound to one.
  bool find_values(expr_ty node, ScopeId scope, int depth) {
    if (node == nullptr || depth > kMaxDepth) return false;
    switch (node->kind) {
      case Dict_kind:
        return find_all(items(node->v.Dict.values), scope, depth);
      case List_kind:
        return find_all(items(node->v.List.elts), scope, depth);
      case Tuple_kind:
        return find_all(items(node->v.Tuple.elts), scope, depth);
      case Name_kind: {
        const SymbolId id = judge_.scopes().resolve(scope, node->v.Name.id);
        if (id == kNone) return false;
        const SymbolId other = judge_.scopes().fallback(id);
        return find_stored(id, depth) && (other == kNone || find_stored(other, depth));
      }
      case Call_kind: {
        // TEMPLATES.values(), .items(): the same values (keys are texts too and do no harm).
        expr_ty function = node->v.Call.func;
        if (function->kind != Attribute_kind) return false;
        const std::string_view method = text_of(function->v.Attribute.attr);
        return (method == "values" || method == "items") &&
               find_values(function->v.Attribute.value, scope, depth + 1);
      }
      default:
        return false;
    }
  }

  // The values of a table that is known by name.
  bool find_stored(SymbolId id, int depth) {
    bool is_known = judge_.scopes().symbol(id).first != kNone;
    judge_.scopes().for_each_binding(id, [&](const Binding& one) {
      // kElement: container[key] = value put a value in.
      is_known =
          is_known &&
          ((one.kind == BindingKind::kValue && find_values(one.value, one.scope, depth + 1)) ||
           (one.kind == BindingKind::kElement && find(one.value, one.scope, depth + 1)));
    });
    return is_known;
  }

  Judge& judge_;
};

// The attributes that the fields of a template read, nested fields included. Reads like CPython's
// own parser: {{ and }} are text, a field ends at ! : or }, inside its name .x is an attribute and
// [x] an index.
std::vector<std::string> attributes_in(std::string_view text) {
  std::vector<std::string> names;
  bool in_name = false;   // in the name part of a field
  bool in_index = false;  // inside [ ]
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_index) {
      in_index = c != ']';
    } else if (c == '{') {
      if (depth == 0 && i + 1 < text.size() && text[i + 1] == '{') {
        ++i;
      } else {
        ++depth;
        in_name = true;
      }
    } else if (c == '}') {
      if (depth > 0) --depth;
      in_name = false;
    } else if (in_name && (c == ':' || c == '!')) {
      in_name = false;
    } else if (in_name && c == '[') {
      in_index = true;
    } else if (in_name && c == '.') {
      const std::size_t end = text.find_first_of(".[]!:{}", i + 1);
      names.emplace_back(text.substr(i + 1, end == std::string_view::npos ? end : end - i - 1));
    }
  }
  return names;
}

void judge_template(Judge& judge, expr_ty node, const std::string& text) {
  for (const std::string& name : attributes_in(text)) {
    PyObject* interned = PyUnicode_InternFromString(name.c_str());
    if (interned == nullptr) {
      PyErr_Clear();
      continue;
    }
    const auto objection = attribute_objection(judge, interned);
    const Refusal* file = judge.policy().facts(interned).file_operation;
    if (objection || file != nullptr) {
      judge.report(RuleCode::kFormatTemplate, place_of(node), name,
                   "A field of this template reads the attribute '" + name +
                       "': " + (objection ? objection->why : file->why),
                   "Use an f-string with exactly the value you need.");
    }
    Py_DECREF(interned);
  }
}

}  // namespace

void judge_format_call(Judge& judge, expr_ty node) {
  expr_ty function = node->v.Call.func;
  expr_ty receiver = function->v.Attribute.value;
  const auto arguments = items(node->v.Call.args);
  // str.format("{}", x): the template is the first argument.
  const bool is_unbound = judge.is_builtin(receiver, "str");
  if (is_unbound)
    receiver = arguments.empty() || arguments[0]->kind == Starred_kind ? nullptr : arguments[0];
  TemplateFinder finder(judge);
  if (receiver != nullptr && finder.find(receiver, judge.scope())) {
    for (const std::string& text : finder.found) judge_template(judge, node, text);
    return;
  }
  if (receiver != nullptr && !is_unbound && judge.flow().is_surely_own(receiver, judge.scope()))
    return;
  judge.report(
      RuleCode::kFormatTemplate, place_of(node), std::string(text_of(function->v.Attribute.attr)),
      "The template of str.format is not a literal: a field in it could read any attribute",
      "Use an f-string, or write the template where it is used.");
}

void judge_format_reference(Judge& judge, expr_ty node) {
  if (judge.flow().is_surely_own(node->v.Attribute.value, judge.scope())) return;
  if (judge.flow().module_of(node->v.Attribute.value, judge.scope()) != nullptr) return;
  TemplateFinder finder(judge);
  if (finder.find(node->v.Attribute.value, judge.scope())) {
    for (const std::string& text : finder.found) judge_template(judge, node, text);
    return;
  }
  judge.report(RuleCode::kFormatTemplate, place_of(node),
               std::string(text_of(node->v.Attribute.attr)),
               "str.format may not be taken as a value: its template could read any attribute",
               "Use an f-string, or a small function of your own around one.");
}

}  // namespace airlock::vet

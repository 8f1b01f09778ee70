// Calls whose arguments decide whether they are harmless: getattr and its kin (a literal name or
// nothing), type (one argument), str.format. And text that is put together from pieces to be a
// forbidden name.
#include <algorithm>
#include <string>

#include "python/ref.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

bool is_literal_text(expr_ty node) {
  return node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value);
}

// No *arguments: each stands where it is written.
bool is_plain(std::span<expr_ty> arguments) {
  return std::ranges::none_of(arguments, [](expr_ty one) { return one->kind == Starred_kind; });
}

bool judge_looked_up_name(Judge& judge, PyObject* name, expr_ty receiver, expr_ty node,
                          const std::string& function);

// getattr and its kin are dots with the name in a text: with a literal name they are judged like
// one, without it nobody knows what they read.
void judge_attribute_function(Judge& judge, expr_ty node, const std::string& function) {
  const auto arguments = items(node->v.Call.args);
  judge.visit_all(node->v.Call.args);
  judge.keywords(node->v.Call.keywords);
  if (arguments.size() < 2 || !is_plain(arguments) || !items(node->v.Call.keywords).empty()) {
    return judge.report(
        RuleCode::kDynamicAttribute, place_of(node), function,
        function + " needs the object and a literal name as its plain arguments",
        "Write " + function + (function == "setattr" ? "(x, \"name\", value)." : "(x, \"name\")."));
  }
  // getattr(x, key): the texts that `key` may hold, when all are known.
  const bool is_name = arguments[1]->kind == Name_kind;
  if (const auto names = is_name ? possible_texts(judge, arguments[1]) : std::nullopt) {
    // for key in ("a", "b"): getattr(x, key): every name is known, and each is judged.
    for (const std::string& one : *names) {
      const python::Ref name = python::interned(one);
      judge_looked_up_name(judge, name.get(), arguments[0], node, function);
    }
    // For reads it is enough that every possible name is harmless; a write needs the literal.
    if (function != "setattr" && function != "delattr") return;
  }
  if (!is_literal_text(arguments[1])) {
    const auto folded = judge.flow().fold(arguments[1], judge.scope());
    const std::string what = folded ? " (it adds up to '" + *folded + "')" : "";
    return judge.report(
        RuleCode::kDynamicAttribute, place_of(node), function,
        function + " with a computed name is not allowed" + what + ": the name could be anything",
        "Write the name as a literal, or use a dict for what is looked up by name.");
  }
  const python::Ref name = python::interned(text_of(arguments[1]->v.Constant.value));
  const bool is_reported = judge_looked_up_name(judge, name.get(), arguments[0], node, function);
  const bool writes = function == "setattr" || function == "delattr";
  if (writes && !is_reported && is_special(text_of(name.get()))) {
    return judge.report(RuleCode::kSpecialName, place_of(node), std::string(text_of(name.get())),
                        function + " may not change the special attribute '" +
                            std::string(text_of(name.get())) + "'",
                        "Define it in the class body.");
  }
  if (writes && !is_reported && may_be_library_class_or_function(judge, arguments[0])) {
    judge.report(
        RuleCode::kForeignWrite, place_of(node), std::string(text_of(name.get())),
        function + " on a class or function of a library changes the program around the code",
        "Keep your own value in a variable or in a class of your own.");
  }
}

// isinstance(x, type) and isinstance(x, (str, type)) only compare with it.
void visit_classinfo(Judge& judge, expr_ty node) {
  if (judge.is_builtin(node, "type")) return;
  judge.excuse(node);
  if (node->kind != Tuple_kind) return judge.visit(node);
  for (expr_ty one : items(node->v.Tuple.elts)) visit_classinfo(judge, one);
}

bool is_forbidden_name(const Judge& judge, std::string_view text) {
  // Longer than any name that could be forbidden.
  if (text.size() < 2 || text.size() > 40) return false;
  const python::Ref name = python::interned(text);
  const NameFacts& facts = judge.policy().facts(name.get());
  if (is_special(text)) return facts.readable_special == nullptr && text != "__main__";
  // Ordinary words ("open", "csv") can add up by chance; these cannot.
  return facts.introspection != nullptr || text == "eval" || text == "exec";
}

// A plain literal is judged where it is used as a name, and is harmless elsewhere.
bool is_made_of_pieces(expr_ty node) {
  switch (node->kind) {
    case BinOp_kind:
      return node->v.BinOp.op == Add || node->v.BinOp.op == Mult;
    case JoinedStr_kind:
      return items(node->v.JoinedStr.values).size() > 1;
    case Subscript_kind:
      return node->v.Subscript.slice->kind == Slice_kind;
    case Call_kind:
      return true;
    default:
      return false;
  }
}

// True when it reported something.
bool report_assembled(Judge& judge, expr_ty node) {
  if (!is_made_of_pieces(node)) return false;
  const auto text = judge.flow().fold(node, judge.scope());
  if (!text || !is_forbidden_name(judge, *text)) return false;
  judge.report(RuleCode::kAssembledName, place_of(node), *text,
               "These pieces add up to '" + *text + "', a name that is not allowed",
               "Remove it: what the name stands for is not available.");
  return true;
}

// map(Path, names): calling it is all that map does. A class that makes classes is another matter.
void excuse_guarded(Judge& judge, expr_ty node) {
  if (judge.flow().may_be_guarded_class(node, judge.scope())) judge.excuse(node);
}

// object.__setattr__(self, "name", value): the documented way to set a field of a frozen dataclass
// while it is made.
bool is_frozen_assignment(Judge& judge, expr_ty call) {
  expr_ty function = call->v.Call.func;
  const auto arguments = items(call->v.Call.args);
  if (function->kind != Attribute_kind || text_of(function->v.Attribute.attr) != "__setattr__")
    return false;
  if (!judge.is_builtin(function->v.Attribute.value, "object") || arguments.size() != 3 ||
      !is_literal_text(arguments[1])) {
    return false;
  }
  const python::Ref name = python::interned(text_of(arguments[1]->v.Constant.value));
  return judge.flow().is_surely_own(arguments[0], judge.scope()) &&
         !may_be_library_class(judge, arguments[0]) && !is_special(text_of(name.get())) &&
         !attribute_objection(judge, name.get(), Exemption::kOwnNames);
}

// Dict[str, Path], Box[Path]: the brackets hold types. Anything else is handed what is between
// them.
bool is_type_with_brackets(Judge& judge, expr_ty node) {
  expr_ty value = node->v.Subscript.value;
  if (judge.in_plain_annotation()) return true;
  if (value->kind == Attribute_kind)
    return judge.flow().module_of(value->v.Attribute.value, judge.scope()) != nullptr;
  if (value->kind != Name_kind) return false;
  const SymbolId id = judge.scopes().resolve(judge.scope(), value->v.Name.id);
  if (id == kNone || is_only(judge.scopes(), id, BindingKind::kForeign)) return true;
  return only_class(judge, id) != nullptr && !judge.defines_special("__class_getitem__") &&
         !judge.defines_special("__getitem__");
}

// A name that getattr may take from any object, judged as if it stood behind a dot.
bool judge_looked_up_name(Judge& judge, PyObject* name, expr_ty receiver, expr_ty node,
                          const std::string& function) {
  const std::string_view text = text_of(name);
  if (text == "format" || text == "format_map") {
    judge.report(RuleCode::kFormatTemplate, place_of(node), function,
                 "str.format may not be taken as a value: its template could read any attribute",
                 "Use an f-string.");
    return true;
  }
  if (text == "__call__" || text == "__members__" || text == "register" || text == "__new__" ||
      text == "_field_defaults") {
    judge.report(RuleCode::kIntrospection, place_of(node), std::string(text),
                 "The attribute '" + std::string(text) + "' may not be looked up by " + function +
                     ": what it gives depends on the object",
                 "Write it behind a dot, on the class or object that you mean.");
    return true;
  }
  return judge_attribute_name(judge, name, receiver, nullptr, place_of(node));
}

}  // namespace

void judge_assembled(Judge& judge, expr_ty node) {
  if (node->kind == BinOp_kind) excuse_classes_in_text(judge, node);
  if (!report_assembled(judge, node)) judge.children(node);
}

void judge_subscript(Judge& judge, expr_ty node) {
  if (report_assembled(judge, node)) return;
  excuse_members(judge, node->v.Subscript.value);
  judge.visit(node->v.Subscript.value);
  excuse_class_in_slice(judge, node);
  if (!is_type_with_brackets(judge, node)) return judge.visit(node->v.Subscript.slice);
  judge.visit_slice(node->v.Subscript.slice);
}

// The order matters: what is excused must be so before it is visited, and a special case that
// returns early visits its own parts.
void judge_call(Judge& judge, expr_ty node) {
  expr_ty function = node->v.Call.func;
  if (function->kind == Name_kind || function->kind == Attribute_kind)
    judge.excuse(function);  // Path(x), Enum("E", "a b"): calling is what they are for
  excuse_classes_in_call(judge, node);
  if (function->kind == Name_kind &&
      judge.scopes().resolve(judge.scope(), function->v.Name.id) == kNone) {
    for (expr_ty one : items(node->v.Call.args)) excuse_members(judge, one);
  }
  if (is_frozen_assignment(judge, node)) return judge.visit(items(node->v.Call.args)[2]);
  if (function->kind == Name_kind &&
      judge.scopes().resolve(judge.scope(), function->v.Name.id) == kNone) {
    const std::string name(text_of(function->v.Name.id));
    if (judge.policy().facts(function->v.Name.id).builtin != nullptr) {
      if (name == "getattr" || name == "setattr" || name == "hasattr" || name == "delattr") {
        return judge_attribute_function(judge, node, name);
      }
      if (name == "type") return judge_type_call(judge, node);
      const auto arguments = items(node->v.Call.args);
      if ((name == "isinstance" || name == "issubclass") && arguments.size() == 2 &&
          is_plain(arguments)) {
        judge.visit(arguments[0]);
        visit_classinfo(judge, arguments[1]);
        return judge.keywords(node->v.Call.keywords);
      }
    }
    if (name == "map" && !items(node->v.Call.args).empty())
      excuse_guarded(judge, items(node->v.Call.args)[0]);
    if (name == "chr" && report_assembled(judge, node)) return;
  }
  if (function->kind == Attribute_kind) {
    const std::string_view method = text_of(function->v.Attribute.attr);
    if (method == "format" || method == "format_map") {
      judge_format_call(judge, node);
    } else if (method == "join" && report_assembled(judge, node)) {
      return;
    }
    judge_class_factory(judge, node);
    judge_attribute_of_call(judge, function, node);
    judge.visit_all(node->v.Call.args);
    return judge.keywords(node->v.Call.keywords);
  }
  judge_class_factory(judge, node);
  judge.children(node);
}

}  // namespace airlock::vet

// The rule: exactly one thing binds `extract` in the module, a plain def at the top level. Then its
// parameters, its annotations and its returns are looked at.
#include <algorithm>
#include <string>

#include "model/rule.h"
#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

// As the contract with users spells it.
constexpr std::string_view kSignature = "def extract(path: str) -> dict";

// This stage has no Judge: it runs also when the security stage is left out.
struct Reporter {
  std::vector<Finding>& findings;

  void say(RuleCode code, Place place, std::string message, std::string suggestion,
           std::string item = "extract") const {
    const Rule& row = rule(code);
    findings.push_back(
        {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)});
  }
};

// One head for def and async def.
struct Definition {
  stmt_ty node = nullptr;
  bool is_async = false;
  arguments_ty arguments = nullptr;
  asdl_stmt_seq* body = nullptr;
  asdl_expr_seq* decorators = nullptr;
  expr_ty returns = nullptr;
};

Definition open_definition(stmt_ty node) {
  if (node->kind == AsyncFunctionDef_kind) {
    auto& v = node->v.AsyncFunctionDef;
    return {node, true, v.args, v.body, v.decorator_list, v.returns};
  }
  auto& v = node->v.FunctionDef;
  return {node, false, v.args, v.body, v.decorator_list, v.returns};
}

Place head_of(stmt_ty node) {
  Place place = place_of(node);
  place.end_line = place.line;
  place.end_column = place.column + 3;  // "def"
  return place;
}

// The returns and yields of one function, not of functions inside it.
class Exits : public PassiveWalker<Exits> {
 public:
  // No depth limit: the binder has walked the whole tree within the policy's one.
  explicit Exits(asdl_stmt_seq* body) : PassiveWalker(UINT32_MAX) { visit_all(body); }

  void statement(stmt_ty node) {
    if (node->kind == FunctionDef_kind || node->kind == AsyncFunctionDef_kind ||
        node->kind == ClassDef_kind)
      return;
    if (node->kind == Return_kind) returns.push_back(node);
    children(node);
  }
  void expression(expr_ty node) {
    if (node->kind == Lambda_kind) return;
    if (node->kind == Yield_kind || node->kind == YieldFrom_kind) yields.push_back(node);
    children(node);
  }

  std::vector<stmt_ty> returns;
  std::vector<expr_ty> yields;
};

bool ends(asdl_stmt_seq* body);

// A break that leaves the loop around this body; loops inside it have their own.
bool has_break(asdl_stmt_seq* body) {
  for (stmt_ty node : items(body)) {
    switch (node->kind) {
      case Break_kind:
        return true;
      case If_kind:
        if (has_break(node->v.If.body) || has_break(node->v.If.orelse)) return true;
        break;
      case With_kind:
        if (has_break(node->v.With.body)) return true;
        break;
      case Try_kind:
        if (has_break(node->v.Try.body) || has_break(node->v.Try.orelse) ||
            has_break(node->v.Try.finalbody))
          return true;
        for (excepthandler_ty one : items(node->v.Try.handlers)) {
          if (has_break(one->v.ExceptHandler.body)) return true;
        }
        break;
      case Match_kind:
        for (match_case_ty one : items(node->v.Match.cases)) {
          if (has_break(one->body)) return true;
        }
        break;
      default:
        break;
    }
  }
  return false;
}

bool catches_all(pattern_ty pattern) {
  if (pattern->kind == MatchAs_kind)
    return pattern->v.MatchAs.pattern == nullptr || catches_all(pattern->v.MatchAs.pattern);
  if (pattern->kind != MatchOr_kind) return false;
  const auto options = items(pattern->v.MatchOr.patterns);
  return std::ranges::any_of(options, catches_all);
}

// Whether control never comes out at the end of this statement.
bool ends(stmt_ty node) {
  switch (node->kind) {
    case Return_kind:
    case Raise_kind:
      return true;
    case If_kind:
      return ends(node->v.If.body) && ends(node->v.If.orelse);
    case With_kind:
      return ends(node->v.With.body);
    case While_kind: {
      expr_ty test = node->v.While.test;
      const bool is_endless =
          test->kind == Constant_kind && PyObject_IsTrue(test->v.Constant.value) == 1;
      return is_endless && !has_break(node->v.While.body);
    }
    case Try_kind: {
      // A return in `finally` wins over everything before it.
      if (ends(node->v.Try.finalbody)) return true;
      const bool body_ends = ends(node->v.Try.body) || ends(node->v.Try.orelse);
      const auto handlers = items(node->v.Try.handlers);
      return body_ends && std::ranges::all_of(handlers, [](excepthandler_ty one) {
               return ends(one->v.ExceptHandler.body);
             });
    }
    case Match_kind: {
      bool is_complete = false;
      for (match_case_ty one : items(node->v.Match.cases)) {
        if (!ends(one->body)) return false;
        is_complete = is_complete || (one->guard == nullptr && catches_all(one->pattern));
      }
      return is_complete;
    }
    default:
      return false;
  }
}

// What stands behind a statement that ends is never reached, so any one is enough.
bool ends(asdl_stmt_seq* body) {
  const auto nodes = items(body);
  return std::ranges::any_of(nodes, [](stmt_ty node) { return ends(node); });
}

// It will be called as extract(path): one positional argument and nothing else.
void judge_parameters(const Definition& def, const Reporter& report) {
  const auto positional =
      items(def.arguments->posonlyargs).size() + items(def.arguments->args).size();
  const auto defaults = items(def.arguments->defaults).size();
  const std::string fix = "Write " + std::string(kSignature) + ":";
  if (positional == 0) {
    const bool takes_rest = def.arguments->vararg != nullptr;
    report.say(
        RuleCode::kExtractParameters, head_of(def.node),
        std::string("extract() must have at least one parameter (path)") +
            (takes_rest ? ": it takes only *" + std::string(text_of(def.arguments->vararg->arg))
                        : ""),
        fix);
  } else if (positional - defaults > 1) {
    report.say(RuleCode::kExtractParameters, head_of(def.node),
               "extract() should have 1 required parameter, found " +
                   std::to_string(positional - defaults),
               "Give the others defaults, or remove them.");
  }
  const auto keyword_defaults = items(def.arguments->kw_defaults);
  std::size_t index = 0;
  for (arg_ty one : items(def.arguments->kwonlyargs)) {
    if (index >= keyword_defaults.size() || keyword_defaults[index] == nullptr) {
      report.say(RuleCode::kExtractParameters, place_of(one),
                 "extract() has the required keyword-only parameter '" +
                     std::string(text_of(one->arg)) + "', but it is called as extract(path)",
                 "Give it a default, or remove it.", std::string(text_of(one->arg)));
    }
    ++index;
  }
  if (positional == 0) return;
  arg_ty first = items(def.arguments->posonlyargs).empty() ? items(def.arguments->args)[0]
                                                           : items(def.arguments->posonlyargs)[0];
  if (text_of(first->arg) != "path") {
    report.say(RuleCode::kParameterName, place_of(first),
               "First parameter is '" + std::string(text_of(first->arg)) + "', expected 'path'",
               "Call it 'path'.", std::string(text_of(first->arg)));
  }
}

// A class of this file that is a dict: class Row(TypedDict), class Row(dict).
bool is_dict_class(const Scopes& scopes, PyObject* name) {
  const SymbolId id = scopes.find_here(0, name);
  if (id == kNone) return false;
  bool is_dict = false;
  scopes.for_each_binding(id, [&](const Binding& one) {
    if (one.kind != BindingKind::kClass) return;
    for (expr_ty base : items(one.statement->v.ClassDef.bases)) {
      const std::string_view text = base->kind == Name_kind        ? text_of(base->v.Name.id)
                                    : base->kind == Attribute_kind ? text_of(base->v.Attribute.attr)
                                                                   : std::string_view();
      is_dict = is_dict || text == "TypedDict" || text == "dict" || text == "Dict" ||
                text == "OrderedDict" || text == "Counter" || text == "defaultdict" ||
                text == "UserDict";
    }
  });
  return is_dict;
}

// Metadata = Dict[str, Any]: the name stands for what it is bound to.
expr_ty resolve_alias(const Scopes& scopes, expr_ty node) {
  // Aliases of aliases; bounded, since a = b and b = a may be written.
  for (int steps = 0; node->kind == Name_kind && steps < 4; ++steps) {
    const SymbolId id = scopes.find_here(0, node->v.Name.id);
    if (id == kNone || scopes.symbol(id).first == kNone ||
        scopes.symbol(id).first != scopes.symbol(id).last)
      break;
    const Binding& only = scopes.binding(scopes.symbol(id).first);
    if (only.kind != BindingKind::kValue || only.value == nullptr) break;
    node = only.value;
  }
  return node;
}

bool means_dict(std::string_view name) {
  return name == "dict" || name == "Dict" || name == "OrderedDict" || name == "Counter" ||
         name == "defaultdict" || name == "Mapping" || name == "MutableMapping" ||
         name == "DefaultDict";
}

// Only a warning: what counts is what it returns.
void judge_return_annotation(const Definition& def, const Scopes& scopes, const Reporter& report) {
  if (def.returns == nullptr) return;
  const Place place = place_of(def.returns);
  expr_ty node = resolve_alias(scopes, def.returns);
  const auto warn = [&](std::string message) {
    report.say(RuleCode::kReturnAnnotation, place, std::move(message), "Annotate it as -> dict.",
               "return annotation");
  };
  if (node->kind == Constant_kind && PyUnicode_Check(node->v.Constant.value)) {
    std::string_view text = text_of(node->v.Constant.value);
    while (text.starts_with(' ')) text.remove_prefix(1);
    // "typing.Dict[str, int]" → "Dict"; an annotation as text is not parsed.
    std::string_view head = text.substr(0, text.find_first_of("[ |"));
    if (const std::size_t dot = head.rfind('.'); dot != std::string_view::npos)
      head.remove_prefix(dot + 1);
    if (!means_dict(head) || text.find('|') != std::string_view::npos) {
      warn("Return type is '" + std::string(text) + "', expected 'dict'");
    }
    return;
  }
  expr_ty head = node->kind == Subscript_kind ? node->v.Subscript.value : node;
  std::string_view name;
  if (head->kind == Name_kind) name = text_of(head->v.Name.id);
  if (head->kind == Attribute_kind) name = text_of(head->v.Attribute.attr);
  if (means_dict(name) || (head->kind == Name_kind && is_dict_class(scopes, head->v.Name.id)))
    return;
  if (node->kind == Name_kind)
    return warn("Return type is '" + std::string(name) + "', expected 'dict'");
  if (node->kind == Constant_kind && node->v.Constant.value == Py_None)
    return warn("Return type is 'None', expected 'dict'");
  warn("Return type should be dict");
}

// What this expression surely is when it is surely no dict; empty otherwise.
std::string_view surely_not_dict(expr_ty node) {
  switch (node->kind) {
    case List_kind:
    case ListComp_kind:
      return "list";
    case Tuple_kind:
      return "tuple";
    case Set_kind:
    case SetComp_kind:
      return "set";
    case GeneratorExp_kind:
      return "generator";
    case JoinedStr_kind:
      return "str";
    case Lambda_kind:
      return "function";
    case Compare_kind:
      return "bool";
    case Constant_kind: {
      PyObject* value = node->v.Constant.value;
      // None has a finding of its own.
      if (value == Py_None) return {};
      return Py_TYPE(value)->tp_name;
    }
    default:
      return {};
  }
}

// Errors for what can never give a dict, warnings for what may.
void judge_returns(const Definition& def, const Reporter& report) {
  const Exits exits(def.body);
  if (def.is_async) {
    report.say(RuleCode::kExtractKind, head_of(def.node),
               "extract() is a coroutine: calling it returns no dict",
               "Write 'def' instead of 'async def'.");
  }
  if (!exits.yields.empty()) {
    report.say(RuleCode::kExtractKind, place_of(exits.yields.front()),
               "extract() is a generator because of this yield: calling it returns no dict",
               "Collect the values and return a dict.");
    return;
  }
  const bool has_value = std::ranges::any_of(exits.returns, [](stmt_ty one) {
    expr_ty value = one->v.Return.value;
    return value != nullptr &&
           !(value->kind == Constant_kind && value->v.Constant.value == Py_None);
  });
  if (!has_value) {
    report.say(RuleCode::kNoReturn, head_of(def.node), "extract() must return a dictionary",
               "End it with 'return {…}'.");
    return;
  }
  const bool may_be_right = std::ranges::any_of(exits.returns, [](stmt_ty one) {
    expr_ty value = one->v.Return.value;
    const bool is_none =
        value == nullptr || (value->kind == Constant_kind && value->v.Constant.value == Py_None);
    return !is_none && surely_not_dict(value).empty();
  });
  for (stmt_ty one : exits.returns) {
    expr_ty value = one->v.Return.value;
    if (value == nullptr || (value->kind == Constant_kind && value->v.Constant.value == Py_None)) {
      report.say(RuleCode::kSomePathsReturnNothing, place_of(one),
                 "This return gives None, expected dict", "Return an empty dict: 'return {}'.");
    } else if (const std::string_view type = surely_not_dict(value); !type.empty()) {
      // One branch that is wrong fails when it is taken; a function that is never right need not be
      // run.
      report.say(RuleCode::kWrongReturn, place_of(one),
                 "extract() returned " + std::string(type) + ", expected dict",
                 "Return a dict of field names and values.");
      if (may_be_right) report.findings.back().severity = Severity::kWarning;
    }
  }
  if (!ends(def.body)) {
    report.say(RuleCode::kSomePathsReturnNothing, head_of(def.node),
               "Some ways through extract() reach its end without a return and give None",
               "Add 'return {}' at the end.");
  }
}

// A call, an assignment or a yield inside an annotation.
class RunsCode : public PassiveWalker<RunsCode> {
 public:
  explicit RunsCode(expr_ty node) : PassiveWalker(UINT32_MAX) { visit(node); }
  void expression(expr_ty node) {
    if (node->kind == Call_kind || node->kind == NamedExpr_kind || node->kind == Yield_kind ||
        node->kind == Await_kind || node->kind == ListComp_kind ||
        node->kind == GeneratorExp_kind || node->kind == SetComp_kind ||
        node->kind == DictComp_kind || node->kind == YieldFrom_kind || node->kind == Lambda_kind) {
      at = node;
    }
    children(node);
  }
  expr_ty at = nullptr;
};

// Annotations are evaluated when the function is defined, before anybody calls it.
void judge_annotations(const Definition& def, const Scopes& scopes, const Reporter& report) {
  if (scopes.future_annotations) return;  // kept as text, never evaluated
  std::vector<expr_ty> annotations;
  for (auto sequence :
       {def.arguments->posonlyargs, def.arguments->args, def.arguments->kwonlyargs}) {
    for (arg_ty one : items(sequence)) annotations.push_back(one->annotation);
  }
  if (def.arguments->vararg != nullptr) annotations.push_back(def.arguments->vararg->annotation);
  if (def.arguments->kwarg != nullptr) annotations.push_back(def.arguments->kwarg->annotation);
  annotations.push_back(def.returns);
  for (expr_ty one : annotations) {
    if (one == nullptr) continue;
    if (const RunsCode search(one); search.at != nullptr) {
      report.say(RuleCode::kAnnotationRunsCode, place_of(search.at),
                 "This annotation of extract() runs code when the function is defined",
                 "Annotate with a type.");
    }
  }
}

void judge_definition(stmt_ty node, const Scopes& scopes, const Reporter& report) {
  const Definition def = open_definition(node);
  if (!items(def.decorators).empty()) {
    report.say(RuleCode::kExtractDecorated, place_of(items(def.decorators)[0]),
               "extract() is decorated: what would be called is what the decorator returns",
               "Remove the decorator.");
  }
  judge_parameters(def, report);
  judge_annotations(def, scopes, report);
  judge_return_annotation(def, scopes, report);
  judge_returns(def, report);
}

SymbolId find_extract(const Scopes& scopes) {
  for (const SymbolId id : scopes.scope(0).symbols) {
    if (text_of(scopes.symbol(id).name) == "extract") return id;
  }
  return kNone;
}

// The nearest thing to an extract decides the words: one in a class or function, or a function that
// may have been meant.
void report_missing(mod_ty module, const Scopes& scopes, const Reporter& report) {
  std::string suggestion = "Define it at the top level of the file.";
  for (ScopeId id = 1; id < scopes.scope_count(); ++id) {
    for (const SymbolId inner : scopes.scope(id).symbols) {
      const Symbol& symbol = scopes.symbol(inner);
      if (symbol.first == kNone || text_of(symbol.name) != "extract") continue;
      if (scopes.binding(symbol.first).kind != BindingKind::kFunction) continue;
      const std::string line = std::to_string(scopes.binding(symbol.first).place.line);
      const bool in_class = scopes.scope(id).kind == ScopeKind::kClass;
      return report.say(RuleCode::kExtractPlace, head_of(scopes.binding(symbol.first).statement),
                        std::string("Missing required function: ") + std::string(kSignature) +
                            ". The one on line " + line + " is inside a " +
                            (in_class ? "class" : "function"),
                        "Move it to the top level of the file.");
    }
  }
  stmt_ty only = nullptr;
  std::size_t functions = 0;
  for (stmt_ty node : items(module->v.Module.body)) {
    if (node->kind != FunctionDef_kind) continue;
    ++functions;
    only = node;
    // extract_fields() is more likely meant than the helper beside it.
    if (text_of(node->v.FunctionDef.name).starts_with("extract")) {
      functions = 1;
      break;
    }
  }
  if (functions == 1) {
    suggestion = "Rename '" + std::string(text_of(only->v.FunctionDef.name)) + "' on line " +
                 std::to_string(only->lineno) +
                 " to 'extract', or define extract and call it there.";
  }
  report.say(RuleCode::kMissingExtract, Place{1, 0, 1, 0},
             "Missing required function: " + std::string(kSignature), suggestion);
}

}  // namespace

// Every binding of the name counts, not only functions: `extract = len` below the function would be
// what is called.
void judge_signature(mod_ty module, const Scopes& scopes, std::vector<Finding>& findings) {
  const Reporter report{findings};
  const SymbolId id = find_extract(scopes);
  std::vector<Binding> bindings;
  if (id != kNone) {
    scopes.for_each_binding(id, [&](const Binding& one) {
      if (one.kind != BindingKind::kDeclared) bindings.push_back(one);
    });
  }
  // No extract at the top level at all: perhaps there is one inside something.
  if (bindings.empty()) return report_missing(module, scopes, report);
  const Binding* last_function = nullptr;
  for (const Binding& one : bindings) {
    if (one.kind == BindingKind::kFunction) last_function = &one;
  }
  if (last_function == nullptr) {
    const bool is_lambda = bindings[0].value != nullptr && bindings[0].value->kind == Lambda_kind;
    return report.say(RuleCode::kMissingExtract, bindings[0].place,
                      "Missing required function: " + std::string(kSignature) +
                          ". Here extract is " + (is_lambda ? "a lambda" : "something else"),
                      "Write it with def at the top level of the file.");
  }
  if (!last_function->in_body) {
    report.say(
        RuleCode::kExtractPlace, head_of(last_function->statement),
        "extract() is defined inside another statement, so it may not be there when it is called",
        "Define it at the top level of the file.");
  }
  for (std::size_t i = 1; i < bindings.size(); ++i) {
    report.say(RuleCode::kExtractRebound, bindings[i].place,
               std::string("extract is ") +
                   (bindings[i].kind == BindingKind::kDeleted ? "deleted" : "bound again") +
                   " here; its first binding is on line " + std::to_string(bindings[0].place.line),
               "Keep one definition; give anything else another name.");
  }
  judge_definition(last_function->statement, scopes, report);
}

}  // namespace airlock::vet

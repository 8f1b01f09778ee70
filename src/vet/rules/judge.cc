#include "vet/rules/judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace airlock::vet {

namespace {

template <typename Node>
struct JudgeRow {
  int kind = 0;
  std::string_view name;                   // as in Python's ast module
  void (*family)(Judge&, Node) = nullptr;  // null: harmless by itself, walk on
};

// The whole grammar of CPython 3.11, kind by kind. A row without a family is there on purpose.
constexpr std::array kStatements = {
    JudgeRow<stmt_ty>{FunctionDef_kind, "FunctionDef", judge_function},
    JudgeRow<stmt_ty>{AsyncFunctionDef_kind, "AsyncFunctionDef", judge_async},
    JudgeRow<stmt_ty>{ClassDef_kind, "ClassDef", judge_class},
    JudgeRow<stmt_ty>{Return_kind, "Return"},
    JudgeRow<stmt_ty>{Delete_kind, "Delete"},
    JudgeRow<stmt_ty>{Assign_kind, "Assign", judge_assignment},
    JudgeRow<stmt_ty>{AugAssign_kind, "AugAssign"},
    JudgeRow<stmt_ty>{AnnAssign_kind, "AnnAssign", judge_assignment},
    JudgeRow<stmt_ty>{For_kind, "For", judge_loop},
    JudgeRow<stmt_ty>{AsyncFor_kind, "AsyncFor", judge_async},
    JudgeRow<stmt_ty>{While_kind, "While"},
    JudgeRow<stmt_ty>{If_kind, "If", judge_if},
    JudgeRow<stmt_ty>{With_kind, "With"},
    JudgeRow<stmt_ty>{AsyncWith_kind, "AsyncWith", judge_async},
    JudgeRow<stmt_ty>{Match_kind, "Match"},
    JudgeRow<stmt_ty>{Raise_kind, "Raise"},
    JudgeRow<stmt_ty>{Try_kind, "Try"},
    JudgeRow<stmt_ty>{TryStar_kind, "TryStar", judge_try_star},
    JudgeRow<stmt_ty>{Assert_kind, "Assert"},
    JudgeRow<stmt_ty>{Import_kind, "Import", judge_import},
    JudgeRow<stmt_ty>{ImportFrom_kind, "ImportFrom", judge_import_from},
    JudgeRow<stmt_ty>{Global_kind, "Global", judge_declaration},
    JudgeRow<stmt_ty>{Nonlocal_kind, "Nonlocal", judge_declaration},
    JudgeRow<stmt_ty>{Expr_kind, "Expr", judge_discarded},
    JudgeRow<stmt_ty>{Pass_kind, "Pass"},
    JudgeRow<stmt_ty>{Break_kind, "Break"},
    JudgeRow<stmt_ty>{Continue_kind, "Continue"},
};

constexpr std::array kExpressions = {
    JudgeRow<expr_ty>{BoolOp_kind, "BoolOp"},
    JudgeRow<expr_ty>{NamedExpr_kind, "NamedExpr", judge_named_expression},
    JudgeRow<expr_ty>{BinOp_kind, "BinOp", judge_assembled},
    JudgeRow<expr_ty>{UnaryOp_kind, "UnaryOp"},
    JudgeRow<expr_ty>{Lambda_kind, "Lambda"},
    JudgeRow<expr_ty>{IfExp_kind, "IfExp"},
    JudgeRow<expr_ty>{Dict_kind, "Dict"},
    JudgeRow<expr_ty>{Set_kind, "Set"},
    JudgeRow<expr_ty>{ListComp_kind, "ListComp"},
    JudgeRow<expr_ty>{SetComp_kind, "SetComp"},
    JudgeRow<expr_ty>{DictComp_kind, "DictComp"},
    JudgeRow<expr_ty>{GeneratorExp_kind, "GeneratorExp"},
    JudgeRow<expr_ty>{Await_kind, "Await", judge_async_expression},
    JudgeRow<expr_ty>{Yield_kind, "Yield"},
    JudgeRow<expr_ty>{YieldFrom_kind, "YieldFrom"},
    JudgeRow<expr_ty>{Compare_kind, "Compare", judge_comparison},
    JudgeRow<expr_ty>{Call_kind, "Call", judge_call},
    JudgeRow<expr_ty>{FormattedValue_kind, "FormattedValue", judge_formatted_value},
    JudgeRow<expr_ty>{JoinedStr_kind, "JoinedStr", judge_assembled},
    JudgeRow<expr_ty>{Constant_kind, "Constant"},
    JudgeRow<expr_ty>{Attribute_kind, "Attribute", judge_attribute},
    JudgeRow<expr_ty>{Subscript_kind, "Subscript", judge_subscript},
    JudgeRow<expr_ty>{Starred_kind, "Starred"},
    JudgeRow<expr_ty>{Name_kind, "Name", judge_name},
    JudgeRow<expr_ty>{List_kind, "List"},
    JudgeRow<expr_ty>{Tuple_kind, "Tuple"},
    JudgeRow<expr_ty>{Slice_kind, "Slice"},
};

constexpr std::array kPatterns = {
    JudgeRow<pattern_ty>{MatchValue_kind, "MatchValue"},
    JudgeRow<pattern_ty>{MatchSingleton_kind, "MatchSingleton"},
    JudgeRow<pattern_ty>{MatchSequence_kind, "MatchSequence"},
    JudgeRow<pattern_ty>{MatchMapping_kind, "MatchMapping", judge_pattern_binding},
    JudgeRow<pattern_ty>{MatchClass_kind, "MatchClass", judge_class_pattern},
    JudgeRow<pattern_ty>{MatchStar_kind, "MatchStar", judge_pattern_binding},
    JudgeRow<pattern_ty>{MatchAs_kind, "MatchAs", judge_pattern_binding},
    JudgeRow<pattern_ty>{MatchOr_kind, "MatchOr"},
};

// Rows stand in the order of CPython's numbers, which start at 1, so that a kind is an index.
template <typename Rows>
constexpr bool in_order(const Rows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind != static_cast<int>(i) + 1) return false;
  }
  return true;
}
static_assert(in_order(kStatements) && in_order(kExpressions) && in_order(kPatterns));

template <typename Rows, typename Node>
void dispatch(Judge& judge, const Rows& rows, Node node, const char* family) {
  // A kind of 0 or less wraps around to a huge index and is refused as unknown.
  const auto index = static_cast<std::size_t>(node->kind) - 1;
  if (index >= rows.size()) return judge.unknown(family, node->kind, place_of(node));
  if (rows[index].family != nullptr) return rows[index].family(judge, node);
  judge.children(node);
}

}  // namespace

std::vector<std::string_view> known_node_kinds() {
  std::vector<std::string_view> names;
  const auto add = [&](const auto& rows) {
    std::ranges::transform(rows, std::back_inserter(names),
                           [](const auto& row) { return row.name; });
  };
  add(kStatements);
  add(kExpressions);
  add(kPatterns);
  return names;
}

Judge::Judge(const PolicyIndex& policy, const Scopes& scopes, std::string_view code,
             std::vector<Finding>& findings)
    : Walker(policy.policy().limits.tree_depth),
      policy_(policy),
      scopes_(scopes),
      flow_(scopes, policy),
      taint_(scopes, policy, flow_),
      code_(code),
      findings_(findings) {}

void Judge::run(mod_ty module) {
  open_scope(ScopeKind::kModule, module);
  taint_.set_module(module);
  // Collected first: a name may be used above the block that imports it.
  for (stmt_ty node : items(module->v.Module.body)) {
    if (!is_type_checking(node)) continue;
    for (stmt_ty one : items(node->v.If.body)) never_run_.push_back(one);
  }
  for (stmt_ty node : items(module->v.Module.body)) {
    top_statement_ = node;
    visit(node);
  }
  close_scope();
}

void Judge::report(RuleCode code, Place place, std::string item, std::string message,
                   std::string suggestion) {
  const Rule& row = rule(code);
  findings_.push_back(
      {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)});
}

bool Judge::is_reported(RuleCode code, Place place) const {
  return std::ranges::any_of(
      findings_, [&](const Finding& one) { return one.rule->code == code && one.place == place; });
}

const SureBinding& Judge::sure_binding(SymbolId id) {
  const auto [found, is_new] = sure_bindings_.try_emplace(id);
  if (is_new) {
    scopes_.for_each_binding(id, [&](const Binding& one) {
      SureBinding& sure = found->second;
      sure.is_unbound =
          sure.is_unbound || one.kind == BindingKind::kDeleted || one.kind == BindingKind::kHandler;
      const bool gives_value = one.kind == BindingKind::kValue ||
                               one.kind == BindingKind::kFunction ||
                               one.kind == BindingKind::kClass || one.kind == BindingKind::kForeign;
      // From the end of the statement on: inside of it the name is not bound yet.
      if (gives_value && one.in_body) sure.line = std::min(sure.line, one.statement->end_lineno);
    });
  }
  return found->second;
}

// The starts are found once, and only in files that need a line for a message.
std::string_view Judge::line(std::uint32_t number) {
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i] == '\n') line_starts_.push_back(i + 1);
    }
  }
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t start = line_starts_[number - 1];
  return code_.substr(start, code_.find('\n', start) - start);
}

bool Judge::is_builtin(expr_ty name, std::string_view builtin) const {
  return name->kind == Name_kind && python::text_of(name->v.Name.id) == builtin &&
         scopes_.resolve(scope_, name->v.Name.id) == kNone;
}

void Judge::statement(stmt_ty node) {
  dispatch(*this, kStatements, node, "statement");
}

void Judge::expression(expr_ty node) {
  const bool runs =
      node->kind == Call_kind || node->kind == NamedExpr_kind || node->kind == Lambda_kind ||
      node->kind == ListComp_kind || node->kind == SetComp_kind || node->kind == DictComp_kind ||
      node->kind == GeneratorExp_kind || node->kind == Yield_kind || node->kind == YieldFrom_kind;
  // In an annotation a class may be named; inside a call in one it would be used.
  running_ += runs ? 1 : 0;
  if (node->kind == ListComp_kind || node->kind == SetComp_kind || node->kind == DictComp_kind ||
      node->kind == GeneratorExp_kind) {
    // The four kinds hold their parts in the same place but for the dict's, which has one more.
    auto* parts = node->kind == ListComp_kind   ? node->v.ListComp.generators
                  : node->kind == SetComp_kind  ? node->v.SetComp.generators
                  : node->kind == DictComp_kind ? node->v.DictComp.generators
                                                : node->v.GeneratorExp.generators;
    for (comprehension_ty part : items(parts)) excuse_members(*this, part->iter);
  }
  dispatch(*this, kExpressions, node, "expression");
  running_ -= runs ? 1 : 0;
}

bool Judge::is_excused(expr_ty node) const {
  return in_plain_annotation() || slices_ > 0 || is_excused_itself(node);
}

bool Judge::is_excused_itself(expr_ty node) const {
  // From the back: a node is nearly always looked up right after it was excused.
  return std::find(excused_.rbegin(), excused_.rend(), node) != excused_.rend();
}

// In any class of the file: which class an object is of is rarely known.
bool Judge::defines_special(std::string_view name) {
  const auto [found, is_new] = specials_.try_emplace(name);
  if (is_new) {
    found->second = std::ranges::any_of(scopes_.symbols(), [&](const Symbol& symbol) {
      return scopes_.scope(symbol.scope).kind == ScopeKind::kClass &&
             python::text_of(symbol.name) == name;
    });
  }
  return found->second;
}

bool Judge::is_shown(expr_ty node) const {
  return std::find(shown_.rbegin(), shown_.rend(), node) != shown_.rend();
}

// TYPE_CHECKING of typing, under that name and no other, at the module's level, with nothing but
// imports in it.
bool Judge::is_type_checking(stmt_ty node) const {
  if (node->kind != If_kind) return false;
  expr_ty test = node->v.If.test;
  const bool is_attribute = test->kind == Attribute_kind;
  expr_ty name = is_attribute ? test->v.Attribute.value : test;
  if (name->kind != Name_kind) return false;
  const SymbolId id = scopes_.find_here(0, name->v.Name.id);
  if (id == kNone || scopes_.symbol(id).first == kNone ||
      scopes_.symbol(id).first != scopes_.symbol(id).last)
    return false;
  const Binding& only = scopes_.binding(scopes_.symbol(id).first);
  const bool is_it = only.in_body && only.surface != nullptr &&
                     only.surface->surface().name == "typing" &&
                     (is_attribute ? only.kind == BindingKind::kModule &&
                                         python::text_of(test->v.Attribute.attr) == "TYPE_CHECKING"
                                   : only.kind == BindingKind::kForeign &&
                                         python::text_of(only.attribute) == "TYPE_CHECKING");
  return is_it && std::ranges::all_of(items(node->v.If.body), [](stmt_ty one) {
           return one->kind == Import_kind || one->kind == ImportFrom_kind ||
                  one->kind == Pass_kind;
         });
}

// Asked for every name that is read, so it is worked out once for each.
const BoundTo& Judge::bound_to(SymbolId id) {
  const auto [found, is_new] = bound_to_.try_emplace(id);
  if (is_new) {
    BoundTo& to = found->second;
    to.is_for_type_checkers = !never_run_.empty() && scopes_.symbol(id).first != kNone;
    scopes_.for_each_binding(id, [&](const Binding& one) {
      to.is_module =
          to.is_module || one.kind == BindingKind::kModule || one.kind == BindingKind::kPackage;
      to.is_class =
          to.is_class || one.kind == BindingKind::kForeign || one.kind == BindingKind::kClass;
      to.is_for_type_checkers = to.is_for_type_checkers &&
                                std::ranges::find(never_run_, one.statement) != never_run_.end();
    });
  }
  return found->second;
}

void Judge::visit_slice(expr_ty node) {
  ++slices_;
  visit(node);
  --slices_;
}

void Judge::pattern(pattern_ty node) {
  dispatch(*this, kPatterns, node, "pattern");
}

// Both passes open scopes in the same order, so the next scope is the next number.
void Judge::open_scope(ScopeKind, const void*) {
  scope_ = next_scope_++;
}

void Judge::close_scope() {
  scope_ = scopes_.scope(scope_).parent;
}

void Judge::parameter(arg_ty one, expr_ty, std::size_t) {
  judge_binding(*this, one->arg, place_of(one));
}

void Judge::handler(excepthandler_ty node) {
  if (node->v.ExceptHandler.name != nullptr)
    judge_binding(*this, node->v.ExceptHandler.name, place_of(node));
}

void Judge::generator(comprehension_ty part) {
  if (part->is_async != 0) {
    report(RuleCode::kForbiddenSyntax, place_of(part->iter), "async for",
           "'async for' in a comprehension is not allowed: there is no event loop to run it",
           "Use a plain 'for'.");
  }
}

void Judge::unknown(const char* family, int kind, Place place) {
  report(RuleCode::kForbiddenSyntax, place, family,
         "This kind of " + std::string(family) + " (number " + std::to_string(kind) +
             ") is not known to this version of the scanner, and what is not known is refused",
         "Write it with older syntax.");
}

}  // namespace airlock::vet

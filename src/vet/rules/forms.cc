// Statements that have no place in the policy, whatever is in them.
#include <string>

#include "vet/rules/judge.h"

namespace airlock::vet {

namespace {

void refuse_async(Judge& judge, Place place, const char* what) {
  judge.report(RuleCode::kForbiddenSyntax, place, what,
               std::string("'") + what + "' is not allowed: there is no event loop to run it",
               "Use the plain form without async.");
}

}  // namespace

void judge_async(Judge& judge, stmt_ty node) {
  if (node->kind == AsyncFunctionDef_kind) {
    judge_binding(judge, node->v.AsyncFunctionDef.name, place_of(node));
    // The signature stage has better words for an `extract` that is a coroutine.
    const bool is_extract =
        judge.scope() == 0 && python::text_of(node->v.AsyncFunctionDef.name) == "extract";
    if (!is_extract) refuse_async(judge, place_of(node), "async def");
  } else {
    refuse_async(judge, place_of(node), node->kind == AsyncFor_kind ? "async for" : "async with");
  }
  judge.children(node);
}

void judge_async_expression(Judge& judge, expr_ty node) {
  refuse_async(judge, place_of(node), "await");
  judge.children(node);
}

// CPython 3.11 trusts what split() of an exception group returns; a class of one's own may return
// anything from it.
void judge_try_star(Judge& judge, stmt_ty node) {
  judge.report(RuleCode::kForbiddenSyntax, place_of(node), "except*",
               "'except*' is not allowed: an exception group that lies about its parts corrupts "
               "memory in this interpreter",
               "Use 'except'.");
  judge.children(node);
}

void judge_declaration(Judge& judge, stmt_ty node) {
  const auto names =
      node->kind == Global_kind ? items(node->v.Global.names) : items(node->v.Nonlocal.names);
  for (PyObject* name : names) judge_binding(judge, name, place_of(node));
}

}  // namespace airlock::vet

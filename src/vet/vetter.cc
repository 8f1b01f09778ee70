#include "vet/vetter.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "python/guest_code.h"
#include "vet/facts/binder.h"
#include "vet/reading.h"
#include "vet/rules/judge.h"
#include "vet/suggestions.h"

namespace airlock::vet {

namespace {

// More than anyone reads; a hostile file must not make a report without end.
constexpr std::size_t kMaxFindings = 500;

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings,
                             [](const Finding& one) { return one.severity == Severity::kError; });
}

void add(std::vector<Finding>& findings, RuleCode code, Place place, std::string item,
         std::string message, std::string suggestion) {
  const Rule& row = rule(code);
  findings.push_back(
      {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)});
}

// Stable and by rule at the same place, so that two runs over one text print the same.
void sort_by_place(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, [](const Finding& one) {
    return std::tuple(one.place.line, one.place.column, one.place.end_line, one.place.end_column,
                      one.rule->code);
  });
}

void cap(std::vector<Finding>& findings) {
  if (findings.size() <= kMaxFindings) return;
  const std::size_t more = findings.size() - kMaxFindings;
  findings.resize(kMaxFindings);
  findings.back().message += " (and " + std::to_string(more) + " more findings after this one)";
}

// The compiler finds a few mistakes that nothing before it does.
Stage compile(Reading& reading, std::uint32_t piece, std::vector<Finding>& findings,
              std::string& compiled) {
  auto done = piece == 0 ? python::compile_tree(*reading.tree, reading.code)
                         : python::compile_piece(*reading.tree, reading.code, piece);
  if (auto* bytes = std::get_if<std::string>(&done)) {
    compiled = std::move(*bytes);
    return Stage::kComplete;
  }
  const auto& said = std::get<python::SyntaxProblem>(done);
  add(findings, RuleCode::kSyntaxError, said.place, said.type, said.message,
      suggest(said, reading.code));
  return Stage::kSyntax;
}

// The stages that read the tree, in order; each stops the next when it found an error.
Stage judge_tree(Reading& reading, const PolicyIndex& policy, Stages stages, Verdict& verdict) {
  std::vector<Finding>& findings = verdict.findings;
  const mod_ty module = reading.tree->module();
  if (items(module->v.Module.body).empty() && stages.signature) {
    add(findings, RuleCode::kNoCode, Place{1, 0, 1, 0}, "source",
        "No code found in the answer: there are only comments",
        "Answer with one Python code block that defines extract(path).");
    return Stage::kSyntax;
  }
  // The binder runs in any case: its depth limit protects the passes after it, which recurse.
  const Bound bound = bind(module, policy);
  verdict.has_sets = bound.has_sets;
  if (bound.too_deep) {
    add(findings, RuleCode::kTooDeep, *bound.too_deep, "nesting",
        "The code is nested deeper than " + std::to_string(policy.policy().limits.tree_depth) +
            " levels here",
        "Use a loop, a table or helper functions; long chains of 'elif' or '+' are nested too.");
    return Stage::kSyntax;
  }
  for (const CompileProblem& problem : bound.problems) {
    const python::SyntaxProblem said{"SyntaxError", problem.message, problem.place};
    add(findings, RuleCode::kSyntaxError, problem.place, "SyntaxError", problem.message,
        suggest(said, reading.code));
  }
  if (has_error(findings)) return Stage::kSyntax;
  // With that grant the kernel's walls are all there is, and the policy says so.
  if (stages.security && !policy.policy().has_grant(kAnyPython)) {
    // Names of ASCII alone are never look-alikes: the walk over all names is saved for most files.
    const bool is_wide = judge_characters(reading.code, findings);
    if (is_wide) judge_lookalikes(module, policy, findings);
    Judge judge(policy, bound.scopes, reading.code, findings);
    judge.run(module);
    if (has_error(findings)) return Stage::kSecurity;
  }
  if (stages.signature) {
    judge_signature(module, bound.scopes, findings);
    if (has_error(findings)) return Stage::kSignature;
  }
  return stages.compile ? compile(reading, stages.piece, findings, verdict.compiled)
                        : Stage::kComplete;
}

}  // namespace

Verdict Vetter::vet(std::string_view raw, Stages stages, TextKind kind) const {
  Reading reading = read_source(raw, policy_.policy().limits, kind);
  Verdict verdict;
  verdict.findings = std::move(reading.findings);
  verdict.stage = reading.tree ? judge_tree(reading, policy_, stages, verdict) : Stage::kSyntax;
  // Accepted only at the very end: every way out of judge_tree() before it is a refusal.
  verdict.decision = verdict.stage == Stage::kComplete ? Decision::kAccepted : Decision::kRefused;
  sort_by_place(verdict.findings);
  cap(verdict.findings);
  verdict.code = std::move(reading.code);
  verdict.lines = std::move(reading.lines);
  return verdict;
}

}  // namespace airlock::vet

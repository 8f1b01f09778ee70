// One pass: infer rules from the samples, leave out what the person ignores, see what recipes can
// compute, choose rule or program, write the prompt. Nothing is sent and nothing is run.
#include "wizard/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "engine/paths/infer_paths.h"
#include "rules/infer/rule_text.h"
#include "wizard/prompts.h"

namespace airlock::wizard {

namespace {

// Of each detected field, on the screen of patterns: how many values, and characters of each.
constexpr std::size_t kShownExamples = 3;
constexpr std::size_t kLongestExample = 40;

PathList as_list(const std::vector<std::string>& samples) {
  PathList list;
  for (const std::string& path : samples) list.add(path);
  list.seen = samples.size();
  return list;
}

// A field is known again by rule, name and place: an analysis after a new hint may find others.
bool is_ignored(const std::vector<PatternRow>& patterns, const rules::InferredRule& rule,
                const rules::InferredField& field) {
  return std::ranges::any_of(patterns, [&](const PatternRow& row) {
    return !row.keep && row.field == field.name && row.from == field.from && row.rule == rule.name;
  });
}

PatternRow row_of(const rules::InferredRule& rule, const rules::InferredField& field, bool keep) {
  PatternRow row;
  row.field = field.name;
  row.from = field.from;
  row.rule = rule.name;
  row.what = std::string(rules::name_of(field.what));
  for (std::size_t i = 0; i < field.examples.size() && i < kShownExamples; ++i)
    row.examples += (i == 0 ? "" : ", ") + field.examples[i].substr(0, kLongestExample);
  row.keep = keep;
  return row;
}

// "client" → "client", "Mission Telemetry" → "mission_telemetry": what an extractor may be called.
std::string name_from(std::string_view title) {
  std::string name;
  for (const char c : title) {
    if (is_alnum(c)) {
      name += lower(c);
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  constexpr std::size_t kLongestName = 40;
  if (name.size() > kLongestName) name.resize(kLongestName);
  const bool begins_well = !name.empty() && is_lower(name.front());
  return begins_well ? name : "paths_" + name;
}

// A rule that takes the place of a program says at its top what it does not do.
std::vector<std::string> fallback_comments(const std::vector<std::string>& computed) {
  std::string names;
  for (const std::string& name : computed) names += (names.empty() ? "" : "/") + name;
  if (names.empty()) return {};
  return {"NOTE: " + names + " computation not possible"};
}

class Analyzer {
 public:
  Analyzer(const AnalysisRequest& request, const Policy& policy)
      : request_(request), policy_(policy) {}

  Result<Analysis> run() {
    auto report = TRY(infer_from_paths(as_list(request_.samples),
                                       {.hint = request_.hint, .name = request_.name}));
    report_ = std::move(report);
    take_fields();
    take_computed();
    choose();
    write_prompt();
    return std::move(analysis_);
  }

 private:
  void take_fields() {
    Analyzed& event = analysis_.event;
    // The text of inference has comments that rule_file_text() does not write: it is kept as it is
    // unless the person ignores a field.
    bool is_changed = false;
    for (const RuleCoverage& one : report_.rules) {
      rules::InferredRule kept = one.rule;
      for (const rules::InferredField& field : one.rule.fields) {
        const bool keep = !is_ignored(request_.patterns, one.rule, field);
        event.patterns.push_back(row_of(one.rule, field, keep));
        is_changed = is_changed || !keep;
      }
      std::erase_if(kept.fields, [&](const rules::InferredField& field) {
        return is_ignored(request_.patterns, one.rule, field);
      });
      rules_.push_back(std::move(kept));
    }
    event.yaml = is_changed ? rules::rule_file_text(rules_, {}) : report_.yaml;
    event.confidence = report_.confidence;
    event.evidence = report_.evidence;
    // In the wizard a hint is a key, not a flag.
    if (report_.unnamed > 0)
      event.evidence.back() = named_by_class_alone(report_.unnamed) + ": a hint can name more";
    event.notes = report_.notes;
    event.suggested_name =
        report_.rules.empty() ? "paths" : name_from(report_.rules.front().rule.name);
  }

  // Recipes are tried on every layout; what several layouts say alike is said once.
  void take_computed() {
    for (const rules::InferredRule& rule : rules_) {
      ProgramLayout layout{rule, compute_for(request_.hint, rule, request_.samples)};
      for (const ComputedPart& part : layout.computation.parts)
        for (const std::string& output : part.outputs) add_once(analysis_.event.computed, output);
      for (const std::string& note : layout.computation.notes)
        add_once(analysis_.event.notes, note);
      for (const std::string& missing : layout.computation.missing)
        add_once(analysis_.missing, missing);
      analysis_.layouts.push_back(std::move(layout));
    }
  }

  // A rule unless a program is needed: because inference says so, or because the hint asks for
  // fields that only a recipe can compute. The rule is kept as the fallback in either case.
  void choose() {
    Analyzed& event = analysis_.event;
    const bool is_computed = asks_for_computed(request_.hint);
    const bool is_python = report_.choice.kind == OutputChoice::Kind::kPython || is_computed;
    event.choice = is_python ? OutputKind::kPython : OutputKind::kYaml;
    if (!is_python) return;
    // When nothing fits that is an error, and assemble_program() says it.
    if (!event.computed.empty())
      for (const std::string& missing : analysis_.missing)
        event.notes.push_back("Left out, because there is no such field: " + missing + ".");
    if (report_.choice.kind == OutputChoice::Kind::kPython) event.reasons = report_.choice.reasons;
    if (event.reasons.empty()) event.reasons.emplace_back("the hint asks for computed fields");
    event.yaml = rules::rule_file_text(rules_, fallback_comments(event.computed));
    // A hint that a recipe understood was understood.
    if (is_computed) std::erase(event.notes, kHintNotUnderstood);
  }

  // `outgoing` is the prompt to the letter: what is shown for consent is what is sent.
  void write_prompt() {
    const FirstPrompt first = first_prompt(
        {.policy = policy_, .hint = request_.hint, .paths = request_.samples, .rules = rules_});
    analysis_.prompt = first.prompt;
    analysis_.event.outgoing = fmt::format("{}\n\n{}", first.prompt.system, first.prompt.user);
    analysis_.event.outgoing_paths = first.paths;
    analysis_.event.redactions = first.redactions;
  }

  static void add_once(std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  }

  const AnalysisRequest& request_;
  const Policy& policy_;
  InferReport report_;
  std::vector<rules::InferredRule> rules_;
  Analysis analysis_;
};

}  // namespace

Result<Analysis> analyze(const AnalysisRequest& request, const Policy& policy) {
  return Analyzer(request, policy).run();
}

Result<std::string> assemble_program(const Analysis& analysis, bool wants_computed) {
  if (wants_computed && analysis.event.computed.empty()) {
    std::string why = "The hint asks for something computed, and no recipe fits.";
    for (const std::string& missing : analysis.missing) why += "\n" + missing + ".";
    return fail(why + "\nAirlock itself can compute " + recipe_names() + ".");
  }
  return write_python(analysis.layouts);
}

}  // namespace airlock::wizard

// A WizardState for every phase, as the wizard fills them; for tests and for looking at screens.
#pragma once

#include <string>
#include <vector>

#include "wizard/prompts.h"
#include "wizard/wizard_state.h"

namespace airlock::tui {

struct NamedState {
  std::string name;
  wizard::WizardState state;
};

inline constexpr const char* kTestPython = R"text(import re
from pathlib import PurePosixPath

QUARTER = re.compile(r"Q([1-4])")


def extract(path: str) -> dict:
    """Client, year and quarter of a report, with the quarter's months."""
    parts = PurePosixPath(path).parts
    quarter = int(QUARTER.fullmatch(parts[-2]).group(1))
    return {
        "client_id": parts[-4].removeprefix("CLIENT-"),
        "year": int(parts[-3]),
        "quarter": quarter,
        "start_month": 3 * quarter - 2,  # January is 1
        "end_month": 3 * quarter,
    }
)text";

inline constexpr const char* kTestYaml = R"text(version: 1
rules:
  - name: "Client reports"
    glob: "**/CLIENT-*/*/Q*/*.csv"
    extract:
      client_id:
        from: segment(-4)
        pattern: "CLIENT-(.*)"
      year:
        from: segment(-3)
        type: integer
      quarter:
        from: segment(-2)
        pattern: "Q(\\d)"
        # NOTE: start_month/end_month computation not possible
)text";

inline wizard::WizardState state_in(wizard::Phase phase) {
  using wizard::PatternRow;
  wizard::WizardState state;
  state.phase = phase;
  state.samples = {"/data/CLIENT-ABC/2024/Q1/report.csv", "/data/CLIENT-XYZ/2024/Q2/data.csv",
                   "/data/CLIENT-ABC/2023/Q4/summary.csv", "/data/CLIENT-DEF/2023/Q3/figures.csv",
                   "/data/CLIENT-XYZ/2022/Q1/totals.csv"};
  state.name = "client_reports";
  state.text = kTestYaml;
  state.confidence = 92;
  state.evidence = {"5 paths, one layout: every path has 6 segments",
                    "year: 4 digits between 2022 and 2024 in all 5 paths"};
  state.patterns = {
      PatternRow{"client_id", "segment(-4)", "prefix + id", "ABC, XYZ, DEF", "Client reports",
                 true},
      PatternRow{"year", "segment(-3)", "number of 4 digits", "2022, 2023, 2024", "Client reports",
                 true},
      PatternRow{"quarter", "segment(-2)", "enumeration", "Q1, Q2, Q3, Q4", "Client reports",
                 false},
      PatternRow{"file", "filename", "free text", "report.csv, data.csv", "Client reports", true}};
  return state;
}

// What the texts above really give for the samples.
inline void add_preview(wizard::WizardState& state, bool has_months) {
  const char* clients[] = {"ABC", "XYZ", "ABC", "DEF", "XYZ"};
  const char* years[] = {"2024", "2024", "2023", "2023", "2022"};
  const int quarters[] = {1, 2, 4, 3, 1};
  for (std::size_t i = 0; i < state.samples.size(); ++i) {
    std::string data = std::string(R"({"client_id":")") + clients[i] + R"(","year":)" + years[i] +
                       R"(,"quarter":)" + std::to_string(quarters[i]);
    if (has_months)
      data += R"(,"start_month":)" + std::to_string(3 * quarters[i] - 2) + R"(,"end_month":)" +
              std::to_string(3 * quarters[i]);
    state.preview.push_back({state.samples[i], true, data + "}"});
  }
  state.passed = state.samples.size();
}

inline wizard::WizardState python_state(wizard::Phase phase) {
  wizard::WizardState state = state_in(phase);
  state.output = OutputKind::kPython;
  state.author = wizard::Author::kModel;
  state.model = "ollama llama3.2 at http://localhost:11434";
  state.text = kTestPython;
  state.hint = "Quarter folder should compute start/end month";
  state.reasons = {"the hint asks for a computed field: start/end"};
  state.confidence = 0;
  state.evidence.clear();
  return state;
}

inline wizard::WizardState generating_state(wizard::Phase phase) {
  wizard::WizardState state = python_state(phase);
  state.progress = {.stage = Stage::kSandbox, .done = 3, .total = 5};
  state.attempts = {
      {.number = 1,
       .author = wizard::Author::kModel,
       .stage = Stage::kSecurity,
       .error = "line 1: import of 'os' is not allowed; use pathlib.PurePosixPath\nand more"}};
  state.retries_left = 2;
  state.tokens = 1834;
  return state;
}

inline wizard::WizardState python_result_state() {
  wizard::WizardState state = python_state(wizard::Phase::kPythonResult);
  add_preview(state, true);
  state.mean_ms = 2.3;
  state.draft = "1a2b3c4d";
  state.attempts = generating_state(wizard::Phase::kGenerating).attempts;
  state.attempts.push_back({.number = 2,
                            .author = wizard::Author::kModel,
                            .stage = Stage::kComplete,
                            .valid = true,
                            .repairs = {"added the missing import re"}});
  state.tokens = 3120;
  return state;
}

inline wizard::WizardState error_state() {
  wizard::WizardState state = python_state(wizard::Phase::kAnalysisError);
  state.problem.title = "AI could not generate a valid extractor after 3 attempts to correct it.";
  state.problem.stage = "sandbox test";
  state.problem.detail =
      "ValueError: invalid literal for int() with base 10: 'Q1'\nat line 12, in extract()\n"
      "  quarter = int(part)  # 'Q1' is not an integer";
  state.fallback = kTestYaml;
  state.offers_fallback = true;
  state.retries_left = 0;
  return state;
}

inline std::vector<NamedState> test_states() {
  using wizard::Phase;
  std::vector<NamedState> states;
  states.push_back({"analyzing", state_in(Phase::kAnalyzing)});

  wizard::WizardState consent = python_state(Phase::kConsent);
  const wizard::FirstPrompt first = wizard::first_prompt({
      .policy = *find_builtin_policy("extractor"),
      .hint = consent.hint,
      .paths = consent.samples,
      .rules = {},
  });
  consent.outgoing = first.prompt.system + "\n\n" + first.prompt.user;
  consent.outgoing_paths = first.paths;
  consent.redactions = first.redactions;
  states.push_back({"consent", consent});

  wizard::WizardState retry = generating_state(Phase::kRetryConsent);
  retry.progress = {};
  retry.attempts = {{.number = 1,
                     .author = wizard::Author::kModel,
                     .stage = Stage::kSandbox,
                     .error = error_state().problem.detail}};
  retry.retries_left = 3;
  retry.outgoing_retry = wizard::retry_text(
      Stage::kSandbox,
      "The extractor failed during test execution:\n"
      "  /data/CLIENT-ABC/2024/Q1/report.csv: ValueError: invalid literal for int() with base 10: "
      "'Q1'\n    at line 12, in extract()\n      quarter = int(part)",
      retry.samples);
  states.push_back({"retry_consent", retry});

  wizard::WizardState asking = generating_state(Phase::kGenerating);
  asking.progress = {.is_asking = true, .characters = 412};
  asking.attempts.clear();
  asking.retries_left = 3;
  states.push_back({"generating_asking", asking});
  wizard::WizardState waiting = asking;
  waiting.progress = {.is_asking = true, .note = "waiting 12 s: the server asked for it"};
  states.push_back({"generating_waiting", waiting});
  states.push_back({"generating", generating_state(Phase::kGenerating)});
  states.push_back({"regenerating", generating_state(Phase::kRegenerating)});

  wizard::WizardState yaml = state_in(Phase::kYamlResult);
  add_preview(yaml, false);
  yaml.mean_ms = 0.004;
  yaml.draft = "0badcafe";
  states.push_back({"yaml_result", yaml});
  wizard::WizardState unsure = yaml;
  unsure.confidence = 61;
  unsure.warnings = {"1 path returned empty dict (may be expected)",
                     "Field 'Q1' contains non-identifier character",
                     "year is the same in all paths but one"};
  unsure.name.clear();
  unsure.name_trouble = "a name is needed: letters, digits and _";
  states.push_back({"yaml_result_warnings", unsure});
  states.push_back({"python_result", python_result_state()});

  states.push_back({"patterns", state_in(Phase::kPatterns)});
  wizard::WizardState naming = state_in(Phase::kNaming);
  naming.name = "client reports";
  naming.name_trouble = "a name has letters, digits and _, and does not begin with a digit";
  states.push_back({"naming", naming});
  states.push_back({"hint", python_state(Phase::kHintInput)});
  states.push_back({"editing", python_state(Phase::kEditing)});

  wizard::WizardState edit_error = python_state(Phase::kEditError);
  edit_error.problem.title = "The edited text does not pass.";
  edit_error.problem.stage = "syntax check";
  edit_error.problem.detail = "line 3: '(' was never closed\n  print((1)\n       ^";
  states.push_back({"edit_error", edit_error});
  states.push_back({"analysis_error", error_state()});
  wizard::WizardState transport = error_state();
  transport.problem = {.title = "The model could not be asked.",
                       .stage = {},
                       .detail = "Ollama is not running at http://localhost:11434.",
                       .fix = "ollama serve",
                       .is_transport = true};
  transport.offers_fallback = false;
  states.push_back({"analysis_error_transport", transport});
  wizard::WizardState fallback = error_state();
  fallback.phase = Phase::kYamlFallback;
  fallback.fallback_lost = {"start_month", "end_month"};
  states.push_back({"yaml_fallback", fallback});
  states.push_back({"approving", python_state(Phase::kApproving)});
  wizard::WizardState approved = python_result_state();
  approved.phase = Phase::kApproved;
  approved.approved_version = 1;
  states.push_back({"approved", approved});
  states.push_back({"canceled", state_in(Phase::kCanceled)});
  states.push_back({"closed", state_in(Phase::kClosed)});
  return states;
}

}  // namespace airlock::tui

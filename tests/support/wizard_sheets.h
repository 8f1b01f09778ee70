// A sheet for every state, as the wizard fills them; for tests and for looking at screens.
#pragma once

#include <string>
#include <vector>

#include "wizard/prompts.h"
#include "wizard/sheet.h"

namespace airlock::tui {

struct NamedSheet {
  std::string name;
  wizard::Sheet sheet;
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

inline wizard::Sheet sheet_in(wizard::State state) {
  using wizard::PatternRow;
  wizard::Sheet sheet;
  sheet.state = state;
  sheet.samples = {"/data/CLIENT-ABC/2024/Q1/report.csv", "/data/CLIENT-XYZ/2024/Q2/data.csv",
                   "/data/CLIENT-ABC/2023/Q4/summary.csv", "/data/CLIENT-DEF/2023/Q3/figures.csv",
                   "/data/CLIENT-XYZ/2022/Q1/totals.csv"};
  sheet.name = "client_reports";
  sheet.text = kTestYaml;
  sheet.confidence = 92;
  sheet.evidence = {"5 paths, one layout: every path has 6 segments",
                    "year: 4 digits between 2022 and 2024 in all 5 paths"};
  sheet.patterns = {
      PatternRow{"client_id", "segment(-4)", "prefix + id", "ABC, XYZ, DEF", "Client reports",
                 true},
      PatternRow{"year", "segment(-3)", "number of 4 digits", "2022, 2023, 2024", "Client reports",
                 true},
      PatternRow{"quarter", "segment(-2)", "enumeration", "Q1, Q2, Q3, Q4", "Client reports",
                 false},
      PatternRow{"file", "filename", "free text", "report.csv, data.csv", "Client reports", true}};
  return sheet;
}

// What the texts above really give for the samples.
inline void add_preview(wizard::Sheet& sheet, bool has_months) {
  const char* clients[] = {"ABC", "XYZ", "ABC", "DEF", "XYZ"};
  const char* years[] = {"2024", "2024", "2023", "2023", "2022"};
  const int quarters[] = {1, 2, 4, 3, 1};
  for (std::size_t i = 0; i < sheet.samples.size(); ++i) {
    std::string data = std::string(R"({"client_id":")") + clients[i] + R"(","year":)" + years[i] +
                       R"(,"quarter":)" + std::to_string(quarters[i]);
    if (has_months)
      data += R"(,"start_month":)" + std::to_string(3 * quarters[i] - 2) + R"(,"end_month":)" +
              std::to_string(3 * quarters[i]);
    sheet.preview.push_back({sheet.samples[i], true, data + "}"});
  }
  sheet.passed = sheet.samples.size();
}

inline wizard::Sheet python_sheet(wizard::State state) {
  wizard::Sheet sheet = sheet_in(state);
  sheet.output = OutputKind::kPython;
  sheet.author = wizard::Author::kModel;
  sheet.model = "ollama llama3.2 at http://localhost:11434";
  sheet.text = kTestPython;
  sheet.hint = "Quarter folder should compute start/end month";
  sheet.reasons = {"the hint asks for a computed field: start/end"};
  sheet.confidence = 0;
  sheet.evidence.clear();
  return sheet;
}

inline wizard::Sheet generating_sheet(wizard::State state) {
  wizard::Sheet sheet = python_sheet(state);
  sheet.progress = {.stage = Stage::kSandbox, .done = 3, .total = 5};
  sheet.attempts = {
      {.number = 1,
       .author = wizard::Author::kModel,
       .stage = Stage::kSecurity,
       .error = "line 1: import of 'os' is not allowed; use pathlib.PurePosixPath\nand more"}};
  sheet.retries_left = 2;
  sheet.tokens = 1834;
  return sheet;
}

inline wizard::Sheet python_result_sheet() {
  wizard::Sheet sheet = python_sheet(wizard::State::kPythonResult);
  add_preview(sheet, true);
  sheet.mean_ms = 2.3;
  sheet.draft = "1a2b3c4d";
  sheet.attempts = generating_sheet(wizard::State::kGenerating).attempts;
  sheet.attempts.push_back({.number = 2,
                            .author = wizard::Author::kModel,
                            .stage = Stage::kComplete,
                            .valid = true,
                            .repairs = {"added the missing import re"}});
  sheet.tokens = 3120;
  return sheet;
}

inline wizard::Sheet error_sheet() {
  wizard::Sheet sheet = python_sheet(wizard::State::kAnalysisError);
  sheet.problem.title = "AI could not generate a valid extractor after 3 attempts to correct it.";
  sheet.problem.stage = "sandbox test";
  sheet.problem.detail =
      "ValueError: invalid literal for int() with base 10: 'Q1'\nat line 12, in extract()\n"
      "  quarter = int(part)  # 'Q1' is not an integer";
  sheet.fallback = kTestYaml;
  sheet.offers_fallback = true;
  sheet.retries_left = 0;
  return sheet;
}

inline std::vector<NamedSheet> test_sheets() {
  using wizard::State;
  std::vector<NamedSheet> sheets;
  sheets.push_back({"analyzing", sheet_in(State::kAnalyzing)});

  wizard::Sheet consent = python_sheet(State::kConsent);
  const wizard::FirstPrompt first = wizard::first_prompt({
      .policy = *find_builtin_policy("extractor"),
      .hint = consent.hint,
      .paths = consent.samples,
      .rules = {},
  });
  consent.outgoing = first.prompt.system + "\n\n" + first.prompt.user;
  consent.outgoing_paths = first.paths;
  consent.redactions = first.redactions;
  sheets.push_back({"consent", consent});

  wizard::Sheet retry = generating_sheet(State::kRetryConsent);
  retry.progress = {};
  retry.attempts = {{.number = 1,
                     .author = wizard::Author::kModel,
                     .stage = Stage::kSandbox,
                     .error = error_sheet().problem.detail}};
  retry.retries_left = 3;
  retry.outgoing_retry = wizard::retry_text(
      Stage::kSandbox,
      "The extractor failed during test execution:\n"
      "  /data/CLIENT-ABC/2024/Q1/report.csv: ValueError: invalid literal for int() with base 10: "
      "'Q1'\n    at line 12, in extract()\n      quarter = int(part)",
      retry.samples);
  sheets.push_back({"retry_consent", retry});

  wizard::Sheet asking = generating_sheet(State::kGenerating);
  asking.progress = {.is_asking = true, .characters = 412};
  asking.attempts.clear();
  asking.retries_left = 3;
  sheets.push_back({"generating_asking", asking});
  wizard::Sheet waiting = asking;
  waiting.progress = {.is_asking = true, .note = "waiting 12 s: the server asked for it"};
  sheets.push_back({"generating_waiting", waiting});
  sheets.push_back({"generating", generating_sheet(State::kGenerating)});
  sheets.push_back({"regenerating", generating_sheet(State::kRegenerating)});

  wizard::Sheet yaml = sheet_in(State::kYamlResult);
  add_preview(yaml, false);
  yaml.mean_ms = 0.004;
  yaml.draft = "0badcafe";
  sheets.push_back({"yaml_result", yaml});
  wizard::Sheet unsure = yaml;
  unsure.confidence = 61;
  unsure.warnings = {"1 path returned empty dict (may be expected)",
                     "Field 'Q1' contains non-identifier character",
                     "year is the same in all paths but one"};
  unsure.name.clear();
  unsure.name_trouble = "a name is needed: letters, digits and _";
  sheets.push_back({"yaml_result_warnings", unsure});
  sheets.push_back({"python_result", python_result_sheet()});

  sheets.push_back({"patterns", sheet_in(State::kPatterns)});
  wizard::Sheet naming = sheet_in(State::kNaming);
  naming.name = "client reports";
  naming.name_trouble = "a name has letters, digits and _, and does not begin with a digit";
  sheets.push_back({"naming", naming});
  sheets.push_back({"hint", python_sheet(State::kHintInput)});
  sheets.push_back({"editing", python_sheet(State::kEditing)});

  wizard::Sheet edit_error = python_sheet(State::kEditError);
  edit_error.problem.title = "The edited text does not pass.";
  edit_error.problem.stage = "syntax check";
  edit_error.problem.detail = "line 3: '(' was never closed\n  print((1)\n       ^";
  sheets.push_back({"edit_error", edit_error});
  sheets.push_back({"analysis_error", error_sheet()});
  wizard::Sheet transport = error_sheet();
  transport.problem = {.title = "The model could not be asked.",
                       .stage = {},
                       .detail = "Ollama is not running at http://localhost:11434.",
                       .fix = "ollama serve",
                       .is_transport = true};
  transport.offers_fallback = false;
  sheets.push_back({"analysis_error_transport", transport});
  wizard::Sheet fallback = error_sheet();
  fallback.state = State::kYamlFallback;
  fallback.fallback_lost = {"start_month", "end_month"};
  sheets.push_back({"yaml_fallback", fallback});
  sheets.push_back({"approving", python_sheet(State::kApproving)});
  wizard::Sheet approved = python_result_sheet();
  approved.state = State::kApproved;
  approved.approved_version = 1;
  sheets.push_back({"approved", approved});
  sheets.push_back({"canceled", sheet_in(State::kCanceled)});
  sheets.push_back({"closed", sheet_in(State::kClosed)});
  return sheets;
}

}  // namespace airlock::tui

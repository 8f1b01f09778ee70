// Everything that a screen of the wizard shows, as plain values. Text that comes from paths, models
// or programs is raw here; whoever displays it must make it printable first (base/printable.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/draft.h"
#include "model/finding.h"

namespace airlock::wizard {

enum class Phase : std::uint8_t {
  kAnalyzing,      // paths are being looked at
  kConsent,        // what would leave this machine, before the first question to a model
  kRetryConsent,   // what a retry would add, before it goes; for those who asked to see each
  kGenerating,     // the first try
  kRegenerating,   // another one that a person asked for
  kYamlResult,     // a rule that passed
  kPythonResult,   // a program that passed
  kPatterns,       // the detected fields: keep or ignore each
  kNaming,         // the name is being typed
  kHintInput,      // the hint is being typed
  kEditing,        // an editor has the terminal
  kEditError,      // what came back from it cannot be used
  kAnalysisError,  // no valid result; what to do now
  kYamlFallback,   // a simpler rule instead of the program that failed
  kApproving,
  kApproved,  // final
  kCanceled,  // final
  kClosed,    // final: given up after an error
};
inline constexpr std::size_t kPhaseCount = 18;

// "YAML_RESULT": in JSON and in the documents.
const char* to_string(Phase phase);
bool is_final(Phase phase);
// A rule or a program that passed.
bool is_result(Phase phase);
// Something goes on that nobody has to press a key for.
bool is_busy(Phase phase);

// Who wrote a text.
enum class Author : std::uint8_t { kInference, kTemplates, kModel, kPerson };
const char* to_string(Author author);

// One try at a valid text.
struct GenerationAttempt {
  std::size_t number = 1;
  Author author = Author::kInference;
  Stage stage = Stage::kSyntax;  // reached
  bool valid = false;
  bool is_repeat = false;                 // the same failure as the try before
  std::string error = {};                 // the first lines of what was wrong
  std::string retry = {};                 // what the model was told of it; empty: nothing
  std::vector<std::string> repairs = {};  // what was mended without asking
  double milliseconds = 0;
};

struct PreviewRow {
  std::string path;
  bool ok = false;
  std::string data = {};   // JSON object
  std::string error = {};  // "ValueError: …"
};

// A field that inference found, to keep or to ignore.
struct PatternRow {
  std::string field;
  std::string from;      // "segment(-3)"
  std::string what;      // "date", "number of 4 digits"
  std::string examples;  // "2024, 2023"
  std::string rule;      // which layout it belongs to
  bool keep = true;
};

// Where the work stands.
struct WizardProgress {
  Stage stage = Stage::kSyntax;  // the one at work
  std::size_t done = 0;          // sample paths
  std::size_t total = 0;
  bool is_asking = false;      // the model, or what writes the text, is at work; no stage is yet
  std::size_t characters = 0;  // of its answer so far
  std::string note = {};       // "waiting 12 s: the server asked for it"
};

struct WizardProblem {
  std::string title;          // "AI could not generate a valid extractor after …"
  std::string stage;          // "sandbox test"; empty: it was no stage
  std::string detail;         // several lines
  std::string fix;            // may be empty
  bool is_transport = false;  // the model could not be asked; nothing was spent
  bool is_isolation = false;  // this host cannot give the walls; nothing was run
};

struct WizardState {
  Phase phase = Phase::kAnalyzing;
  std::vector<std::string> samples;
  std::string hint;
  std::string name;
  std::string name_trouble = {};  // why Enter does not approve yet; empty: it does
  OutputKind output = OutputKind::kYaml;
  std::string text = {};  // of the result, or the last one that failed
  Author author = Author::kInference;
  double confidence = 0;                   // of inference, 0 … 100
  std::vector<std::string> evidence = {};  // of that confidence
  std::vector<std::string> reasons = {};   // for Python instead of a rule
  std::vector<std::string> notes = {};     // what a person should know
  std::vector<std::string> warnings = {};  // of the result; they do not block
  std::vector<PatternRow> patterns = {};
  std::vector<PreviewRow> preview = {};
  std::size_t passed = 0;
  double mean_ms = 0;  // a path
  std::vector<GenerationAttempt> attempts = {};
  std::vector<std::string> set_aside = {};  // samples that the rule is not about
  std::size_t retries_left = 3;
  std::size_t transport_failures = 0;  // in all
  WizardProgress progress = {};
  WizardProblem problem = {};
  bool offers_fallback = false;                 // after this failure
  std::string fallback = {};                    // the simpler rule, where it can be offered
  std::vector<std::string> fallback_lost = {};  // what it cannot give
  std::string draft = {};                       // its id
  std::string model = {};                       // who would be asked; empty: no model
  std::string outgoing = {};        // what would leave this machine: the whole first prompt
  std::string outgoing_retry = {};  // what the next retry would add to it
  std::size_t outgoing_paths = 0;   // how many paths are in it
  std::size_t redactions = 0;       // secrets and names of users that were taken out of it
  std::int64_t approved_version = 0;
  std::int64_t tokens = 0;  // used so far
};

}  // namespace airlock::wizard

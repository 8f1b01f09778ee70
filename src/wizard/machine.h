// The wizard's state machine: events in, effects out. It reads no file, asks no model and has no
// clock, so every transition can be tested from a table. Session (session.h) runs the effects.
//
//   ANALYZING ─▶ YAML_RESULT | CONSENT | GENERATING | ANALYSIS_ERROR
//   GENERATING, REGENERATING ─▶ PYTHON_RESULT | YAML_RESULT | ANALYSIS_ERROR
//   GENERATING, REGENERATING ◀─▶ RETRY_CONSENT, if each retry is to be seen before it is sent
//   a result ─▶ APPROVING ─▶ APPROVED; or back to work by hint, edit, name, patterns, regenerate
//
// Invariants:
// (1) At most one effect is in progress. An event that has no meaning in the current phase changes
//     nothing; in a final phase every event is ignored.
// (2) Esc leaves every phase, except while an editor is open or an approval is being stored, and in
//     final phases. A phase that waits for an effect gets an event for its failure too.
// (3) A result that was valid is not lost by later work: Esc restores it (state_before_).
// (4) Nothing is sent to a model before consent: a key, a flag or the configuration.
//
// Retries: one first attempt and kRetries more, shared by all stages. A request that failed on its
// way to the model does not use one up.
//
// Not thread-safe: one thread calls handle().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "llm/model.h"
#include "wizard/wizard_state.h"

namespace airlock::wizard {

// After the first attempt; `wizard.retries` in the settings overrides it.
inline constexpr std::size_t kRetries = 3;
inline constexpr std::size_t kLongestHint = 500;   // characters
inline constexpr std::size_t kTransportTries = 3;  // of one question

// What a person can ask for. Which of them mean something depends on the state: keys_of().
enum class WizardKey : std::uint8_t {
  kEnter,
  kEscape,
  kHint,          // h
  kEdit,          // e
  kRegenerate,    // r
  kYaml,          // y
  kName,          // n
  kPatterns,      // p
  kWithoutModel,  // w: go on without the model
  kShow,          // s: send, and show each retry before it goes
  kAll,           // a: this retry and the others may go
};
inline constexpr std::size_t kWizardKeyCount = 11;

// A key that means something now, as the footer shows it.
struct KeyHelp {
  WizardKey key = WizardKey::kEnter;
  std::string_view cap;     // "Enter", "Esc", "h"
  std::string_view action;  // "Approve"
  std::string_view help;    // a sentence
};

// ---- events

struct KeyPressed {
  WizardKey key;
};
struct HintGiven {
  std::string text;
};
struct NameGiven {
  std::string text;
};
struct PatternsChosen {
  std::vector<bool> keep;
};  // one for each of WizardState::patterns
struct Progressed {
  WizardProgress progress;
};

// What analysis.h has found. `choice` is what the paths and the hint call for; the machine may
// still decide otherwise (is_unsure_, prefers_python).
struct Analyzed {
  OutputKind choice = OutputKind::kYaml;
  std::string yaml;  // what a rule can give
  double confidence = 0;
  std::vector<std::string> evidence = {};
  std::vector<std::string> reasons = {};  // for Python
  std::vector<std::string> notes = {};
  std::vector<PatternRow> patterns = {};
  std::vector<std::string> computed = {};  // fields that a rule cannot give
  std::string suggested_name = {};
  std::string outgoing = {};  // the first prompt
  std::size_t outgoing_paths = 0;
  std::size_t redactions = 0;
};
struct AnalysisFailed {
  std::string message;
  std::string fix;
};

// A text was written; it is not judged yet.
struct ProgramWritten {
  std::string text;
  Author author = Author::kTemplates;
  std::int64_t tokens = 0;
};
// The embedded templates have nothing for what was asked.
struct ProgramNotWritten {
  std::string message;
  std::string fix;
};
struct ModelFailed {
  llm::ModelFailure failure;
};

// The verdict on one text, from judge_attempt.h. `retry_context` is for the model and holds nothing
// that it was not shown; `problem` is for the person and may quote any path.
struct TextJudged {
  bool valid = false;
  Stage stage = Stage::kSyntax;
  std::string text;  // cleaned and repaired: what would be kept
  std::vector<std::string> repairs = {};
  std::string retry_context = {};  // of a program that is not valid
  std::string problem = {};        // the same for people, a few lines
  bool has_timed_out = false;
  std::vector<PreviewRow> preview = {};
  std::size_t passed = 0;
  double mean_ms = 0;
  double milliseconds = 0;
  std::vector<std::string> warnings = {};
  std::vector<std::string> set_aside = {};  // samples that the rule is not about
};
// It could not be judged: this host has no walls, or our own trouble. Nothing was run.
struct JudgeFailed {
  std::string message;
  bool is_isolation = false;
};

struct DraftKept {
  std::string id;
};
struct DraftNotKept {
  std::string message;
};

struct EditorClosed {
  std::string text;
};
struct EditorFailed {
  std::string message;
};

struct ApprovalDone {
  std::int64_t version = 1;
};
struct ApprovalFailed {
  std::string message;
  bool is_draft_gone = false;
};

using Event = std::variant<KeyPressed, HintGiven, NameGiven, PatternsChosen, Progressed, Analyzed,
                           AnalysisFailed, ProgramWritten, ProgramNotWritten, ModelFailed,
                           TextJudged, JudgeFailed, DraftKept, DraftNotKept, EditorClosed,
                           EditorFailed, ApprovalDone, ApprovalFailed>;

// ---- effects: at most one of them is at work at a time

struct Analyze {};     // WizardState::samples with WizardState::hint and WizardState::patterns
struct WriteProgram {  // a program
  Author author = Author::kTemplates;
  // What is added to the first prompt, as it goes out (wizard/prompts.h); empty: the first try.
  std::string retry = {};
  std::chrono::seconds wait{0};  // before it
};
struct JudgeText {
  OutputKind kind;
  std::string text;
  Author author;
};
struct KeepDraft {};  // WizardState::text
struct OpenEditor {
  OutputKind kind;
  std::string text;
};
struct Approve {};   // WizardState::draft under WizardState::name
struct StopWork {};  // whatever is at work; its event is not wanted any more

using Effect =
    std::variant<Analyze, WriteProgram, JudgeText, KeepDraft, OpenEditor, Approve, StopWork>;

struct WizardOptions {
  bool has_model = false;
  std::string model = {};      // who it is, for people
  bool has_consented = false;  // --send, or the configuration: no consent screen
  bool shows_retries = false;  // --show-retries: none goes before a person has seen it
  std::size_t retries = kRetries;
  bool prefers_python = false;  // --python
};

class Machine {
 public:
  Machine(std::vector<std::string> samples, std::string hint, std::string name,
          WizardOptions settings);

  // The first effects; once.
  std::vector<Effect> begin();
  // An event that means nothing in this state changes nothing.
  std::vector<Effect> handle(const Event& event);

  const WizardState& state() const { return state_; }

 private:
  friend struct Transition;  // machine.cc: one function for each kind of event

  WizardState state_;
  WizardOptions settings_;
  // What the machine knows and no screen shows.
  std::optional<WizardState> state_before_ = {};  // the result or error that Esc leads back to
  std::string last_failure_ = {};                 // of the try before
  std::string last_text_ = {};
  WriteProgram last_question_ = {};  // to ask again when a model could not be asked
  WriteProgram next_retry_ = {};     // waits for a person's consent, and where it goes on
  WizardProblem next_problem_ = {};
  Phase asking_phase_ = Phase::kGenerating;
  bool has_consented_ = false;
  bool shows_retries_ = false;
  bool is_model_off_ = false;    // the person went on without it
  bool needs_python_ = false;    // a hint raised it, and none lowers it
  bool has_computed_ = false;    // fields that a rule cannot give
  bool is_unsure_ = false;       // inference was below half
  bool is_all_security_ = true;  // of the failures of this round
  bool has_timed_out_ = false;   // one of them
  bool approves_when_kept_ = false;
  std::size_t round_failures_ = 0;
  std::size_t transport_tries_ = 0;  // of this question
};

// The keys that mean something, in the order in which to show them; Esc is always the last.
std::vector<KeyHelp> keys_of(const WizardState& state);

}  // namespace airlock::wizard

// The transitions of the machine: machine.h has its states and invariants. Read Transition::on()
// for the event that interests you; each is complete by itself.
#include "wizard/machine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "engine/approve/drafts.h"
#include "wizard/prompts.h"

namespace airlock::wizard {

namespace {

// In the order of Phase.
constexpr std::array<const char*, kPhaseCount> kPhaseNames = {
    "ANALYZING",      "CONSENT",       "RETRY_CONSENT", "GENERATING", "REGENERATING", "YAML_RESULT",
    "PYTHON_RESULT",  "PATTERNS",      "NAMING",        "HINT_INPUT", "EDITING",      "EDIT_ERROR",
    "ANALYSIS_ERROR", "YAML_FALLBACK", "APPROVING",     "APPROVED",   "CANCELED",     "CLOSED"};

// Per cent. Below it inference is a guess: a model is asked if there is one, else the person.
constexpr double kLeastConfidence = 50;
// A server that asks to wait longer than this is not waited for: the person decides.
constexpr std::chrono::seconds kLongestWait{60};
constexpr std::size_t kLongestFailure = 2000;  // bytes of an attempt's error

// What an editor opens when there is nothing yet.
constexpr std::string_view kSkeleton =
    "def extract(path: str) -> dict:\n"
    "    \"\"\"Read metadata from one path.\"\"\"\n"
    "    return {}\n";

// Where the person decides what happens next; Esc from a dialog leads back here.
bool waits_for_person(Phase phase) {
  return is_result(phase) || phase == Phase::kAnalysisError;
}

std::string plural(std::size_t count, std::string_view word, std::string_view words) {
  return std::to_string(count) + " " + std::string(count == 1 ? word : words);
}

std::string_view stage_title(Stage stage) {
  switch (stage) {
    case Stage::kSyntax:
      return "syntax check";
    case Stage::kSecurity:
      return "security scan";
    case Stage::kSignature:
      return "signature check";
    case Stage::kSandbox:
      return "sandbox test";
    case Stage::kComplete:
      break;
  }
  return "";
}

}  // namespace

const char* to_string(Phase phase) {
  return kPhaseNames.at(static_cast<std::size_t>(phase));
}

bool is_final(Phase phase) {
  return phase == Phase::kApproved || phase == Phase::kCanceled || phase == Phase::kClosed;
}

bool is_result(Phase phase) {
  return phase == Phase::kYamlResult || phase == Phase::kPythonResult;
}

bool is_busy(Phase phase) {
  return phase == Phase::kAnalyzing || phase == Phase::kGenerating ||
         phase == Phase::kRegenerating || phase == Phase::kApproving;
}

const char* to_string(Author author) {
  switch (author) {
    case Author::kInference:
      return "inference";
    case Author::kTemplates:
      return "templates";
    case Author::kModel:
      return "model";
    case Author::kPerson:
      break;
  }
  return "person";
}

// One event: one overload of on() for each kind. Each begins with a guard: an event that means
// nothing in this phase returns at once (invariant 1). `effects` is what the machine asks for; the
// caller runs them after the transition is complete, so they see the final state.
struct Transition {
  Machine& machine;
  WizardState& state = machine.state_;
  std::vector<Effect> effects = {};

  void go(Phase phase) { state.phase = phase; }

  // ---- work

  bool uses_model() const { return machine.settings_.has_model && !machine.is_model_off_; }

  // A new round: a first try and all retries.
  void reset_retries() { state.retries_left = machine.settings_.retries; }

  // What is known about the failures of one round. Retries are not part of it: a hint after an
  // error continues with those that are left.
  void reset_failures() {
    machine.last_failure_.clear();
    machine.last_text_.clear();
    machine.is_all_security_ = true;
    machine.has_timed_out_ = false;
    machine.round_failures_ = 0;
    machine.transport_tries_ = 0;
    state.offers_fallback = false;
    state.problem = {};
  }

  // Only states in which a person decides are worth returning to; a dialog opened from a dialog
  // leads back to where the first one was opened (invariant 3).
  void remember_state() {
    if (waits_for_person(state.phase)) machine.state_before_ = state;
  }

  // Back to where the person decided; without such a place the wizard ends.
  void restore_state() {
    if (!machine.state_before_) return go(Phase::kCanceled);
    WizardState back = *std::move(machine.state_before_);
    machine.state_before_.reset();
    // Going back does not undo what was spent.
    back.transport_failures = state.transport_failures;
    back.tokens = state.tokens;
    state = std::move(back);
  }

  // Hint, patterns and `r` all begin again from the paths: the analysis decides anew whether a rule
  // is enough.
  void analyze_again() {
    remember_state();
    reset_failures();
    state.progress = {};
    go(Phase::kRegenerating);
    effects.emplace_back(Analyze{});
  }

  void judge(OutputKind kind, std::string text, Author author) {
    state.progress = {};
    state.output = kind;
    state.author = author;
    effects.emplace_back(JudgeText{kind, std::move(text), author});
  }

  void ask(WriteProgram question) {
    state.progress = {};
    state.progress.is_asking = true;
    machine.last_question_ = question;
    effects.emplace_back(std::move(question));
  }

  // The one place where a first question to a model starts, and so the one that asks for consent
  // (invariant 4).
  void write_program() {
    if (uses_model() && !machine.has_consented_) {
      state.progress = {};
      return go(Phase::kConsent);
    }
    if (state.phase == Phase::kAnalyzing || state.phase == Phase::kConsent) go(Phase::kGenerating);
    machine.transport_tries_ = 0;
    ask({.author = uses_model() ? Author::kModel : Author::kTemplates});
  }

  // ---- errors

  void stop_at(WizardProblem problem) {
    state.problem = std::move(problem);
    state.progress = {};
    // A simpler rule is offered when it may be better than nothing: for lack of a computed field,
    // of confidence or of speed, or when every attempt was refused by the security scan. Not when
    // this host cannot run anything, since a rule is not what is missing then.
    state.offers_fallback =
        !state.fallback.empty() && !state.problem.is_isolation &&
        (machine.has_computed_ || machine.is_unsure_ || machine.has_timed_out_ ||
         (machine.round_failures_ > 0 && machine.is_all_security_));
    go(Phase::kAnalysisError);
  }

  void note_once(std::string note) {
    if (std::ranges::find(state.notes, note) == state.notes.end())
      state.notes.push_back(std::move(note));
  }

  // ---- events that people make

  void on(const KeyPressed& event) {
    const auto keys = keys_of(state);
    // The table of keys is the guard: what the footer does not show does nothing.
    if (std::ranges::find(keys, event.key, &KeyHelp::key) == keys.end()) return;
    switch (event.key) {
      case WizardKey::kEnter:
        return on_enter();
      case WizardKey::kEscape:
        return on_escape();
      case WizardKey::kHint:
        return open_dialog(Phase::kHintInput);
      case WizardKey::kName:
        return open_dialog(Phase::kNaming);
      case WizardKey::kPatterns:
        return open_dialog(Phase::kPatterns);
      case WizardKey::kEdit:
        return open_editor();
      case WizardKey::kRegenerate:
        return on_regenerate();
      case WizardKey::kYaml:
        return on_yaml();
      case WizardKey::kWithoutModel:
        return on_without_model();
      case WizardKey::kShow:
        machine.shows_retries_ = true;
        return on_enter();
      case WizardKey::kAll:
        machine.shows_retries_ = false;
        return send_retry();
    }
  }

  void open_dialog(Phase dialog) {
    remember_state();
    go(dialog);
  }

  void on_enter() {
    if (state.phase == Phase::kConsent) {
      machine.has_consented_ = true;
      return write_program();
    }
    if (state.phase == Phase::kRetryConsent) return send_retry();
    if (!state.name_trouble.empty()) return open_dialog(Phase::kNaming);
    approve();
  }

  // A draft may be missing: keeping it failed, or it expired while the wizard was open. Then it is
  // kept first, and DraftKept continues with the approval.
  void approve() {
    machine.state_before_ = state;
    state.problem = {};
    go(Phase::kApproving);
    if (state.draft.empty()) {
      machine.approves_when_kept_ = true;
      effects.emplace_back(KeepDraft{});
    } else {
      effects.emplace_back(Approve{});
    }
  }

  void on_escape() {
    switch (state.phase) {
      case Phase::kAnalyzing:
      case Phase::kGenerating:
      case Phase::kRegenerating:
        effects.emplace_back(StopWork{});
        return restore_state();
      case Phase::kPatterns:
      case Phase::kNaming:
      case Phase::kHintInput:
      case Phase::kEditError:
        return restore_state();
      // Esc here refuses the retry; the failure that the retry was for is shown instead.
      case Phase::kRetryConsent:
        return stop_at(machine.next_problem_);
      case Phase::kAnalysisError:
        return go(Phase::kClosed);
      default:
        return go(Phase::kCanceled);
    }
  }

  void on_regenerate() {
    // Starting over forgets "without model".
    machine.is_model_off_ = false;
    if (machine.settings_.has_model) state.model = machine.settings_.model;
    reset_retries();
    analyze_again();
  }

  // From the error: look at the rule. From the rule's own screen: take it, and judge it like any
  // other.
  void on_yaml() {
    if (state.phase == Phase::kAnalysisError) {
      remember_state();
      return go(Phase::kYamlFallback);
    }
    machine.is_unsure_ = false;
    reset_failures();
    go(Phase::kRegenerating);
    judge(OutputKind::kYaml, state.fallback, Author::kInference);
  }

  void on_without_model() {
    machine.is_model_off_ = true;
    state.model.clear();
    state.outgoing_retry.clear();
    if (state.phase == Phase::kConsent) return write_program();
    remember_state();
    reset_failures();
    go(Phase::kRegenerating);
    write_program();
  }

  // After an edit that failed the state before the first edit stays the one that Esc restores.
  void open_editor() {
    // From the offer of a rule it is the program that failed which is edited.
    if (state.phase != Phase::kEditError) remember_state();
    std::string text = state.text.empty() ? std::string(kSkeleton) : state.text;
    if (state.text.empty()) state.output = OutputKind::kPython;
    go(Phase::kEditing);
    effects.emplace_back(OpenEditor{state.output, std::move(text)});
  }

  void on(const HintGiven& event) {
    if (state.phase != Phase::kHintInput || count_code_points(event.text) > kLongestHint) return;
    // Asked before restore_state(), which forgets it.
    const bool was_error =
        machine.state_before_ && machine.state_before_->phase == Phase::kAnalysisError;
    restore_state();
    if (event.text == state.hint) return;
    // A hint raises to Python, and none lowers it; without any there is nothing that raises.
    if (event.text.empty()) machine.needs_python_ = false;
    // After an error a hint is good for one more try; after a result everything begins anew.
    if (!was_error) reset_retries();
    machine.state_before_ = state;
    state.hint = event.text;
    analyze_again();
  }

  void on(const NameGiven& event) {
    if (state.phase != Phase::kNaming) return;
    const std::string trouble = name_trouble(event.text);
    // A name that cannot be used keeps the dialog open, with the reason.
    if (trouble.empty()) restore_state();
    state.name = event.text;
    state.name_trouble = trouble;
  }

  void on(const PatternsChosen& event) {
    if (state.phase != Phase::kPatterns || event.keep.size() != state.patterns.size()) return;
    if (std::ranges::find(event.keep, true) == event.keep.end()) return;
    restore_state();
    bool is_changed = false;
    for (std::size_t i = 0; i < event.keep.size(); ++i)
      is_changed = is_changed || state.patterns[i].keep != event.keep[i];
    if (!is_changed) return;
    machine.state_before_ = state;
    for (std::size_t i = 0; i < event.keep.size(); ++i) state.patterns[i].keep = event.keep[i];
    reset_retries();
    analyze_again();
  }

  // ---- events that work makes

  void on(const Progressed& event) {
    if (is_busy(state.phase)) state.progress = event.progress;
  }

  void on(const Analyzed& event) {
    if (state.phase != Phase::kAnalyzing && state.phase != Phase::kRegenerating) return;
    state.confidence = event.confidence;
    state.evidence = event.evidence;
    state.reasons = event.reasons;
    state.notes = event.notes;
    state.patterns = event.patterns;
    state.fallback = event.yaml;
    state.fallback_lost = event.computed;
    state.outgoing = event.outgoing;
    state.outgoing_paths = event.outgoing_paths;
    state.redactions = event.redactions;
    if (state.name.empty()) state.name = event.suggested_name;
    state.name_trouble = name_trouble(state.name);
    machine.has_computed_ = event.choice == OutputKind::kPython;
    machine.needs_python_ = machine.needs_python_ || event.choice == OutputKind::kPython ||
                            machine.settings_.prefers_python;
    machine.is_unsure_ = event.confidence < kLeastConfidence;
    state.set_aside.clear();
    // Without confidence and without a model there is nobody to ask but the person.
    const bool is_guess = machine.is_unsure_ && !uses_model();
    if (!is_guess && (machine.needs_python_ || machine.is_unsure_)) {
      state.output = OutputKind::kPython;
      return write_program();
    }
    state.output = OutputKind::kYaml;
    if (is_guess) {
      state.text = event.yaml;
      return stop_at(
          {.title = "The paths do not say enough: whatever is written would be a guess.",
           .stage = {},
           .detail = "The confidence is " + std::to_string(static_cast<int>(event.confidence)) +
                     " % (50 are needed).",
           .fix = "Give more paths (--samples), or a hint that names what stands where."});
    }
    judge(OutputKind::kYaml, event.yaml, Author::kInference);
  }

  void on(const AnalysisFailed& event) {
    if (state.phase != Phase::kAnalyzing && state.phase != Phase::kRegenerating) return;
    stop_at({.title = "The paths could not be analysed.",
             .stage = {},
             .detail = event.message,
             .fix = event.fix});
  }

  bool is_writing() const {
    return state.phase == Phase::kGenerating || state.phase == Phase::kRegenerating;
  }

  void on(const ProgramWritten& event) {
    if (!is_writing()) return;
    machine.transport_tries_ = 0;
    state.text = event.text;
    state.tokens += event.tokens;
    judge(OutputKind::kPython, event.text, event.author);
  }

  void on(const ProgramNotWritten& event) {
    if (!is_writing()) return;
    stop_at({.title = "No program could be put together for this without a model.",
             .stage = {},
             .detail = event.message,
             .fix = event.fix});
  }

  static std::string transport_title(llm::Trouble trouble) {
    switch (trouble) {
      case llm::Trouble::kOverBudget:
        return "The budget for models is used up.";
      case llm::Trouble::kEmptyAnswer:
      case llm::Trouble::kBrokenAnswer:
      case llm::Trouble::kTooLong:
        return "The model's answer could not be used.";
      default:
        return "The model could not be asked.";
    }
  }

  void on(const ModelFailed& event) {
    if (!is_writing()) return;
    const llm::ModelFailure& failure = event.failure;
    if (failure.trouble != llm::Trouble::kOverBudget) ++state.transport_failures;
    ++machine.transport_tries_;
    const auto wait = failure.retry_after.value_or(
        // Doubling: 2 s, 4 s. What the server asks for goes before our own figure.
        std::chrono::seconds(std::size_t{1} << machine.transport_tries_));
    if (failure.is_worth_another_try && machine.transport_tries_ < kTransportTries &&
        wait <= kLongestWait) {
      WriteProgram again = machine.last_question_;
      again.wait = wait;
      ask(std::move(again));
      note_once(failure.message);
      return;
    }
    stop_at({.title = transport_title(failure.trouble),
             .stage = {},
             .detail = failure.message,
             .fix = failure.fix,
             .is_transport = true});
  }

  void note_attempt(const TextJudged& event) {
    GenerationAttempt attempt{
        .number = state.attempts.size() + 1,
        .author = state.author,
        .stage = event.stage,
        .valid = event.valid,
        .is_repeat = false,
        .error = event.valid ? std::string() : event.problem.substr(0, kLongestFailure),
        .repairs = event.repairs,
        .milliseconds = event.milliseconds};
    if (!event.valid && state.author == Author::kModel) {
      // Told to the person: more retries are unlikely to help.
      attempt.is_repeat =
          !machine.last_failure_.empty() &&
          (event.problem == machine.last_failure_ || event.text == machine.last_text_);
      if (attempt.is_repeat)
        note_once(event.text == machine.last_text_ ? "The model gave the same answer again."
                                                   : "The model made the same mistake again.");
      machine.last_failure_ = event.problem;
      machine.last_text_ = event.text;
    }
    state.attempts.push_back(std::move(attempt));
  }

  void on(const TextJudged& event) {
    if (!is_writing() && state.phase != Phase::kAnalyzing) return;
    note_attempt(event);
    state.text = event.text;
    if (event.valid) return accept(event);
    if (state.author == Author::kPerson) return refuse_edit(event);
    ++machine.round_failures_;
    machine.is_all_security_ = machine.is_all_security_ && event.stage == Stage::kSecurity;
    machine.has_timed_out_ = machine.has_timed_out_ || event.has_timed_out;
    WizardProblem problem{.title = failure_title(),
                          .stage = std::string(stage_title(event.stage)),
                          .detail = event.problem,
                          .fix = {}};
    // Only a model can be asked again; templates and inference would write the same text.
    if (state.author != Author::kModel || state.retries_left == 0)
      return stop_at(std::move(problem));
    machine.next_retry_ = {
        .author = Author::kModel,
        .retry = retry_text(event.stage, event.retry_context, sent_paths(state.samples))};
    machine.next_problem_ = std::move(problem);
    machine.asking_phase_ = state.phase;
    if (!machine.shows_retries_) return send_retry();
    state.outgoing_retry = machine.next_retry_.retry;
    state.progress = {};
    go(Phase::kRetryConsent);
  }

  // What goes is what was shown, to the letter.
  void send_retry() {
    --state.retries_left;
    state.outgoing_retry.clear();
    if (!state.attempts.empty()) state.attempts.back().retry = machine.next_retry_.retry;
    go(machine.asking_phase_);
    ask(machine.next_retry_);
  }

  std::string failure_title() const {
    if (state.author == Author::kModel) {
      // The first failure is the first attempt; all others were corrections.
      const std::size_t corrections = machine.round_failures_ - 1;
      if (corrections == 0) return "AI could not generate a valid extractor.";
      return "AI could not generate a valid extractor after " +
             plural(corrections, "attempt", "attempts") + " to correct it.";
    }
    return state.output == OutputKind::kYaml ? "The rule does not fit the sample paths."
                                             : "The program that was put together does not pass.";
  }

  // The phase changes only when the draft is kept or could not be (show_result), so that a result
  // on the screen can be approved at once.
  void accept(const TextJudged& event) {
    state.preview = event.preview;
    state.passed = event.passed;
    state.mean_ms = event.mean_ms;
    state.warnings = event.warnings;
    state.problem = {};
    state.set_aside = event.set_aside;
    state.draft.clear();
    state.progress = {};
    state.progress.stage = Stage::kComplete;
    effects.emplace_back(KeepDraft{});
  }

  void refuse_edit(const TextJudged& event) {
    state.problem = {.title = "The edited text does not pass.",
                     .stage = std::string(stage_title(event.stage)),
                     .detail = event.problem,
                     .fix = "Edit it again, or press Esc to go back to what was there before."};
    go(Phase::kEditError);
  }

  void on(const JudgeFailed& event) {
    if (!is_writing() && state.phase != Phase::kAnalyzing) return;
    stop_at(
        {.title = event.is_isolation ? "Nothing was run: this host cannot give the walls."
                                     : "The text could not be judged.",
         .stage = {},
         .detail = event.message,
         .fix = event.is_isolation ? "airlock doctor says which walls are missing, and why." : "",
         .is_isolation = event.is_isolation});
  }

  // From here on there is something valid: it is what later work returns to, so the older state
  // goes.
  void show_result() {
    machine.state_before_.reset();
    go(state.output == OutputKind::kYaml ? Phase::kYamlResult : Phase::kPythonResult);
  }

  void on(const DraftKept& event) {
    if (machine.approves_when_kept_ && state.phase == Phase::kApproving) {
      machine.approves_when_kept_ = false;
      state.draft = event.id;
      effects.emplace_back(Approve{});
      return;
    }
    if (!is_writing() && state.phase != Phase::kAnalyzing) return;
    state.draft = event.id;
    show_result();
  }

  void on(const DraftNotKept& event) {
    if (state.phase == Phase::kApproving) {
      machine.approves_when_kept_ = false;
      return on(ApprovalFailed{event.message, false});
    }
    if (!is_writing() && state.phase != Phase::kAnalyzing) return;
    state.warnings.push_back("The draft could not be kept: " + event.message);
    show_result();
  }

  void on(const EditorClosed& event) {
    if (state.phase != Phase::kEditing) return;
    if (machine.state_before_ && event.text == machine.state_before_->text) return restore_state();
    state.text = event.text;
    go(Phase::kRegenerating);
    judge(state.output, event.text, Author::kPerson);
  }

  void on(const EditorFailed& event) {
    if (state.phase != Phase::kEditing) return;
    if (machine.state_before_) state.text = machine.state_before_->text;
    state.problem = {.title = "The editor did not give a text back; nothing was changed.",
                     .stage = {},
                     .detail = event.message,
                     .fix = "Set VISUAL or EDITOR to an editor that works here, or press Esc."};
    go(Phase::kEditError);
  }

  void on(const ApprovalDone& event) {
    if (state.phase != Phase::kApproving) return;
    state.approved_version = event.version;
    go(Phase::kApproved);
  }

  void on(const ApprovalFailed& event) {
    if (state.phase != Phase::kApproving) return;
    // Back on the result, with the reason; without a draft the next Enter keeps a new one.
    const std::string draft = event.is_draft_gone ? std::string() : state.draft;
    restore_state();
    state.draft = draft;
    state.problem = {.title = "It was not approved; nothing has changed.",
                     .stage = {},
                     .detail = event.message,
                     .fix = event.is_draft_gone
                                ? "Press Enter again: it is kept as a new draft and approved."
                                : ""};
  }
};

Machine::Machine(std::vector<std::string> samples, std::string hint, std::string name,
                 WizardOptions settings)
    : settings_(std::move(settings)),
      has_consented_(settings_.has_consented),
      shows_retries_(settings_.shows_retries) {
  state_.samples = std::move(samples);
  state_.hint = std::move(hint);
  state_.name = std::move(name);
  state_.retries_left = settings_.retries;
  state_.model = settings_.has_model ? settings_.model : std::string();
}

std::vector<Effect> Machine::begin() {
  return {Analyze{}};
}

std::vector<Effect> Machine::handle(const Event& event) {
  if (is_final(state_.phase)) return {};
  Transition transition{*this};
  std::visit([&](const auto& one) { transition.on(one); }, event);
  return std::move(transition.effects);
}

}  // namespace airlock::wizard

#include "wizard/machine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "engine/approve/drafts.h"
#include "wizard/prompts.h"

namespace airlock::wizard {

namespace {

constexpr std::array<const char*, kStateCount> kStateNames = {
    "ANALYZING",      "CONSENT",       "RETRY_CONSENT", "GENERATING", "REGENERATING", "YAML_RESULT",
    "PYTHON_RESULT",  "PATTERNS",      "NAMING",        "HINT_INPUT", "EDITING",      "EDIT_ERROR",
    "ANALYSIS_ERROR", "YAML_FALLBACK", "APPROVING",     "APPROVED",   "CANCELED",     "CLOSED"};

constexpr double kLeastConfidence = 50;
constexpr std::chrono::seconds kLongestWait{60};
constexpr std::size_t kLongestFailure = 2000;  // of an attempt's error

// What an editor opens when there is nothing yet.
constexpr std::string_view kSkeleton =
    "def extract(path: str) -> dict:\n"
    "    \"\"\"Read metadata from one path.\"\"\"\n"
    "    return {}\n";

// Where a person has the word, and Esc from a dialog leads back to.
bool is_resting(State state) {
  return is_result(state) || state == State::kAnalysisError;
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

const char* to_string(State state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

bool is_final(State state) {
  return state == State::kApproved || state == State::kCanceled || state == State::kClosed;
}

bool is_result(State state) {
  return state == State::kYamlResult || state == State::kPythonResult;
}

bool is_busy(State state) {
  return state == State::kAnalyzing || state == State::kGenerating ||
         state == State::kRegenerating || state == State::kApproving;
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

// One function for each kind of event; `effects` is what the machine asks for.
struct Handler {
  Machine& machine;
  Sheet& sheet = machine.sheet_;
  std::vector<Effect> effects = {};

  void go(State state) { sheet.state = state; }

  // ---- work

  bool uses_model() const { return machine.settings_.has_model && !machine.is_model_off_; }

  // A new round: a first try and all retries.
  void fill_budget() { sheet.retries_left = machine.settings_.retries; }

  void begin_round() {
    machine.last_failure_.clear();
    machine.last_text_.clear();
    machine.is_all_security_ = true;
    machine.has_timed_out_ = false;
    machine.round_failures_ = 0;
    machine.transport_tries_ = 0;
    sheet.offers_fallback = false;
    sheet.problem = {};
  }

  void leave_rest() {
    if (is_resting(sheet.state)) machine.resting_ = sheet;
  }

  // Back to where the person had the word; without such a place the wizard ends.
  void return_to_rest() {
    if (!machine.resting_) return go(State::kCanceled);
    Sheet back = *std::move(machine.resting_);
    machine.resting_.reset();
    back.transport_failures = sheet.transport_failures;
    back.tokens = sheet.tokens;
    sheet = std::move(back);
  }

  void analyze_again() {
    leave_rest();
    begin_round();
    sheet.progress = {};
    go(State::kRegenerating);
    effects.emplace_back(Analyze{});
  }

  void judge(OutputKind kind, std::string text, Author author) {
    sheet.progress = {};
    sheet.output = kind;
    sheet.author = author;
    effects.emplace_back(Judge{kind, std::move(text), author});
  }

  void ask(Write question) {
    sheet.progress = {};
    sheet.progress.is_asking = true;
    machine.last_question_ = question;
    effects.emplace_back(std::move(question));
  }

  void write_program() {
    if (uses_model() && !machine.has_consented_) {
      sheet.progress = {};
      return go(State::kConsent);
    }
    if (sheet.state == State::kAnalyzing || sheet.state == State::kConsent) go(State::kGenerating);
    machine.transport_tries_ = 0;
    ask({.author = uses_model() ? Author::kModel : Author::kTemplates});
  }

  // ---- errors

  void stop_at(Problem problem) {
    sheet.problem = std::move(problem);
    sheet.progress = {};
    sheet.offers_fallback =
        !sheet.fallback.empty() && !sheet.problem.is_isolation &&
        (machine.has_computed_ || machine.is_unsure_ || machine.has_timed_out_ ||
         (machine.round_failures_ > 0 && machine.is_all_security_));
    go(State::kAnalysisError);
  }

  void note_once(std::string note) {
    if (std::ranges::find(sheet.notes, note) == sheet.notes.end())
      sheet.notes.push_back(std::move(note));
  }

  // ---- events that people make

  void on(const Pressed& event) {
    const auto keys = keys_of(sheet);
    if (std::ranges::find(keys, event.key, &KeyHelp::key) == keys.end()) return;
    switch (event.key) {
      case Key::kEnter:
        return on_enter();
      case Key::kEscape:
        return on_escape();
      case Key::kHint:
        return open_dialog(State::kHintInput);
      case Key::kName:
        return open_dialog(State::kNaming);
      case Key::kPatterns:
        return open_dialog(State::kPatterns);
      case Key::kEdit:
        return open_editor();
      case Key::kRegenerate:
        return on_regenerate();
      case Key::kYaml:
        return on_yaml();
      case Key::kWithout:
        return on_without();
      case Key::kShow:
        machine.shows_retries_ = true;
        return on_enter();
      case Key::kAll:
        machine.shows_retries_ = false;
        return send_retry();
    }
  }

  void open_dialog(State dialog) {
    leave_rest();
    go(dialog);
  }

  void on_enter() {
    if (sheet.state == State::kConsent) {
      machine.has_consented_ = true;
      return write_program();
    }
    if (sheet.state == State::kRetryConsent) return send_retry();
    if (!sheet.name_trouble.empty()) return open_dialog(State::kNaming);
    approve();
  }

  void approve() {
    machine.resting_ = sheet;
    sheet.problem = {};
    go(State::kApproving);
    if (sheet.draft.empty()) {
      machine.approves_when_kept_ = true;
      effects.emplace_back(KeepDraft{});
    } else {
      effects.emplace_back(Approve{});
    }
  }

  void on_escape() {
    switch (sheet.state) {
      case State::kAnalyzing:
      case State::kGenerating:
      case State::kRegenerating:
        effects.emplace_back(StopWork{});
        return return_to_rest();
      case State::kPatterns:
      case State::kNaming:
      case State::kHintInput:
      case State::kEditError:
        return return_to_rest();
      case State::kRetryConsent:
        return stop_at(machine.next_problem_);
      case State::kAnalysisError:
        return go(State::kClosed);
      default:
        return go(State::kCanceled);
    }
  }

  void on_regenerate() {
    machine.is_model_off_ = false;
    if (machine.settings_.has_model) sheet.model = machine.settings_.model;
    fill_budget();
    analyze_again();
  }

  void on_yaml() {
    if (sheet.state == State::kAnalysisError) {
      leave_rest();
      return go(State::kYamlFallback);
    }
    machine.is_unsure_ = false;
    begin_round();
    go(State::kRegenerating);
    judge(OutputKind::kYaml, sheet.fallback, Author::kInference);
  }

  void on_without() {
    machine.is_model_off_ = true;
    sheet.model.clear();
    sheet.outgoing_retry.clear();
    if (sheet.state == State::kConsent) return write_program();
    leave_rest();
    begin_round();
    go(State::kRegenerating);
    write_program();
  }

  void open_editor() {
    // From the offer of a rule it is the program that failed which is edited.
    if (sheet.state != State::kEditError) leave_rest();
    std::string text = sheet.text.empty() ? std::string(kSkeleton) : sheet.text;
    if (sheet.text.empty()) sheet.output = OutputKind::kPython;
    go(State::kEditing);
    effects.emplace_back(OpenEditor{sheet.output, std::move(text)});
  }

  void on(const HintGiven& event) {
    if (sheet.state != State::kHintInput || count_code_points(event.text) > kLongestHint) return;
    const bool was_error = machine.resting_ && machine.resting_->state == State::kAnalysisError;
    return_to_rest();
    if (event.text == sheet.hint) return;
    // A hint raises to Python, and none lowers it; without any there is nothing that raises.
    if (event.text.empty()) machine.needs_python_ = false;
    // After an error a hint is good for one more try; after a result everything begins anew.
    if (!was_error) fill_budget();
    machine.resting_ = sheet;
    sheet.hint = event.text;
    analyze_again();
  }

  void on(const NameGiven& event) {
    if (sheet.state != State::kNaming) return;
    const std::string trouble = name_trouble(event.text);
    if (trouble.empty()) return_to_rest();
    sheet.name = event.text;
    sheet.name_trouble = trouble;
  }

  void on(const PatternsChosen& event) {
    if (sheet.state != State::kPatterns || event.keep.size() != sheet.patterns.size()) return;
    if (std::ranges::find(event.keep, true) == event.keep.end()) return;
    return_to_rest();
    bool is_changed = false;
    for (std::size_t i = 0; i < event.keep.size(); ++i)
      is_changed = is_changed || sheet.patterns[i].keep != event.keep[i];
    if (!is_changed) return;
    machine.resting_ = sheet;
    for (std::size_t i = 0; i < event.keep.size(); ++i) sheet.patterns[i].keep = event.keep[i];
    fill_budget();
    analyze_again();
  }

  // ---- events that work makes

  void on(const Progressed& event) {
    if (is_busy(sheet.state)) sheet.progress = event.progress;
  }

  void on(const Analyzed& event) {
    if (sheet.state != State::kAnalyzing && sheet.state != State::kRegenerating) return;
    sheet.confidence = event.confidence;
    sheet.evidence = event.evidence;
    sheet.reasons = event.reasons;
    sheet.notes = event.notes;
    sheet.patterns = event.patterns;
    sheet.fallback = event.yaml;
    sheet.fallback_lost = event.computed;
    sheet.outgoing = event.outgoing;
    sheet.outgoing_paths = event.outgoing_paths;
    sheet.redactions = event.redactions;
    if (sheet.name.empty()) sheet.name = event.suggested_name;
    sheet.name_trouble = name_trouble(sheet.name);
    machine.has_computed_ = event.choice == OutputKind::kPython;
    machine.needs_python_ = machine.needs_python_ || event.choice == OutputKind::kPython ||
                            machine.settings_.prefers_python;
    machine.is_unsure_ = event.confidence < kLeastConfidence;
    sheet.set_aside.clear();
    const bool is_guess = machine.is_unsure_ && !uses_model();
    if (!is_guess && (machine.needs_python_ || machine.is_unsure_)) {
      sheet.output = OutputKind::kPython;
      return write_program();
    }
    sheet.output = OutputKind::kYaml;
    if (is_guess) {
      sheet.text = event.yaml;
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
    if (sheet.state != State::kAnalyzing && sheet.state != State::kRegenerating) return;
    stop_at({.title = "The paths could not be analysed.",
             .stage = {},
             .detail = event.message,
             .fix = event.fix});
  }

  bool is_writing() const {
    return sheet.state == State::kGenerating || sheet.state == State::kRegenerating;
  }

  void on(const Written& event) {
    if (!is_writing()) return;
    machine.transport_tries_ = 0;
    sheet.text = event.text;
    sheet.tokens += event.tokens;
    judge(OutputKind::kPython, event.text, event.author);
  }

  void on(const NotWritten& event) {
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
    if (failure.trouble != llm::Trouble::kOverBudget) ++sheet.transport_failures;
    ++machine.transport_tries_;
    const auto wait = failure.retry_after.value_or(
        std::chrono::seconds(std::size_t{1} << machine.transport_tries_));
    if (failure.is_worth_another_try && machine.transport_tries_ < kTransportTries &&
        wait <= kLongestWait) {
      Write again = machine.last_question_;
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

  void note_attempt(const Judged& event) {
    Attempt attempt{.number = sheet.attempts.size() + 1,
                    .author = sheet.author,
                    .stage = event.stage,
                    .valid = event.valid,
                    .is_repeat = false,
                    .error = event.valid ? std::string() : event.problem.substr(0, kLongestFailure),
                    .repairs = event.repairs,
                    .milliseconds = event.milliseconds};
    if (!event.valid && sheet.author == Author::kModel) {
      attempt.is_repeat =
          !machine.last_failure_.empty() &&
          (event.problem == machine.last_failure_ || event.text == machine.last_text_);
      if (attempt.is_repeat)
        note_once(event.text == machine.last_text_ ? "The model gave the same answer again."
                                                   : "The model made the same mistake again.");
      machine.last_failure_ = event.problem;
      machine.last_text_ = event.text;
    }
    sheet.attempts.push_back(std::move(attempt));
  }

  void on(const Judged& event) {
    if (!is_writing() && sheet.state != State::kAnalyzing) return;
    note_attempt(event);
    sheet.text = event.text;
    if (event.valid) return accept(event);
    if (sheet.author == Author::kPerson) return refuse_edit(event);
    ++machine.round_failures_;
    machine.is_all_security_ = machine.is_all_security_ && event.stage == Stage::kSecurity;
    machine.has_timed_out_ = machine.has_timed_out_ || event.has_timed_out;
    Problem problem{.title = failure_title(),
                    .stage = std::string(stage_title(event.stage)),
                    .detail = event.problem,
                    .fix = {}};
    if (sheet.author != Author::kModel || sheet.retries_left == 0)
      return stop_at(std::move(problem));
    machine.next_retry_ = {
        .author = Author::kModel,
        .retry = retry_text(event.stage, event.retry_context, sent_paths(sheet.samples))};
    machine.next_problem_ = std::move(problem);
    machine.asking_state_ = sheet.state;
    if (!machine.shows_retries_) return send_retry();
    sheet.outgoing_retry = machine.next_retry_.retry;
    sheet.progress = {};
    go(State::kRetryConsent);
  }

  // What goes is what was shown, to the letter.
  void send_retry() {
    --sheet.retries_left;
    sheet.outgoing_retry.clear();
    if (!sheet.attempts.empty()) sheet.attempts.back().retry = machine.next_retry_.retry;
    go(machine.asking_state_);
    ask(machine.next_retry_);
  }

  std::string failure_title() const {
    if (sheet.author == Author::kModel) {
      const std::size_t corrections = machine.round_failures_ - 1;
      if (corrections == 0) return "AI could not generate a valid extractor.";
      return "AI could not generate a valid extractor after " +
             plural(corrections, "attempt", "attempts") + " to correct it.";
    }
    return sheet.output == OutputKind::kYaml ? "The rule does not fit the sample paths."
                                             : "The program that was put together does not pass.";
  }

  void accept(const Judged& event) {
    sheet.preview = event.preview;
    sheet.passed = event.passed;
    sheet.mean_ms = event.mean_ms;
    sheet.warnings = event.warnings;
    sheet.problem = {};
    sheet.set_aside = event.set_aside;
    sheet.draft.clear();
    sheet.progress = {};
    sheet.progress.stage = Stage::kComplete;
    effects.emplace_back(KeepDraft{});
  }

  void refuse_edit(const Judged& event) {
    sheet.problem = {.title = "The edited text does not pass.",
                     .stage = std::string(stage_title(event.stage)),
                     .detail = event.problem,
                     .fix = "Edit it again, or press Esc to go back to what was there before."};
    go(State::kEditError);
  }

  void on(const JudgeFailed& event) {
    if (!is_writing() && sheet.state != State::kAnalyzing) return;
    stop_at(
        {.title = event.is_isolation ? "Nothing was run: this host cannot give the walls."
                                     : "The text could not be judged.",
         .stage = {},
         .detail = event.message,
         .fix = event.is_isolation ? "airlock doctor says which walls are missing, and why." : "",
         .is_isolation = event.is_isolation});
  }

  void show_result() {
    machine.resting_.reset();
    go(sheet.output == OutputKind::kYaml ? State::kYamlResult : State::kPythonResult);
  }

  void on(const DraftKept& event) {
    if (machine.approves_when_kept_ && sheet.state == State::kApproving) {
      machine.approves_when_kept_ = false;
      sheet.draft = event.id;
      effects.emplace_back(Approve{});
      return;
    }
    if (!is_writing() && sheet.state != State::kAnalyzing) return;
    sheet.draft = event.id;
    show_result();
  }

  void on(const DraftNotKept& event) {
    if (sheet.state == State::kApproving) {
      machine.approves_when_kept_ = false;
      return on(ApprovalFailed{event.message, false});
    }
    if (!is_writing() && sheet.state != State::kAnalyzing) return;
    sheet.warnings.push_back("The draft could not be kept: " + event.message);
    show_result();
  }

  void on(const EditorClosed& event) {
    if (sheet.state != State::kEditing) return;
    if (machine.resting_ && event.text == machine.resting_->text) return return_to_rest();
    sheet.text = event.text;
    go(State::kRegenerating);
    judge(sheet.output, event.text, Author::kPerson);
  }

  void on(const EditorFailed& event) {
    if (sheet.state != State::kEditing) return;
    if (machine.resting_) sheet.text = machine.resting_->text;
    sheet.problem = {.title = "The editor did not give a text back; nothing was changed.",
                     .stage = {},
                     .detail = event.message,
                     .fix = "Set VISUAL or EDITOR to an editor that works here, or press Esc."};
    go(State::kEditError);
  }

  void on(const ApprovalDone& event) {
    if (sheet.state != State::kApproving) return;
    sheet.approved_version = event.version;
    go(State::kApproved);
  }

  void on(const ApprovalFailed& event) {
    if (sheet.state != State::kApproving) return;
    const std::string draft = event.is_draft_gone ? std::string() : sheet.draft;
    return_to_rest();
    sheet.draft = draft;
    sheet.problem = {.title = "It was not approved; nothing has changed.",
                     .stage = {},
                     .detail = event.message,
                     .fix = event.is_draft_gone
                                ? "Press Enter again: it is kept as a new draft and approved."
                                : ""};
  }
};

Machine::Machine(std::vector<std::string> samples, std::string hint, std::string name,
                 Settings settings)
    : settings_(std::move(settings)),
      has_consented_(settings_.has_consented),
      shows_retries_(settings_.shows_retries) {
  sheet_.samples = std::move(samples);
  sheet_.hint = std::move(hint);
  sheet_.name = std::move(name);
  sheet_.retries_left = settings_.retries;
  sheet_.model = settings_.has_model ? settings_.model : std::string();
}

std::vector<Effect> Machine::begin() {
  return {Analyze{}};
}

std::vector<Effect> Machine::handle(const Event& event) {
  if (is_final(sheet_.state)) return {};
  Handler handler{*this};
  std::visit([&](const auto& one) { handler.on(one); }, event);
  return std::move(handler.effects);
}

}  // namespace airlock::wizard

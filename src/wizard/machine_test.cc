// The machine as a table: every state with every event, and the ways through it that matter.
#include "wizard/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "wizard/prompts.h"

namespace airlock::wizard {
namespace {

using llm::ModelFailure;
using llm::Trouble;

constexpr std::array kKeys = {WizardKey::kEnter, WizardKey::kEscape,     WizardKey::kHint,
                              WizardKey::kEdit,  WizardKey::kRegenerate, WizardKey::kYaml,
                              WizardKey::kName,  WizardKey::kPatterns,   WizardKey::kWithoutModel,
                              WizardKey::kShow,  WizardKey::kAll};
static_assert(kKeys.size() == kWizardKeyCount);

WizardOptions with_model() {
  return {.has_model = true, .model = "ollama test", .has_consented = true};
}

Machine machine_with(WizardOptions settings = {}, std::string hint = {}) {
  return {{"/a/1.csv", "/a/2.csv", "/a/3.csv"}, std::move(hint), "", std::move(settings)};
}

Analyzed analyzed(OutputKind choice, double confidence = 90) {
  Analyzed event;
  event.choice = choice;
  event.yaml = "version: 1\n";
  event.confidence = confidence;
  event.patterns = {
      {.field = "year", .from = "segment(-2)", .what = "year", .examples = "2024", .rule = "a"},
      {.field = "name", .from = "filename", .what = "text", .examples = "1", .rule = "a"}};
  event.suggested_name = "sales";
  event.outgoing = "prompt";
  if (choice == OutputKind::kPython) {
    event.reasons = {"the hint says 'compute'"};
    event.computed = {"start_month"};
  }
  return event;
}

TextJudged passed() {
  TextJudged event;
  event.valid = true;
  event.stage = Stage::kComplete;
  event.text = "good";
  event.passed = 3;
  return event;
}

TextJudged failed(Stage stage, std::string problem, std::string text = "bad") {
  TextJudged event;
  event.stage = stage;
  event.text = std::move(text);
  event.problem = std::move(problem);
  event.retry_context = "context: " + event.problem;
  return event;
}

ModelFailure not_running() {
  ModelFailure failure;
  failure.trouble = Trouble::kNotRunning;
  failure.message = "nobody listens";
  failure.fix = "ollama serve";
  return failure;
}

ModelFailure busy(int seconds) {
  ModelFailure failure = not_running();
  failure.trouble = Trouble::kRateLimited;
  failure.is_worth_another_try = true;
  failure.retry_after = std::chrono::seconds(seconds);
  return failure;
}

template <typename Wanted>
const Wanted* find_effect(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects)
    if (const auto* found = std::get_if<Wanted>(&effect)) return found;
  return nullptr;
}

// Machines that stand in each state, and the events that led there.
Machine in_yaml_result() {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml));
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  return machine;
}

Machine in_python_result(WizardOptions settings = {}) {
  Machine machine = machine_with(std::move(settings));
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kTemplates});
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  return machine;
}

Machine in_error(WizardOptions settings = {}) {
  Machine machine = machine_with(std::move(settings));
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kTemplates});
  machine.handle(failed(Stage::kSandbox, "ValueError"));
  return machine;
}

Machine in_phase(Phase phase) {
  switch (phase) {
    case Phase::kAnalyzing: {
      Machine machine = machine_with();
      machine.begin();
      return machine;
    }
    case Phase::kConsent: {
      WizardOptions settings = with_model();
      settings.has_consented = false;
      Machine machine = machine_with(settings);
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      return machine;
    }
    case Phase::kRetryConsent: {
      WizardOptions settings = with_model();
      settings.shows_retries = true;
      Machine machine = machine_with(settings);
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      machine.handle(ProgramWritten{"code", Author::kModel});
      machine.handle(failed(Stage::kSandbox, "ValueError"));
      return machine;
    }
    case Phase::kGenerating: {
      Machine machine = machine_with(with_model());
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      return machine;
    }
    case Phase::kRegenerating: {
      Machine machine = in_python_result();
      machine.handle(KeyPressed{WizardKey::kRegenerate});
      return machine;
    }
    case Phase::kYamlResult:
      return in_yaml_result();
    case Phase::kPythonResult:
      return in_python_result();
    case Phase::kPatterns: {
      Machine machine = in_yaml_result();
      machine.handle(KeyPressed{WizardKey::kPatterns});
      return machine;
    }
    case Phase::kNaming: {
      Machine machine = in_yaml_result();
      machine.handle(KeyPressed{WizardKey::kName});
      return machine;
    }
    case Phase::kHintInput: {
      Machine machine = in_yaml_result();
      machine.handle(KeyPressed{WizardKey::kHint});
      return machine;
    }
    case Phase::kEditing: {
      Machine machine = in_python_result();
      machine.handle(KeyPressed{WizardKey::kEdit});
      return machine;
    }
    case Phase::kEditError: {
      Machine machine = in_phase(Phase::kEditing);
      machine.handle(EditorFailed{"it ended with 1"});
      return machine;
    }
    case Phase::kAnalysisError:
      return in_error();
    case Phase::kYamlFallback: {
      Machine machine = in_error();
      machine.handle(KeyPressed{WizardKey::kYaml});
      return machine;
    }
    case Phase::kApproving: {
      Machine machine = in_yaml_result();
      machine.handle(KeyPressed{WizardKey::kEnter});
      return machine;
    }
    case Phase::kApproved: {
      Machine machine = in_phase(Phase::kApproving);
      machine.handle(ApprovalDone{1});
      return machine;
    }
    case Phase::kCanceled: {
      Machine machine = in_yaml_result();
      machine.handle(KeyPressed{WizardKey::kEscape});
      return machine;
    }
    case Phase::kClosed: {
      Machine machine = in_error();
      machine.handle(KeyPressed{WizardKey::kEscape});
      return machine;
    }
  }
  return machine_with();
}

std::vector<Event> every_event() {
  std::vector<Event> events;
  for (const WizardKey key : kKeys) events.emplace_back(KeyPressed{key});
  events.emplace_back(HintGiven{"the second folder is the client"});
  events.emplace_back(HintGiven{""});
  events.emplace_back(HintGiven{std::string(501, 'x')});
  events.emplace_back(NameGiven{"reports"});
  events.emplace_back(NameGiven{"not a name!"});
  events.emplace_back(PatternsChosen{{true, false}});
  events.emplace_back(PatternsChosen{{false, false}});
  events.emplace_back(PatternsChosen{{true}});
  events.emplace_back(Progressed{});
  events.emplace_back(analyzed(OutputKind::kYaml));
  events.emplace_back(analyzed(OutputKind::kPython));
  events.emplace_back(analyzed(OutputKind::kYaml, 20));
  events.emplace_back(AnalysisFailed{"no structure", "more paths"});
  events.emplace_back(ProgramWritten{"code", Author::kModel});
  events.emplace_back(ProgramNotWritten{"no recipe", "a model"});
  events.emplace_back(ModelFailed{not_running()});
  events.emplace_back(ModelFailed{busy(2)});
  events.emplace_back(passed());
  events.emplace_back(failed(Stage::kSyntax, "bad"));
  events.emplace_back(JudgeFailed{"no walls", true});
  events.emplace_back(DraftKept{"11111111"});
  events.emplace_back(DraftNotKept{"disk full"});
  events.emplace_back(EditorClosed{"edited"});
  events.emplace_back(EditorFailed{"killed"});
  events.emplace_back(ApprovalDone{2});
  events.emplace_back(ApprovalFailed{"disk full", false});
  events.emplace_back(ApprovalFailed{"expired", true});
  return events;
}

std::vector<Phase> every_phase() {
  std::vector<Phase> phases;
  for (std::size_t i = 0; i < kPhaseCount; ++i) phases.push_back(static_cast<Phase>(i));
  return phases;
}

TEST(Machine, EveryStateCanBeReached) {
  for (const Phase phase : every_phase())
    EXPECT_EQ(in_phase(phase).state().phase, phase) << to_string(phase);
}

TEST(Machine, StateNamesAreDistinct) {
  std::set<std::string> names;
  for (const Phase phase : every_phase()) names.insert(to_string(phase));
  EXPECT_EQ(names.size(), kPhaseCount);
}

// Where each key leads; a state and a key that are not here change nothing.
TEST(Machine, KeysLeadWhereTheTableSays) {
  struct Row {
    Phase phase;
    WizardKey key;
    Phase next;
  };
  constexpr std::array kTable = {
      Row{Phase::kAnalyzing, WizardKey::kEscape, Phase::kCanceled},
      Row{Phase::kConsent, WizardKey::kEnter, Phase::kGenerating},
      Row{Phase::kConsent, WizardKey::kShow, Phase::kGenerating},
      Row{Phase::kConsent, WizardKey::kWithoutModel, Phase::kGenerating},
      Row{Phase::kConsent, WizardKey::kEscape, Phase::kCanceled},
      Row{Phase::kRetryConsent, WizardKey::kEnter, Phase::kGenerating},
      Row{Phase::kRetryConsent, WizardKey::kAll, Phase::kGenerating},
      Row{Phase::kRetryConsent, WizardKey::kWithoutModel, Phase::kRegenerating},
      Row{Phase::kRetryConsent, WizardKey::kEscape, Phase::kAnalysisError},
      Row{Phase::kGenerating, WizardKey::kEscape, Phase::kCanceled},
      Row{Phase::kRegenerating, WizardKey::kEscape, Phase::kPythonResult},
      Row{Phase::kYamlResult, WizardKey::kEnter, Phase::kApproving},
      Row{Phase::kYamlResult, WizardKey::kEscape, Phase::kCanceled},
      Row{Phase::kYamlResult, WizardKey::kHint, Phase::kHintInput},
      Row{Phase::kYamlResult, WizardKey::kEdit, Phase::kEditing},
      Row{Phase::kYamlResult, WizardKey::kRegenerate, Phase::kRegenerating},
      Row{Phase::kYamlResult, WizardKey::kName, Phase::kNaming},
      Row{Phase::kYamlResult, WizardKey::kPatterns, Phase::kPatterns},
      Row{Phase::kPythonResult, WizardKey::kEnter, Phase::kApproving},
      Row{Phase::kPythonResult, WizardKey::kEscape, Phase::kCanceled},
      Row{Phase::kPythonResult, WizardKey::kHint, Phase::kHintInput},
      Row{Phase::kPythonResult, WizardKey::kEdit, Phase::kEditing},
      Row{Phase::kPythonResult, WizardKey::kRegenerate, Phase::kRegenerating},
      Row{Phase::kPythonResult, WizardKey::kName, Phase::kNaming},
      Row{Phase::kPythonResult, WizardKey::kPatterns, Phase::kPatterns},
      Row{Phase::kPatterns, WizardKey::kEscape, Phase::kYamlResult},
      Row{Phase::kNaming, WizardKey::kEscape, Phase::kYamlResult},
      Row{Phase::kHintInput, WizardKey::kEscape, Phase::kYamlResult},
      Row{Phase::kEditError, WizardKey::kEdit, Phase::kEditing},
      Row{Phase::kEditError, WizardKey::kEscape, Phase::kPythonResult},
      Row{Phase::kAnalysisError, WizardKey::kHint, Phase::kHintInput},
      Row{Phase::kAnalysisError, WizardKey::kEdit, Phase::kEditing},
      Row{Phase::kAnalysisError, WizardKey::kRegenerate, Phase::kRegenerating},
      Row{Phase::kAnalysisError, WizardKey::kYaml, Phase::kYamlFallback},
      Row{Phase::kAnalysisError, WizardKey::kPatterns, Phase::kPatterns},
      Row{Phase::kAnalysisError, WizardKey::kEscape, Phase::kClosed},
      Row{Phase::kYamlFallback, WizardKey::kYaml, Phase::kRegenerating},
      Row{Phase::kYamlFallback, WizardKey::kEdit, Phase::kEditing},
      Row{Phase::kYamlFallback, WizardKey::kEscape, Phase::kCanceled},
  };
  for (const Phase phase : every_phase()) {
    for (const WizardKey key : kKeys) {
      const auto row = std::ranges::find_if(
          kTable, [&](const Row& one) { return one.phase == phase && one.key == key; });
      Machine machine = in_phase(phase);
      machine.handle(KeyPressed{key});
      const Phase expected = row == kTable.end() ? phase : row->next;
      EXPECT_EQ(machine.state().phase, expected)
          << to_string(phase) << " with key " << static_cast<int>(key);
    }
  }
}

// Whatever happens in whatever state: a known state, at most one piece of work, and a final state
// stays.
TEST(Machine, EveryStateTakesEveryEvent) {
  for (const Phase phase : every_phase()) {
    for (const Event& event : every_event()) {
      Machine machine = in_phase(phase);
      const auto effects = machine.handle(event);
      EXPECT_LE(effects.size(), 2U) << to_string(phase) << " event " << event.index();
      if (is_final(phase)) {
        EXPECT_EQ(machine.state().phase, phase);
        EXPECT_TRUE(effects.empty());
      }
    }
  }
}

// The same for two events in a row: no pair leads into a place without a way out.
TEST(Machine, NoStateIsWithoutAWayOut) {
  for (const Phase phase : every_phase()) {
    for (const Event& first : every_event()) {
      for (const Event& second : every_event()) {
        Machine machine = in_phase(phase);
        machine.handle(first);
        machine.handle(second);
        const Phase now = machine.state().phase;
        if (is_final(now) || now == Phase::kEditing || now == Phase::kApproving) continue;
        const auto keys = keys_of(machine.state());
        ASSERT_FALSE(keys.empty()) << to_string(now);
        EXPECT_EQ(keys.back().key, WizardKey::kEscape) << to_string(now);
        machine.handle(KeyPressed{WizardKey::kEscape});
        EXPECT_NE(machine.state().phase, now) << to_string(now);
      }
    }
  }
}

TEST(Machine, EditorAndApprovalAlwaysComeBack) {
  for (const Event& event :
       {Event(EditorClosed{"other"}), Event(EditorClosed{"good"}), Event(EditorFailed{"x"})}) {
    Machine machine = in_phase(Phase::kEditing);
    machine.handle(event);
    EXPECT_NE(machine.state().phase, Phase::kEditing);
  }
  for (const Event& event : {Event(ApprovalDone{1}), Event(ApprovalFailed{"x", false}),
                             Event(ApprovalFailed{"x", true})}) {
    Machine machine = in_phase(Phase::kApproving);
    machine.handle(event);
    EXPECT_NE(machine.state().phase, Phase::kApproving);
  }
}

TEST(Machine, ARuleThatIsSureIsAResult) {
  const Machine machine = in_yaml_result();
  EXPECT_EQ(machine.state().draft, "0a1b2c3d");
  EXPECT_EQ(machine.state().name, "sales");
  EXPECT_EQ(machine.state().attempts.size(), 1U);
  EXPECT_EQ(machine.state().author, Author::kInference);
}

TEST(Machine, ARuleThatIsAGuessAsksForMore) {
  Machine machine = machine_with();
  machine.begin();
  const auto effects = machine.handle(analyzed(OutputKind::kYaml, 49));
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_TRUE(effects.empty());
  EXPECT_TRUE(machine.state().offers_fallback);
}

TEST(Machine, AModelIsAskedWhenARuleWouldBeAGuess) {
  Machine machine = machine_with(with_model());
  machine.begin();
  const auto effects = machine.handle(analyzed(OutputKind::kYaml, 49));
  ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
  EXPECT_EQ(find_effect<WriteProgram>(effects)->author, Author::kModel);
}

TEST(Machine, NothingIsSentBeforeConsent) {
  WizardOptions settings = with_model();
  settings.has_consented = false;
  Machine machine = machine_with(settings);
  machine.begin();
  EXPECT_TRUE(machine.handle(analyzed(OutputKind::kPython)).empty());
  const auto effects = machine.handle(KeyPressed{WizardKey::kEnter});
  ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
  EXPECT_EQ(find_effect<WriteProgram>(effects)->author, Author::kModel);
}

TEST(Machine, WithoutTheModelTemplatesWrite) {
  Machine machine = in_phase(Phase::kConsent);
  const auto effects = machine.handle(KeyPressed{WizardKey::kWithoutModel});
  ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
  EXPECT_EQ(find_effect<WriteProgram>(effects)->author, Author::kTemplates);
}

// A first try and three retries, whatever the stages, and then an error.
TEST(Machine, TheBudgetIsSharedByAllStages) {
  Machine machine = machine_with(with_model());
  machine.begin();
  auto effects = machine.handle(analyzed(OutputKind::kPython));
  constexpr std::array kStages = {Stage::kSyntax, Stage::kSecurity, Stage::kSignature,
                                  Stage::kSandbox};
  std::size_t questions = 0;
  for (const Stage stage : kStages) {
    const auto* question = find_effect<WriteProgram>(effects);
    ASSERT_NE(question, nullptr);
    EXPECT_EQ(question->retry.empty(), questions == 0);
    if (questions > 0) {
      EXPECT_EQ(question->retry,
                retry_text(kStages.at(questions - 1), "context: e" + std::to_string(questions - 1),
                           machine.state().samples));
      EXPECT_EQ(machine.state().attempts.back().retry, question->retry);
    }
    EXPECT_EQ(machine.state().retries_left, 3 - questions);
    ++questions;
    machine.handle(ProgramWritten{"code" + std::to_string(questions), Author::kModel});
    effects = machine.handle(failed(stage, "e" + std::to_string(questions - 1)));
  }
  EXPECT_EQ(questions, 4U);
  EXPECT_TRUE(effects.empty());
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_EQ(machine.state().retries_left, 0U);
  EXPECT_EQ(machine.state().attempts.size(), 4U);
  EXPECT_EQ(machine.state().problem.stage, "sandbox test");
}

Machine after_failures(const std::vector<TextJudged>& failures) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml, 40));
  for (const TextJudged& one : failures) {
    machine.handle(ProgramWritten{"code", Author::kModel});
    machine.handle(one);
  }
  return machine;
}

TEST(Machine, TheSameMistakeIsNoticed) {
  const TextJudged same = failed(Stage::kSecurity, "os is not allowed");
  const Machine machine = after_failures({same, same, same, same});
  ASSERT_EQ(machine.state().attempts.size(), 4U);
  EXPECT_FALSE(machine.state().attempts[0].is_repeat);
  EXPECT_TRUE(machine.state().attempts[1].is_repeat);
  EXPECT_TRUE(machine.state().attempts[3].is_repeat);
  EXPECT_FALSE(machine.state().notes.empty());
}

TEST(Machine, FallbackIsOfferedAfterTimeoutsAndSecurity) {
  TextJudged timeout = failed(Stage::kSandbox, "timed out");
  timeout.has_timed_out = true;
  const TextJudged other = failed(Stage::kSandbox, "ValueError");
  const TextJudged forbidden = failed(Stage::kSecurity, "os");
  EXPECT_TRUE(after_failures({other, timeout, other, other}).state().offers_fallback);
  EXPECT_TRUE(after_failures({forbidden, forbidden, forbidden, forbidden}).state().offers_fallback);
}

TEST(Machine, FallbackNeedsAReason) {
  WizardOptions settings = with_model();
  settings.prefers_python = true;
  Machine machine = machine_with(settings);
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml, 90));
  for (int i = 0; i < 4; ++i) {
    machine.handle(ProgramWritten{"code", Author::kModel});
    machine.handle(failed(i == 0 ? Stage::kSecurity : Stage::kSandbox, "ValueError"));
  }
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_FALSE(machine.state().offers_fallback);
}

TEST(Machine, ThreeWaysOnAfterTransportFailures) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ModelFailed{not_running()});
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_TRUE(machine.state().problem.is_transport);
  EXPECT_EQ(machine.state().retries_left, 3U);
  EXPECT_TRUE(machine.state().attempts.empty());
  const auto effects = machine.handle(KeyPressed{WizardKey::kWithoutModel});
  ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
  EXPECT_EQ(find_effect<WriteProgram>(effects)->author, Author::kTemplates);
}

TEST(Machine, ABusyServerIsAskedAgainAfterTheTimeItNames) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  for (std::size_t i = 1; i < kTransportTries; ++i) {
    const auto effects = machine.handle(ModelFailed{busy(7)});
    ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
    EXPECT_EQ(find_effect<WriteProgram>(effects)->wait, std::chrono::seconds(7));
  }
  EXPECT_TRUE(machine.handle(ModelFailed{busy(7)}).empty());
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_EQ(machine.state().transport_failures, kTransportTries);
  EXPECT_EQ(machine.state().retries_left, 3U);
}

TEST(Machine, NobodyWaitsForAnHour) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  EXPECT_TRUE(machine.handle(ModelFailed{busy(3600)}).empty());
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
}

TEST(Machine, ATransportFailureInARetryKeepsItsQuestion) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kModel});
  machine.handle(failed(Stage::kSyntax, "first"));
  const auto effects = machine.handle(ModelFailed{busy(1)});
  ASSERT_NE(find_effect<WriteProgram>(effects), nullptr);
  EXPECT_TRUE(find_effect<WriteProgram>(effects)->retry.contains("context: first"));
  EXPECT_EQ(machine.state().retries_left, 2U);
}

TEST(Machine, AHintAfterAnErrorIsOneMoreTry) {
  const TextJudged bad = failed(Stage::kSandbox, "ValueError");
  Machine machine = after_failures({bad, bad, bad, bad});
  machine.handle(KeyPressed{WizardKey::kHint});
  const auto effects = machine.handle(HintGiven{"the second folder is the client"});
  EXPECT_NE(find_effect<Analyze>(effects), nullptr);
  EXPECT_EQ(machine.state().retries_left, 0U);
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kModel});
  machine.handle(failed(Stage::kSandbox, "KeyError"));
  EXPECT_EQ(machine.state().phase, Phase::kAnalysisError);
  EXPECT_EQ(machine.state().attempts.size(), 5U);
}

TEST(Machine, RetryFreshFillsTheBudget) {
  const TextJudged bad = failed(Stage::kSandbox, "ValueError");
  Machine machine = after_failures({bad, bad, bad, bad});
  machine.handle(KeyPressed{WizardKey::kRegenerate});
  EXPECT_EQ(machine.state().retries_left, 3U);
}

TEST(Machine, AHintRaisesToPythonAndNeverLowers) {
  Machine machine = in_python_result();
  machine.handle(KeyPressed{WizardKey::kHint});
  machine.handle(HintGiven{"the first folder is the site"});
  const auto effects = machine.handle(analyzed(OutputKind::kYaml));
  EXPECT_NE(find_effect<WriteProgram>(effects), nullptr);
}

TEST(Machine, WithoutAHintNothingAsksForPython) {
  Machine machine = machine_with({}, "compute the quarter");
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kTemplates});
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  machine.handle(KeyPressed{WizardKey::kHint});
  EXPECT_NE(find_effect<Analyze>(machine.handle(HintGiven{""})), nullptr);
  EXPECT_NE(find_effect<JudgeText>(machine.handle(analyzed(OutputKind::kYaml))), nullptr);
}

TEST(Machine, EscFromWorkGivesTheResultBack) {
  Machine machine = in_python_result();
  machine.handle(KeyPressed{WizardKey::kRegenerate});
  machine.handle(analyzed(OutputKind::kPython));
  const auto effects = machine.handle(KeyPressed{WizardKey::kEscape});
  EXPECT_NE(find_effect<StopWork>(effects), nullptr);
  EXPECT_EQ(machine.state().phase, Phase::kPythonResult);
  EXPECT_EQ(machine.state().text, "good");
  EXPECT_EQ(machine.state().draft, "0a1b2c3d");
}

TEST(Machine, ABrokenEditCostsNothing) {
  Machine machine = in_phase(Phase::kEditing);
  machine.handle(EditorClosed{"broken"});
  EXPECT_EQ(machine.state().phase, Phase::kRegenerating);
  machine.handle(failed(Stage::kSyntax, "line 1", "broken"));
  EXPECT_EQ(machine.state().phase, Phase::kEditError);
  const auto effects = machine.handle(KeyPressed{WizardKey::kEdit});
  ASSERT_NE(find_effect<OpenEditor>(effects), nullptr);
  EXPECT_EQ(find_effect<OpenEditor>(effects)->text, "broken");
  machine.handle(EditorFailed{"killed"});
  machine.handle(KeyPressed{WizardKey::kEscape});
  EXPECT_EQ(machine.state().phase, Phase::kPythonResult);
  EXPECT_EQ(machine.state().text, "good");
  EXPECT_EQ(machine.state().retries_left, 3U);
}

TEST(Machine, AnEditWithoutAChangeChangesNothing) {
  Machine machine = in_phase(Phase::kEditing);
  EXPECT_TRUE(machine.handle(EditorClosed{"good"}).empty());
  EXPECT_EQ(machine.state().phase, Phase::kPythonResult);
}

TEST(Machine, AnEditorHasSomethingToOpen) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(AnalysisFailed{"nothing", ""});
  const auto effects = machine.handle(KeyPressed{WizardKey::kEdit});
  ASSERT_NE(find_effect<OpenEditor>(effects), nullptr);
  EXPECT_TRUE(find_effect<OpenEditor>(effects)->text.contains("def extract(path: str) -> dict"));
}

TEST(Machine, EnterWithoutAGoodNameAsksForOne) {
  Machine machine = machine_with({}, "");
  machine.begin();
  Analyzed event = analyzed(OutputKind::kYaml);
  event.suggested_name = "not a name!";
  machine.handle(event);
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  machine.handle(KeyPressed{WizardKey::kEnter});
  EXPECT_EQ(machine.state().phase, Phase::kNaming);
  machine.handle(NameGiven{"still not!"});
  EXPECT_EQ(machine.state().phase, Phase::kNaming);
  EXPECT_FALSE(machine.state().name_trouble.empty());
  machine.handle(NameGiven{"reports"});
  EXPECT_EQ(machine.state().phase, Phase::kYamlResult);
  const auto effects = machine.handle(KeyPressed{WizardKey::kEnter});
  EXPECT_NE(find_effect<Approve>(effects), nullptr);
}

TEST(Machine, AnExpiredDraftIsKeptAnew) {
  Machine machine = in_phase(Phase::kApproving);
  machine.handle(ApprovalFailed{"expired", true});
  EXPECT_EQ(machine.state().phase, Phase::kYamlResult);
  EXPECT_TRUE(machine.state().draft.empty());
  auto effects = machine.handle(KeyPressed{WizardKey::kEnter});
  EXPECT_NE(find_effect<KeepDraft>(effects), nullptr);
  effects = machine.handle(DraftKept{"22222222"});
  EXPECT_NE(find_effect<Approve>(effects), nullptr);
  machine.handle(ApprovalDone{1});
  EXPECT_EQ(machine.state().phase, Phase::kApproved);
}

TEST(Machine, AFullDiskLosesNothing) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml));
  machine.handle(passed());
  machine.handle(DraftNotKept{"no space left"});
  EXPECT_EQ(machine.state().phase, Phase::kYamlResult);
  EXPECT_EQ(machine.state().text, "good");
  machine.handle(KeyPressed{WizardKey::kEnter});
  EXPECT_EQ(machine.state().phase, Phase::kApproving);
  machine.handle(DraftNotKept{"no space left"});
  EXPECT_EQ(machine.state().phase, Phase::kYamlResult);
  EXPECT_FALSE(machine.state().problem.title.empty());
  EXPECT_EQ(machine.state().text, "good");
}

TEST(Machine, IgnoredPatternsAreAnalysedAgain) {
  Machine machine = in_phase(Phase::kPatterns);
  const auto effects = machine.handle(PatternsChosen{{true, false}});
  EXPECT_NE(find_effect<Analyze>(effects), nullptr);
  EXPECT_FALSE(machine.state().patterns[1].keep);
}

TEST(Machine, NoIsolationIsSaid) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ProgramWritten{"code", Author::kTemplates});
  machine.handle(JudgeFailed{"no user namespaces", true});
  EXPECT_TRUE(machine.state().problem.is_isolation);
  EXPECT_FALSE(machine.state().offers_fallback);
}

}  // namespace
}  // namespace airlock::wizard

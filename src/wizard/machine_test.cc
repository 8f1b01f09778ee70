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

constexpr std::array kKeys = {Key::kEnter,      Key::kEscape, Key::kHint, Key::kEdit,
                              Key::kRegenerate, Key::kYaml,   Key::kName, Key::kPatterns,
                              Key::kWithout,    Key::kShow,   Key::kAll};
static_assert(kKeys.size() == kKeyCount);

Settings with_model() {
  return {.has_model = true, .model = "ollama test", .has_consented = true};
}

Machine machine_with(Settings settings = {}, std::string hint = {}) {
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

Judged passed() {
  Judged event;
  event.valid = true;
  event.stage = Stage::kComplete;
  event.text = "good";
  event.passed = 3;
  return event;
}

Judged failed(Stage stage, std::string problem, std::string text = "bad") {
  Judged event;
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

Machine in_python_result(Settings settings = {}) {
  Machine machine = machine_with(std::move(settings));
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kTemplates});
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  return machine;
}

Machine in_error(Settings settings = {}) {
  Machine machine = machine_with(std::move(settings));
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kTemplates});
  machine.handle(failed(Stage::kSandbox, "ValueError"));
  return machine;
}

Machine in_state(State state) {
  switch (state) {
    case State::kAnalyzing: {
      Machine machine = machine_with();
      machine.begin();
      return machine;
    }
    case State::kConsent: {
      Settings settings = with_model();
      settings.has_consented = false;
      Machine machine = machine_with(settings);
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      return machine;
    }
    case State::kRetryConsent: {
      Settings settings = with_model();
      settings.shows_retries = true;
      Machine machine = machine_with(settings);
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      machine.handle(Written{"code", Author::kModel});
      machine.handle(failed(Stage::kSandbox, "ValueError"));
      return machine;
    }
    case State::kGenerating: {
      Machine machine = machine_with(with_model());
      machine.begin();
      machine.handle(analyzed(OutputKind::kPython));
      return machine;
    }
    case State::kRegenerating: {
      Machine machine = in_python_result();
      machine.handle(Pressed{Key::kRegenerate});
      return machine;
    }
    case State::kYamlResult:
      return in_yaml_result();
    case State::kPythonResult:
      return in_python_result();
    case State::kPatterns: {
      Machine machine = in_yaml_result();
      machine.handle(Pressed{Key::kPatterns});
      return machine;
    }
    case State::kNaming: {
      Machine machine = in_yaml_result();
      machine.handle(Pressed{Key::kName});
      return machine;
    }
    case State::kHintInput: {
      Machine machine = in_yaml_result();
      machine.handle(Pressed{Key::kHint});
      return machine;
    }
    case State::kEditing: {
      Machine machine = in_python_result();
      machine.handle(Pressed{Key::kEdit});
      return machine;
    }
    case State::kEditError: {
      Machine machine = in_state(State::kEditing);
      machine.handle(EditorFailed{"it ended with 1"});
      return machine;
    }
    case State::kAnalysisError:
      return in_error();
    case State::kYamlFallback: {
      Machine machine = in_error();
      machine.handle(Pressed{Key::kYaml});
      return machine;
    }
    case State::kApproving: {
      Machine machine = in_yaml_result();
      machine.handle(Pressed{Key::kEnter});
      return machine;
    }
    case State::kApproved: {
      Machine machine = in_state(State::kApproving);
      machine.handle(ApprovalDone{1});
      return machine;
    }
    case State::kCanceled: {
      Machine machine = in_yaml_result();
      machine.handle(Pressed{Key::kEscape});
      return machine;
    }
    case State::kClosed: {
      Machine machine = in_error();
      machine.handle(Pressed{Key::kEscape});
      return machine;
    }
  }
  return machine_with();
}

std::vector<Event> every_event() {
  std::vector<Event> events;
  for (const Key key : kKeys) events.emplace_back(Pressed{key});
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
  events.emplace_back(Written{"code", Author::kModel});
  events.emplace_back(NotWritten{"no recipe", "a model"});
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

std::vector<State> every_state() {
  std::vector<State> states;
  for (std::size_t i = 0; i < kStateCount; ++i) states.push_back(static_cast<State>(i));
  return states;
}

TEST(Machine, EveryStateCanBeReached) {
  for (const State state : every_state())
    EXPECT_EQ(in_state(state).sheet().state, state) << to_string(state);
}

TEST(Machine, StateNamesAreDistinct) {
  std::set<std::string> names;
  for (const State state : every_state()) names.insert(to_string(state));
  EXPECT_EQ(names.size(), kStateCount);
}

// Where each key leads; a state and a key that are not here change nothing.
TEST(Machine, KeysLeadWhereTheTableSays) {
  struct Row {
    State state;
    Key key;
    State next;
  };
  constexpr std::array kTable = {
      Row{State::kAnalyzing, Key::kEscape, State::kCanceled},
      Row{State::kConsent, Key::kEnter, State::kGenerating},
      Row{State::kConsent, Key::kShow, State::kGenerating},
      Row{State::kConsent, Key::kWithout, State::kGenerating},
      Row{State::kConsent, Key::kEscape, State::kCanceled},
      Row{State::kRetryConsent, Key::kEnter, State::kGenerating},
      Row{State::kRetryConsent, Key::kAll, State::kGenerating},
      Row{State::kRetryConsent, Key::kWithout, State::kRegenerating},
      Row{State::kRetryConsent, Key::kEscape, State::kAnalysisError},
      Row{State::kGenerating, Key::kEscape, State::kCanceled},
      Row{State::kRegenerating, Key::kEscape, State::kPythonResult},
      Row{State::kYamlResult, Key::kEnter, State::kApproving},
      Row{State::kYamlResult, Key::kEscape, State::kCanceled},
      Row{State::kYamlResult, Key::kHint, State::kHintInput},
      Row{State::kYamlResult, Key::kEdit, State::kEditing},
      Row{State::kYamlResult, Key::kRegenerate, State::kRegenerating},
      Row{State::kYamlResult, Key::kName, State::kNaming},
      Row{State::kYamlResult, Key::kPatterns, State::kPatterns},
      Row{State::kPythonResult, Key::kEnter, State::kApproving},
      Row{State::kPythonResult, Key::kEscape, State::kCanceled},
      Row{State::kPythonResult, Key::kHint, State::kHintInput},
      Row{State::kPythonResult, Key::kEdit, State::kEditing},
      Row{State::kPythonResult, Key::kRegenerate, State::kRegenerating},
      Row{State::kPythonResult, Key::kName, State::kNaming},
      Row{State::kPythonResult, Key::kPatterns, State::kPatterns},
      Row{State::kPatterns, Key::kEscape, State::kYamlResult},
      Row{State::kNaming, Key::kEscape, State::kYamlResult},
      Row{State::kHintInput, Key::kEscape, State::kYamlResult},
      Row{State::kEditError, Key::kEdit, State::kEditing},
      Row{State::kEditError, Key::kEscape, State::kPythonResult},
      Row{State::kAnalysisError, Key::kHint, State::kHintInput},
      Row{State::kAnalysisError, Key::kEdit, State::kEditing},
      Row{State::kAnalysisError, Key::kRegenerate, State::kRegenerating},
      Row{State::kAnalysisError, Key::kYaml, State::kYamlFallback},
      Row{State::kAnalysisError, Key::kPatterns, State::kPatterns},
      Row{State::kAnalysisError, Key::kEscape, State::kClosed},
      Row{State::kYamlFallback, Key::kYaml, State::kRegenerating},
      Row{State::kYamlFallback, Key::kEdit, State::kEditing},
      Row{State::kYamlFallback, Key::kEscape, State::kCanceled},
  };
  for (const State state : every_state()) {
    for (const Key key : kKeys) {
      const auto row = std::ranges::find_if(
          kTable, [&](const Row& one) { return one.state == state && one.key == key; });
      Machine machine = in_state(state);
      machine.handle(Pressed{key});
      const State expected = row == kTable.end() ? state : row->next;
      EXPECT_EQ(machine.sheet().state, expected)
          << to_string(state) << " with key " << static_cast<int>(key);
    }
  }
}

// Whatever happens in whatever state: a known state, at most one piece of work, and a final state
// stays.
TEST(Machine, EveryStateTakesEveryEvent) {
  for (const State state : every_state()) {
    for (const Event& event : every_event()) {
      Machine machine = in_state(state);
      const auto effects = machine.handle(event);
      EXPECT_LE(effects.size(), 2U) << to_string(state) << " event " << event.index();
      if (is_final(state)) {
        EXPECT_EQ(machine.sheet().state, state);
        EXPECT_TRUE(effects.empty());
      }
    }
  }
}

// The same for two events in a row: no pair leads into a place without a way out.
TEST(Machine, NoStateIsWithoutAWayOut) {
  for (const State state : every_state()) {
    for (const Event& first : every_event()) {
      for (const Event& second : every_event()) {
        Machine machine = in_state(state);
        machine.handle(first);
        machine.handle(second);
        const State now = machine.sheet().state;
        if (is_final(now) || now == State::kEditing || now == State::kApproving) continue;
        const auto keys = keys_of(machine.sheet());
        ASSERT_FALSE(keys.empty()) << to_string(now);
        EXPECT_EQ(keys.back().key, Key::kEscape) << to_string(now);
        machine.handle(Pressed{Key::kEscape});
        EXPECT_NE(machine.sheet().state, now) << to_string(now);
      }
    }
  }
}

TEST(Machine, EditorAndApprovalAlwaysComeBack) {
  for (const Event& event :
       {Event(EditorClosed{"other"}), Event(EditorClosed{"good"}), Event(EditorFailed{"x"})}) {
    Machine machine = in_state(State::kEditing);
    machine.handle(event);
    EXPECT_NE(machine.sheet().state, State::kEditing);
  }
  for (const Event& event : {Event(ApprovalDone{1}), Event(ApprovalFailed{"x", false}),
                             Event(ApprovalFailed{"x", true})}) {
    Machine machine = in_state(State::kApproving);
    machine.handle(event);
    EXPECT_NE(machine.sheet().state, State::kApproving);
  }
}

TEST(Machine, ARuleThatIsSureIsAResult) {
  const Machine machine = in_yaml_result();
  EXPECT_EQ(machine.sheet().draft, "0a1b2c3d");
  EXPECT_EQ(machine.sheet().name, "sales");
  EXPECT_EQ(machine.sheet().attempts.size(), 1U);
  EXPECT_EQ(machine.sheet().author, Author::kInference);
}

TEST(Machine, ARuleThatIsAGuessAsksForMore) {
  Machine machine = machine_with();
  machine.begin();
  const auto effects = machine.handle(analyzed(OutputKind::kYaml, 49));
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_TRUE(effects.empty());
  EXPECT_TRUE(machine.sheet().offers_fallback);
}

TEST(Machine, AModelIsAskedWhenARuleWouldBeAGuess) {
  Machine machine = machine_with(with_model());
  machine.begin();
  const auto effects = machine.handle(analyzed(OutputKind::kYaml, 49));
  ASSERT_NE(find_effect<Write>(effects), nullptr);
  EXPECT_EQ(find_effect<Write>(effects)->author, Author::kModel);
}

TEST(Machine, NothingIsSentBeforeConsent) {
  Settings settings = with_model();
  settings.has_consented = false;
  Machine machine = machine_with(settings);
  machine.begin();
  EXPECT_TRUE(machine.handle(analyzed(OutputKind::kPython)).empty());
  const auto effects = machine.handle(Pressed{Key::kEnter});
  ASSERT_NE(find_effect<Write>(effects), nullptr);
  EXPECT_EQ(find_effect<Write>(effects)->author, Author::kModel);
}

TEST(Machine, WithoutTheModelTemplatesWrite) {
  Machine machine = in_state(State::kConsent);
  const auto effects = machine.handle(Pressed{Key::kWithout});
  ASSERT_NE(find_effect<Write>(effects), nullptr);
  EXPECT_EQ(find_effect<Write>(effects)->author, Author::kTemplates);
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
    const auto* question = find_effect<Write>(effects);
    ASSERT_NE(question, nullptr);
    EXPECT_EQ(question->retry.empty(), questions == 0);
    if (questions > 0) {
      EXPECT_EQ(question->retry,
                retry_text(kStages.at(questions - 1), "context: e" + std::to_string(questions - 1),
                           machine.sheet().samples));
      EXPECT_EQ(machine.sheet().attempts.back().retry, question->retry);
    }
    EXPECT_EQ(machine.sheet().retries_left, 3 - questions);
    ++questions;
    machine.handle(Written{"code" + std::to_string(questions), Author::kModel});
    effects = machine.handle(failed(stage, "e" + std::to_string(questions - 1)));
  }
  EXPECT_EQ(questions, 4U);
  EXPECT_TRUE(effects.empty());
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_EQ(machine.sheet().retries_left, 0U);
  EXPECT_EQ(machine.sheet().attempts.size(), 4U);
  EXPECT_EQ(machine.sheet().problem.stage, "sandbox test");
}

Machine after_failures(const std::vector<Judged>& failures) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml, 40));
  for (const Judged& one : failures) {
    machine.handle(Written{"code", Author::kModel});
    machine.handle(one);
  }
  return machine;
}

TEST(Machine, TheSameMistakeIsNoticed) {
  const Judged same = failed(Stage::kSecurity, "os is not allowed");
  const Machine machine = after_failures({same, same, same, same});
  ASSERT_EQ(machine.sheet().attempts.size(), 4U);
  EXPECT_FALSE(machine.sheet().attempts[0].is_repeat);
  EXPECT_TRUE(machine.sheet().attempts[1].is_repeat);
  EXPECT_TRUE(machine.sheet().attempts[3].is_repeat);
  EXPECT_FALSE(machine.sheet().notes.empty());
}

TEST(Machine, FallbackIsOfferedAfterTimeoutsAndSecurity) {
  Judged timeout = failed(Stage::kSandbox, "timed out");
  timeout.has_timed_out = true;
  const Judged other = failed(Stage::kSandbox, "ValueError");
  const Judged forbidden = failed(Stage::kSecurity, "os");
  EXPECT_TRUE(after_failures({other, timeout, other, other}).sheet().offers_fallback);
  EXPECT_TRUE(after_failures({forbidden, forbidden, forbidden, forbidden}).sheet().offers_fallback);
}

TEST(Machine, FallbackNeedsAReason) {
  Settings settings = with_model();
  settings.prefers_python = true;
  Machine machine = machine_with(settings);
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml, 90));
  for (int i = 0; i < 4; ++i) {
    machine.handle(Written{"code", Author::kModel});
    machine.handle(failed(i == 0 ? Stage::kSecurity : Stage::kSandbox, "ValueError"));
  }
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_FALSE(machine.sheet().offers_fallback);
}

TEST(Machine, ThreeWaysOnAfterTransportFailures) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(ModelFailed{not_running()});
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_TRUE(machine.sheet().problem.is_transport);
  EXPECT_EQ(machine.sheet().retries_left, 3U);
  EXPECT_TRUE(machine.sheet().attempts.empty());
  const auto effects = machine.handle(Pressed{Key::kWithout});
  ASSERT_NE(find_effect<Write>(effects), nullptr);
  EXPECT_EQ(find_effect<Write>(effects)->author, Author::kTemplates);
}

TEST(Machine, ABusyServerIsAskedAgainAfterTheTimeItNames) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  for (std::size_t i = 1; i < kTransportTries; ++i) {
    const auto effects = machine.handle(ModelFailed{busy(7)});
    ASSERT_NE(find_effect<Write>(effects), nullptr);
    EXPECT_EQ(find_effect<Write>(effects)->wait, std::chrono::seconds(7));
  }
  EXPECT_TRUE(machine.handle(ModelFailed{busy(7)}).empty());
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_EQ(machine.sheet().transport_failures, kTransportTries);
  EXPECT_EQ(machine.sheet().retries_left, 3U);
}

TEST(Machine, NobodyWaitsForAnHour) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  EXPECT_TRUE(machine.handle(ModelFailed{busy(3600)}).empty());
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
}

TEST(Machine, ATransportFailureInARetryKeepsItsQuestion) {
  Machine machine = machine_with(with_model());
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kModel});
  machine.handle(failed(Stage::kSyntax, "first"));
  const auto effects = machine.handle(ModelFailed{busy(1)});
  ASSERT_NE(find_effect<Write>(effects), nullptr);
  EXPECT_TRUE(find_effect<Write>(effects)->retry.contains("context: first"));
  EXPECT_EQ(machine.sheet().retries_left, 2U);
}

TEST(Machine, AHintAfterAnErrorIsOneMoreTry) {
  const Judged bad = failed(Stage::kSandbox, "ValueError");
  Machine machine = after_failures({bad, bad, bad, bad});
  machine.handle(Pressed{Key::kHint});
  const auto effects = machine.handle(HintGiven{"the second folder is the client"});
  EXPECT_NE(find_effect<Analyze>(effects), nullptr);
  EXPECT_EQ(machine.sheet().retries_left, 0U);
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kModel});
  machine.handle(failed(Stage::kSandbox, "KeyError"));
  EXPECT_EQ(machine.sheet().state, State::kAnalysisError);
  EXPECT_EQ(machine.sheet().attempts.size(), 5U);
}

TEST(Machine, RetryFreshFillsTheBudget) {
  const Judged bad = failed(Stage::kSandbox, "ValueError");
  Machine machine = after_failures({bad, bad, bad, bad});
  machine.handle(Pressed{Key::kRegenerate});
  EXPECT_EQ(machine.sheet().retries_left, 3U);
}

TEST(Machine, AHintRaisesToPythonAndNeverLowers) {
  Machine machine = in_python_result();
  machine.handle(Pressed{Key::kHint});
  machine.handle(HintGiven{"the first folder is the site"});
  const auto effects = machine.handle(analyzed(OutputKind::kYaml));
  EXPECT_NE(find_effect<Write>(effects), nullptr);
}

TEST(Machine, WithoutAHintNothingAsksForPython) {
  Machine machine = machine_with({}, "compute the quarter");
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kTemplates});
  machine.handle(passed());
  machine.handle(DraftKept{"0a1b2c3d"});
  machine.handle(Pressed{Key::kHint});
  EXPECT_NE(find_effect<Analyze>(machine.handle(HintGiven{""})), nullptr);
  EXPECT_NE(find_effect<Judge>(machine.handle(analyzed(OutputKind::kYaml))), nullptr);
}

TEST(Machine, EscFromWorkGivesTheResultBack) {
  Machine machine = in_python_result();
  machine.handle(Pressed{Key::kRegenerate});
  machine.handle(analyzed(OutputKind::kPython));
  const auto effects = machine.handle(Pressed{Key::kEscape});
  EXPECT_NE(find_effect<StopWork>(effects), nullptr);
  EXPECT_EQ(machine.sheet().state, State::kPythonResult);
  EXPECT_EQ(machine.sheet().text, "good");
  EXPECT_EQ(machine.sheet().draft, "0a1b2c3d");
}

TEST(Machine, ABrokenEditCostsNothing) {
  Machine machine = in_state(State::kEditing);
  machine.handle(EditorClosed{"broken"});
  EXPECT_EQ(machine.sheet().state, State::kRegenerating);
  machine.handle(failed(Stage::kSyntax, "line 1", "broken"));
  EXPECT_EQ(machine.sheet().state, State::kEditError);
  const auto effects = machine.handle(Pressed{Key::kEdit});
  ASSERT_NE(find_effect<OpenEditor>(effects), nullptr);
  EXPECT_EQ(find_effect<OpenEditor>(effects)->text, "broken");
  machine.handle(EditorFailed{"killed"});
  machine.handle(Pressed{Key::kEscape});
  EXPECT_EQ(machine.sheet().state, State::kPythonResult);
  EXPECT_EQ(machine.sheet().text, "good");
  EXPECT_EQ(machine.sheet().retries_left, 3U);
}

TEST(Machine, AnEditWithoutAChangeChangesNothing) {
  Machine machine = in_state(State::kEditing);
  EXPECT_TRUE(machine.handle(EditorClosed{"good"}).empty());
  EXPECT_EQ(machine.sheet().state, State::kPythonResult);
}

TEST(Machine, AnEditorHasSomethingToOpen) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(AnalysisFailed{"nothing", ""});
  const auto effects = machine.handle(Pressed{Key::kEdit});
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
  machine.handle(Pressed{Key::kEnter});
  EXPECT_EQ(machine.sheet().state, State::kNaming);
  machine.handle(NameGiven{"still not!"});
  EXPECT_EQ(machine.sheet().state, State::kNaming);
  EXPECT_FALSE(machine.sheet().name_trouble.empty());
  machine.handle(NameGiven{"reports"});
  EXPECT_EQ(machine.sheet().state, State::kYamlResult);
  const auto effects = machine.handle(Pressed{Key::kEnter});
  EXPECT_NE(find_effect<Approve>(effects), nullptr);
}

TEST(Machine, AnExpiredDraftIsKeptAnew) {
  Machine machine = in_state(State::kApproving);
  machine.handle(ApprovalFailed{"expired", true});
  EXPECT_EQ(machine.sheet().state, State::kYamlResult);
  EXPECT_TRUE(machine.sheet().draft.empty());
  auto effects = machine.handle(Pressed{Key::kEnter});
  EXPECT_NE(find_effect<KeepDraft>(effects), nullptr);
  effects = machine.handle(DraftKept{"22222222"});
  EXPECT_NE(find_effect<Approve>(effects), nullptr);
  machine.handle(ApprovalDone{1});
  EXPECT_EQ(machine.sheet().state, State::kApproved);
}

TEST(Machine, AFullDiskLosesNothing) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(analyzed(OutputKind::kYaml));
  machine.handle(passed());
  machine.handle(DraftNotKept{"no space left"});
  EXPECT_EQ(machine.sheet().state, State::kYamlResult);
  EXPECT_EQ(machine.sheet().text, "good");
  machine.handle(Pressed{Key::kEnter});
  EXPECT_EQ(machine.sheet().state, State::kApproving);
  machine.handle(DraftNotKept{"no space left"});
  EXPECT_EQ(machine.sheet().state, State::kYamlResult);
  EXPECT_FALSE(machine.sheet().problem.title.empty());
  EXPECT_EQ(machine.sheet().text, "good");
}

TEST(Machine, IgnoredPatternsAreAnalysedAgain) {
  Machine machine = in_state(State::kPatterns);
  const auto effects = machine.handle(PatternsChosen{{true, false}});
  EXPECT_NE(find_effect<Analyze>(effects), nullptr);
  EXPECT_FALSE(machine.sheet().patterns[1].keep);
}

TEST(Machine, NoIsolationIsSaid) {
  Machine machine = machine_with();
  machine.begin();
  machine.handle(analyzed(OutputKind::kPython));
  machine.handle(Written{"code", Author::kTemplates});
  machine.handle(JudgeFailed{"no user namespaces", true});
  EXPECT_TRUE(machine.sheet().problem.is_isolation);
  EXPECT_FALSE(machine.sheet().offers_fallback);
}

}  // namespace
}  // namespace airlock::wizard

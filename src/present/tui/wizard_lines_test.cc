#include "present/tui/wizard_lines.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "support/fake_session.h"

namespace airlock::tui {
namespace {

struct Talk {
  int code = 0;
  std::string said;
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Talk talk(wizard::Session& session, const std::string& answers, const ScreenOptions& options = {}) {
  const File in(std::tmpfile(), std::fclose);
  const File out(std::tmpfile(), std::fclose);
  std::fputs(answers.c_str(), in.get());
  EXPECT_EQ(std::fseek(in.get(), 0, SEEK_SET), 0);
  Talk result;
  result.code = run_wizard_lines(session, in.get(), out.get(), options);
  EXPECT_EQ(std::fseek(out.get(), 0, SEEK_SET), 0);
  for (int byte = std::fgetc(out.get()); byte != EOF; byte = std::fgetc(out.get())) {
    result.said += static_cast<char>(byte);
  }
  return result;
}

Talk talk(Script script, const std::string& answers) {
  script.step_ms = 1;
  FakeSession session(script);
  return talk(session, answers);
}

bool has(const Talk& result, std::string_view text) {
  return result.said.find(text) != std::string::npos;
}

TEST(LineByLine, ApprovesWithAnEmptyLine) {
  const Talk result = talk(Script{}, "\n");
  EXPECT_EQ(result.code, 0) << result.said;
  EXPECT_TRUE(has(result, "Analyzing 5 sample paths..."));
  EXPECT_TRUE(has(result, "[Enter] Approve, [n] Name"));
  EXPECT_TRUE(has(result, "✓ Approved: client_reports, version 1"));
}

TEST(LineByLine, TakesTheEndOfInputForEscape) {
  const Talk result = talk(Script{}, "");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(has(result, "The draft 1a2b3c4d waits for 24 hours."));
}

TEST(LineByLine, ExplainsItsKeysAndRefusesOthers) {
  const Talk result = talk(Script{}, "?\nzz\nQ\n");
  EXPECT_TRUE(has(result, "Open it in $VISUAL or $EDITOR"));
  EXPECT_TRUE(has(result, "'zz' is none of the keys."));
  EXPECT_EQ(result.code, 1);
  // What was told already is not told again: the help would scroll away.
  EXPECT_EQ(result.said.find("Preview:"), result.said.rfind("Preview:")) << result.said;
}

TEST(LineByLine, TakesTheWordForAKey) {
  EXPECT_EQ(talk(Script{}, "Approve\n").code, 0);
  EXPECT_EQ(talk(Script{}, "quit\n").code, 1);
}

TEST(LineByLine, TheEndInTheMiddleOfADialogTellsNothingTwice) {
  const Talk result = talk(Script{}, "h\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.said.find("Preview:"), result.said.rfind("Preview:")) << result.said;
}

TEST(LineByLine, RepeatsNoLongLineAndSaysWhyAHintIsNotTaken) {
  const Talk result =
      talk(Script{}, std::string(70000, 'x') + "\nh\n" + std::string(501, 'y') + "\n");
  EXPECT_LT(result.said.size(), 10000U);
  EXPECT_TRUE(has(result, "xxx…' is none of the keys."));
  EXPECT_TRUE(has(result, "That has 501 characters, and a hint has at most 500."));
}

TEST(LineByLine, AtLeastOneFieldIsKept) {
  const Talk result = talk(Script{}, "p\n1 2 4\n\nq\nq\n");
  EXPECT_TRUE(has(result, "Keep at least one field")) << result.said;
}

TEST(LineByLine, TakesSeveralNumbersOrNone) {
  const Talk result = talk(Script{}, "p\n1, 2\n1 99\n2x\n");
  EXPECT_TRUE(has(result, "   1 ignore ")) << result.said;
  EXPECT_TRUE(has(result, "   2 ignore "));
  EXPECT_TRUE(has(result, "'99' is none of the numbers; nothing was changed."));
  EXPECT_TRUE(has(result, "'2x' is none of the numbers; nothing was changed."));
}

TEST(LineByLine, AsksBeforeAnythingIsSentAndFollowsTheAttempts) {
  Script script;
  script.has_model = true;
  script.wants_python = true;
  script.failures = 1;
  const Talk result = talk(script, "\n\n");
  EXPECT_EQ(result.code, 0) << result.said;
  EXPECT_TRUE(has(result, "Nothing is sent before you press Enter or say s."));
  EXPECT_TRUE(
      has(result, "Retries add: if it fails, up to 3 times: error, line, source, a path above"));
  EXPECT_TRUE(has(result, "  | You write small Python programs"));
  EXPECT_TRUE(has(result, "attempt 1. model: failed at the sandbox tests: ValueError"));
  EXPECT_FALSE(has(result, "PREVIOUS ATTEMPT FAILED"));
}

TEST(LineByLine, ShowsEachRetryToWhoAsksForIt) {
  Script script;
  script.has_model = true;
  script.wants_python = true;
  script.failures = 2;
  const Talk result = talk(script, "s\n\na\n\n");
  EXPECT_EQ(result.code, 0) << result.said;
  EXPECT_TRUE(has(result, "  | PREVIOUS ATTEMPT FAILED"));
  EXPECT_TRUE(has(result, "  | ValueError: invalid literal for int() with base 10: 'Q1'"));
  EXPECT_TRUE(has(result, "Nothing is sent before you press Enter or say a."));
  EXPECT_TRUE(has(result, "[Enter] Send, [a] Send all, [w] Without model, [q] Send nothing"));
}

TEST(LineByLine, OffersTheSimplerRule) {
  Script script;
  script.has_model = true;
  script.wants_python = true;
  script.failures = 4;
  const Talk result = talk(script, "\ny\ny\n\n");
  EXPECT_EQ(result.code, 0) << result.said;
  EXPECT_TRUE(has(result, "Last error (sandbox test):"));
  EXPECT_TRUE(has(result, "It cannot give:"));
}

TEST(LineByLine, NamesHintsAndPatternsAreAsked) {
  const Talk result = talk(Script{}, "n\nbad name\nother\np\n2\n99\n\nh\ncompute months\n\n");
  EXPECT_EQ(result.code, 0) << result.said;
  EXPECT_TRUE(has(result, " 2 ignore year"));
  EXPECT_TRUE(has(result, "'99' is none of the numbers"));
  EXPECT_TRUE(has(result, "Approved: "));
}

TEST(LineByLine, SpellsOutWhatATerminalWouldObey) {
  for (NamedState& named : test_states()) {
    wizard::WizardState& state = named.state;
    if (wizard::is_busy(state.phase)) continue;
    state.text = state.name = state.hint = state.model = "\x1b[2J\u202e\xff";
    state.outgoing = state.fallback = state.text;
    state.problem = {state.text, state.text, state.text, state.text};
    state.patterns = {{state.text, state.text, state.text, state.text, state.text}};
    state.preview = {{state.text, true, state.text}, {"x", false, "", state.text}};
    state.warnings = state.fallback_lost = {state.text};
    StillSession session(state);
    const Talk result = talk(session, "");
    EXPECT_EQ(result.said.find('\x1b'), std::string::npos) << named.name;
    EXPECT_EQ(result.said.find("\u202e"), std::string::npos) << named.name;
    EXPECT_EQ(result.said.find('\xff'), std::string::npos) << named.name;
  }
}

}  // namespace
}  // namespace airlock::tui

// A real vetter, spoken to in bytes. It reads a policy, then one text after another, and runs
// nothing; whatever else it hears ends it, and it never answers what was not asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "guest/roles.h"
#include "model/rule.h"
#include "support/host_talk.h"

namespace airlock::guest {
namespace {

using test::hello;
using test::Host;

std::string vet(std::string_view text, TextKind kind = TextKind::kProgram,
                Stages stages = {.security = true, .signature = true}) {
  return wire::encode_vet(text, stages, kind);
}

constexpr std::string_view kHonest = "def extract(path: str) -> dict:\n    return {'path': path}\n";

// One that has its policy and stands behind its walls.
Host ready_vetter() {
  Host host("vetter");
  host.say(hello());
  EXPECT_TRUE(wire::decode_ready(host.hear().value_or("")));
  return host;
}

std::optional<Verdict> ask(Host& host, std::string_view text, TextKind kind = TextKind::kProgram) {
  host.say(vet(text, kind));
  return wire::decode_verdict(host.hear().value_or(""));
}

// ---- its life

TEST(VetterHost, SaysWhichWallsStandBeforeItReadsAnyonesCode) {
  Host host("vetter");
  host.say(hello());
  const auto walls = wire::decode_ready(host.hear().value_or(""));
  ASSERT_TRUE(walls);
  for (const std::string_view wall : {"seccomp", "no-new-privileges", "limits"})
    EXPECT_NE(std::ranges::find(*walls, wall), walls->end()) << wall;
}

TEST(VetterHost, EndsWellWhenNobodyAsksAnything) {
  Host host("vetter");
  host.stop_talking();
  EXPECT_EQ(host.exit_code(), test::kDone);
}

TEST(VetterHost, EndsWellWhenTheQuestionsAreOver) {
  Host host = ready_vetter();
  EXPECT_TRUE(ask(host, kHonest));
  host.stop_talking();
  EXPECT_EQ(host.exit_code(), test::kDone);
}

TEST(VetterHost, AnswersOneQuestionAfterAnother) {
  Host host = ready_vetter();
  for (int i = 0; i < 50; ++i) {
    const bool is_honest = i % 2 == 0;
    const auto verdict = ask(host, is_honest ? kHonest : "import os\n");
    ASSERT_TRUE(verdict) << i;
    EXPECT_EQ(verdict->decision == Decision::kAccepted, is_honest);
  }
}

TEST(VetterHost, AnswersQuestionsThatWereAskedTogetherInTheirOrder) {
  Host host = ready_vetter();
  for (int i = 0; i < 20; ++i) host.say(vet("x" + std::to_string(i) + " = 1\n"));
  for (int i = 0; i < 20; ++i) {
    const auto verdict = wire::decode_verdict(host.hear().value_or(""));
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->code, "x" + std::to_string(i) + " = 1\n");
  }
}

// ---- what ends it

TEST(VetterHost, ATextBeforeThePolicyEndsIt) {
  Host host("vetter");
  EXPECT_EQ(host.exit_code_after(vet(kHonest)), test::kBadRequest);
  EXPECT_FALSE(host.hear());
}

TEST(VetterHost, ASecondPolicyEndsIt) {
  Host host = ready_vetter();
  EXPECT_EQ(host.exit_code_after(hello()), test::kBadRequest);
  EXPECT_FALSE(host.hear());
}

TEST(VetterHost, APolicyThatIsCutAnywhereEndsIt) {
  const std::string whole = hello();
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{5}, whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
    Host host("vetter");
    EXPECT_EQ(host.exit_code_after(whole.substr(0, size)), test::kBadRequest) << size;
    EXPECT_FALSE(host.hear());
  }
}

TEST(VetterHost, MessagesOfAnotherConversationEndIt) {
  for (const std::string& other :
       {wire::encode_cell(), wire::encode_reap(1), wire::encode_prepare({1, 1}),
        wire::encode_path(1, "/a"), wire::encode_ready({"seccomp"}), std::string("?"),
        std::string(1, '\0')}) {
    Host host = ready_vetter();
    EXPECT_EQ(host.exit_code_after(other), test::kBadRequest);
    EXPECT_FALSE(host.hear());
  }
}

TEST(VetterHost, ARequestWithAByteTooManyEndsIt) {
  Host host = ready_vetter();
  EXPECT_EQ(host.exit_code_after(vet(kHonest) + "x"), test::kBadRequest);
}

TEST(VetterHost, AnEmptyMessageEndsIt) {
  Host host = ready_vetter();
  EXPECT_EQ(host.exit_code_after(""), test::kBadRequest);
}

TEST(VetterHost, ALengthBeyondEveryLimitEndsItBeforeMemoryIsTaken) {
  for (const std::string_view length : {"\xFF\xFF\xFF\xFF", "\x01\x00\x80\x00"}) {
    Host host = ready_vetter();
    host.say_raw(std::string_view(length.data(), 4));
    host.stop_talking();
    EXPECT_EQ(host.exit_code(), test::kBadRequest);
  }
}

TEST(VetterHost, HalfAMessageIsNoMessage) {
  Host host = ready_vetter();
  host.say_raw(std::string_view("\x10\0\0\0V", 5));
  host.stop_talking();
  EXPECT_NE(host.exit_code(), test::kPeerGone);
  EXPECT_FALSE(host.hear());
}

TEST(VetterHost, DescriptorsThatComeAlongAreOfNoUseToIt) {
  Host host = ready_vetter();
  host.say(vet(kHonest), 0);
  EXPECT_TRUE(wire::decode_verdict(host.hear().value_or("")));
}

// ---- texts that are none, and texts without end

TEST(VetterHost, BytesThatAreNoTextAreRefusedAndTheNextTextIsJudged) {
  Host host = ready_vetter();
  for (const std::string_view bad :
       {std::string_view("\xFF\xFE"), std::string_view("x = '\xC3'\n"),
        std::string_view("x = 1\0y = 2\n", 12), std::string_view("\xEF\xBB")}) {
    const auto verdict = ask(host, bad);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->decision, Decision::kRefused);
  }
  EXPECT_EQ(ask(host, kHonest)->decision, Decision::kAccepted);
}

TEST(VetterHost, NestingAndSizeBeyondTheLimitsAreRefusedAndTheNextTextIsJudged) {
  Host host = ready_vetter();
  const std::string brackets =
      "x = " + std::string(5000, '(') + "1" + std::string(5000, ')') + "\n";
  const std::string minuses = "x = " + std::string(20000, '-') + "1\n";
  const std::string large = "x = '" + std::string(1 << 20, 'a') + "'\n";
  std::string indents;
  for (int i = 0; i < 120; ++i)
    indents += std::string(static_cast<std::size_t>(i), ' ') + "if 1:\n";
  for (const std::string& text : {brackets, minuses, large, indents}) {
    const auto verdict = ask(host, text);
    ASSERT_TRUE(verdict) << text.size();
    EXPECT_EQ(verdict->decision, Decision::kRefused) << text.size();
  }
  EXPECT_EQ(ask(host, kHonest)->decision, Decision::kAccepted);
}

TEST(VetterHost, AnEmptyTextIsAnAnswerToo) {
  Host host = ready_vetter();
  const auto verdict = ask(host, "");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->decision, Decision::kRefused) << "there is no extract in it";
}

TEST(VetterHost, ItRunsNothingOfWhatItReads) {
  Host host = ready_vetter();
  const auto verdict = ask(host, "while True: pass\n");
  EXPECT_TRUE(verdict) << "it would never have answered";
  EXPECT_TRUE(ask(host, "raise SystemExit(7)\n"));
  EXPECT_TRUE(ask(host, "import os\nos._exit(7)\n"));
  EXPECT_TRUE(host.is_alive());
}

TEST(VetterHost, CompiledCodeComesOnlyWhenItWasAskedForAndAccepted) {
  Host host = ready_vetter();
  host.say(
      vet(kHonest, TextKind::kProgram, {.security = true, .signature = true, .compile = false}));
  EXPECT_EQ(wire::decode_verdict(*host.hear())->compiled, "");
  host.say(
      vet(kHonest, TextKind::kProgram, {.security = true, .signature = true, .compile = true}));
  EXPECT_NE(wire::decode_verdict(*host.hear())->compiled, "");
  host.say(vet("import os\n", TextKind::kProgram,
               {.security = true, .signature = true, .compile = true}));
  EXPECT_EQ(wire::decode_verdict(*host.hear())->compiled, "");
}

TEST(VetterHost, AnAnswerIsCleanedAndAProgramIsNot) {
  Host host = ready_vetter();
  const std::string fenced = "Here it is:\n```python\n" + std::string(kHonest) + "```\n";
  EXPECT_EQ(ask(host, fenced, TextKind::kAnswer)->decision, Decision::kAccepted);
  EXPECT_EQ(ask(host, fenced, TextKind::kProgram)->decision, Decision::kRefused);
}

// ---- the program itself

TEST(VetterHost, ARoleThatDoesNotExistIsSaidToBeNone) {
  for (const char* role : {"", "vetters", "cell", "--help"}) {
    Host host(role);
    EXPECT_EQ(host.exit_code(), test::kUnknownRole) << role;
    EXPECT_FALSE(host.hear());
  }
}

TEST(VetterHost, TheRoleInterpreterSaysItsVersionAndEnds) {
  Host host("interpreter");
  EXPECT_TRUE(host.hear().value_or("").starts_with("CPython 3."));
  EXPECT_EQ(host.exit_code(), test::kDone);
}

}  // namespace
}  // namespace airlock::guest

#include "run/vetter_client.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "jail/vetter_jail.h"
#include "model/rule.h"

namespace airlock::run {
namespace {

using namespace std::chrono_literals;

const std::string kHost = AIRLOCK_BINARY_DIR "/airlock-host";
const std::string kFakeHost = AIRLOCK_SOURCE_DIR "/tests/support/fake_host.py";

const Policy& extractor() {
  return *find_builtin_policy("extractor");
}

Policy named(const char* name) {
  Policy policy;
  policy.name = name;
  return policy;
}

VetterClient start(const std::string& program) {
  return VetterClient::start(program, extractor()).value();
}

std::string why_not(const std::string& program, const Policy& policy) {
  const auto client = VetterClient::start(program, policy);
  return client ? "it started" : client.error().message;
}

// The value of a line in /proc/PID/status.
std::string status_of(pid_t id, const std::string& field) {
  std::ifstream file("/proc/" + std::to_string(id) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":"))
      return line.substr(line.find_first_not_of(" \t", field.size() + 1));
  }
  return "";
}

TEST(VetterClient, AVetterJudgesOneFileAfterAnother) {
  VetterClient client = start(kHost);
  const auto good = client.vet("def extract(path):\n    return {}\n", {}, TextKind::kAnswer, 10s);
  ASSERT_TRUE(good) << good.error().why;
  EXPECT_EQ(good->decision, Decision::kAccepted);
  const auto bad = client.vet("import os\n", {}, TextKind::kAnswer, 10s);
  ASSERT_TRUE(bad) << bad.error().why;
  ASSERT_EQ(bad->findings.size(), 1u);
  EXPECT_EQ(bad->findings[0].rule->code, RuleCode::kForbiddenImport);
}

TEST(VetterClient, ItSaysWhichWallsStand) {
  const std::vector<std::string> all = jail::vetter_walls();
  const VetterClient client = start(kHost);
  for (const std::string& wall : all) {
    if (wall == "landlock") continue;  // the one that a kernel may lack
    EXPECT_NE(std::ranges::find(client.walls(), wall), client.walls().end()) << wall;
  }
}

TEST(VetterClient, TheKernelAgreesThatTheWallsStand) {
  const VetterClient client = start(kHost);
  EXPECT_EQ(status_of(client.process_id(), "Seccomp"), "2");
  EXPECT_EQ(status_of(client.process_id(), "NoNewPrivs"), "1");
  EXPECT_EQ(status_of(client.process_id(), "CapEff"), "0000000000000000");
  EXPECT_EQ(status_of(client.process_id(), "CapPrm"), "0000000000000000");
  EXPECT_EQ(status_of(client.process_id(), "Threads"), "1");
}

TEST(VetterClient, AKilledVetterIsLostAndSaysHow) {
  VetterClient client = start(kHost);
  ::kill(client.process_id(), SIGKILL);
  const auto verdict = client.vet("x = 1\n", {}, TextKind::kAnswer, 10s);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().why, "it ended with signal 9 (Killed)");
}

TEST(VetterClient, AVetterThatStopsAnsweringIsEndedAtTheDeadline) {
  VetterClient client = start(kHost);
  ::kill(client.process_id(), SIGSTOP);
  const auto verdict = client.vet("x = 1\n", {}, TextKind::kAnswer, 50ms);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().why, "it gave no answer within 50 ms");
}

TEST(VetterClient, AVetterDiesWithItsClient) {
  pid_t id = -1;
  {
    const VetterClient client = start(kHost);
    id = client.process_id();
  }
  EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(id)));
}

// ---- a host that is not what it should be

TEST(VetterClient, AMissingProgramIsAnErrorThatNamesIt) {
  EXPECT_EQ(why_not("/nowhere/airlock-host", extractor()),
            "start the vetter: start /nowhere/airlock-host: No such file or directory");
}

TEST(VetterClient, AProgramThatIsNoHostGivesNoAnswer) {
  EXPECT_EQ(why_not("/bin/true", extractor()),
            "start the vetter: /bin/true gave no answer (exit code 0)");
}

TEST(VetterClient, AHostThatCannotRaiseItsWallsSaysWhy) {
  EXPECT_EQ(why_not(kFakeHost, named("trouble")),
            "start the vetter: raise the wall 'seccomp': Operation not permitted");
}

TEST(VetterClient, AHostThatEndsBeforeItIsReadyIsAnError) {
  EXPECT_EQ(why_not(kFakeHost, named("silent")),
            "start the vetter: " + kFakeHost + " gave no answer (exit code 7)");
}

TEST(VetterClient, AHostThatTalksNonsenseIsAnError) {
  EXPECT_EQ(why_not(kFakeHost, named("babble")),
            "start the vetter: " + kFakeHost + " gave an answer that is not understood");
}

std::string why_lost(std::string_view raw, std::chrono::milliseconds patience = 10s) {
  auto client = VetterClient::start(kFakeHost, named("fake"));
  if (!client) return client.error().message;
  const auto verdict = client->vet(raw, {}, TextKind::kAnswer, patience);
  return verdict ? "it answered" : verdict.error().why;
}

TEST(VetterClient, TheFakeHostAnswers) {
  EXPECT_EQ(why_lost("fine"), "it answered");
}

TEST(VetterClient, AVetterThatEndsInTheMiddleIsLost) {
  EXPECT_EQ(why_lost("die"), "it ended with exit code 9");
}

TEST(VetterClient, AnAnswerThatIsNoVerdictLosesTheVetter) {
  EXPECT_EQ(why_lost("babble"), "its answer was not a verdict");
}

TEST(VetterClient, AnAcceptanceWithAnErrorInItLosesTheVetter) {
  EXPECT_EQ(why_lost("lie"), "its answer was not a verdict");
}

TEST(VetterClient, AnAnswerWithoutEndLosesTheVetter) {
  EXPECT_EQ(why_lost("flood"), "its answer was too long");
}

TEST(VetterClient, SilenceLosesTheVetter) {
  EXPECT_EQ(why_lost("hang", 50ms), "it gave no answer within 50 ms");
}

}  // namespace
}  // namespace airlock::run

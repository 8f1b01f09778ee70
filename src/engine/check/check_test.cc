#include "engine/check/check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <new>

#include "engine/load/vet_source.h"
#include "model/rule.h"
#include "support/folder_test.h"

namespace airlock {
namespace {

namespace fs = std::filesystem;

class Check : public test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    request_.policy = *find_builtin_policy("extractor");
    request_.host_program = AIRLOCK_BINARY_DIR "/airlock-host";
  }

  // Names a file to check.
  void add(const std::string& name, std::string_view text) {
    request_.inputs.push_back(write(name, text));
  }
  void use_fake_host() { request_.host_program = AIRLOCK_SOURCE_DIR "/tests/support/fake_host.py"; }

  using Lines = std::vector<std::string>;
  // "name: accepted", "name: cleaned" (accepted too) or "name: AL201", in the order of the report.
  Lines lines() {
    Lines said;
    const auto done = check(
        request_,
        {.on_file =
             [&](const CheckedFile& file) {
               const bool is_accepted = file.verdict.decision == Decision::kAccepted;
               said.push_back(
                   fs::path(file.file).filename().native() + ": " +
                   (is_accepted ? was_cleaned(file.raw, file.verdict.code) ? "cleaned" : "accepted"
                                : std::string(file.verdict.findings.at(0).rule->name)));
               files_.push_back(file);
               return said.size() != stop_after_;
             },
         .on_unreadable =
             [&](const Error& error) { said.push_back("unreadable: " + error.message); },
         .on_skipped = [&](const std::string& what) { said.push_back("skipped: " + what); }});
    if (!done) return {"error: " + done.error().message};
    return said;
  }

  CheckRequest request_;
  std::vector<CheckedFile> files_;  // of the last lines()
  std::size_t stop_after_ = SIZE_MAX;
};

constexpr std::string_view kGood = "def extract(path):\n    return {}\n";

TEST_F(Check, EveryFileHasItsVerdictInTheOrderNamed) {
  add("b.py", kGood);
  add("a.py", "import os\n");
  add("c.py", kGood);
  EXPECT_EQ(lines(), (Lines{"b.py: accepted", "a.py: AL201", "c.py: accepted"}));
}

TEST_F(Check, TheOrderHoldsWhenSeveralVettersWork) {
  Lines expected;
  for (int i = 0; i < 120; ++i) {
    const std::string name = std::to_string(i) + ".py";
    add(name, i % 3 == 0 ? "import os\n" : kGood);
    expected.push_back(name + (i % 3 == 0 ? ": AL201" : ": accepted"));
  }
  EXPECT_EQ(lines(), expected);
}

TEST_F(Check, AVetterThatDiesCostsOnlyItsFile) {
  use_fake_host();
  add("a.py", "fine");
  add("b.py", "die");
  add("c.py", "fine");
  add("d.py", "die");
  add("e.py", "fine");
  EXPECT_EQ(lines(), (Lines{"a.py: accepted", "b.py: AL110", "c.py: accepted", "d.py: AL110",
                            "e.py: accepted"}));
}

TEST_F(Check, AVetterThatLiesCostsOnlyItsFile) {
  use_fake_host();
  add("a.py", "lie");
  add("b.py", "babble");
  add("c.py", "flood");
  add("d.py", "fine");
  EXPECT_EQ(lines(), (Lines{"a.py: AL110", "b.py: AL110", "c.py: AL110", "d.py: accepted"}));
}

TEST_F(Check, AVerdictOnAnotherTextThanTheFilesIsNone) {
  use_fake_host();
  add("a.py", "other");
  add("b.txt", "other");
  EXPECT_EQ(lines(), (Lines{"a.py: AL110", "b.txt: cleaned"}));
}

TEST_F(Check, APythonFileIsJudgedAsItStandsAndAnAnswerIsCleaned) {
  const std::string answer = "Here it is:\n```python\n" + std::string(kGood) + "```\n";
  add("a.py", answer);
  add("b.txt", answer);
  add("c.txt", kGood);
  add("d.py",
      "\xEF\xBB\xBF"
      "def extract(path):\r\n    return {}\r\n");
  EXPECT_EQ(lines(), (Lines{"a.py: AL108", "b.txt: cleaned", "c.txt: accepted", "d.py: accepted"}));
  EXPECT_EQ(files_.at(1).verdict.code, kGood);
  EXPECT_EQ(files_.at(3).verdict.code, kGood);
  request_.take_as = TakeAs::kAnswers;
  EXPECT_EQ(lines().at(0), "a.py: cleaned");
}

TEST_F(Check, NothingIsReadForSomebodyWhoHasGone) {
  for (int i = 0; i < 200; ++i) add(std::to_string(i) + ".py", kGood);
  stop_after_ = 3;
  EXPECT_EQ(lines(), (Lines{"0.py: accepted", "1.py: accepted", "2.py: accepted"}));
}

TEST_F(Check, WhatIsThrownInAThreadComesOutInTheOneThatCalled) {
  for (int i = 0; i < 200; ++i) add(std::to_string(i) + ".py", kGood);
  std::size_t seen = 0;
  const CheckListener listener{.on_file = [&](const CheckedFile&) -> bool {
                                 if (++seen == 100) throw std::bad_alloc();
                                 return true;
                               },
                               .on_unreadable = [](const Error&) {},
                               .on_skipped = [](const std::string&) {}};
  EXPECT_THROW(static_cast<void>(check(request_, listener)), std::bad_alloc);
  EXPECT_EQ(seen, 100u);
}

TEST_F(Check, ALinkThatLeadsOutOfAFolderIsSkippedAndSaid) {
  add("a.py", kGood);
  fs::create_symlink("/proc/self/environ", folder_ / "b.py");
  request_.inputs = {folder_.native()};
  const Lines said = lines();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE((said[0] + said[1]).find("this link leads out of"), std::string::npos);
  EXPECT_EQ(files_.size(), 1u);
}

TEST_F(Check, ALostFileIsRefusedWithTheReasonInIt) {
  use_fake_host();
  add("a.py", "die");
  ASSERT_EQ(lines().size(), 1u);
  const Verdict& verdict = files_.at(0).verdict;
  EXPECT_EQ(verdict.decision, Decision::kRefused);
  EXPECT_NE(verdict.findings.at(0).message.find("it ended with exit code 9"), std::string::npos);
}

TEST_F(Check, AHostThatCannotIsolateIsAnErrorAndNoVerdict) {
  use_fake_host();
  request_.policy.name = "trouble";
  add("a.py", kGood);
  EXPECT_EQ(lines(),
            (Lines{"error: start the vetter: raise the wall 'seccomp': Operation not permitted"}));
}

TEST_F(Check, AMissingHostIsAnError) {
  request_.host_program = "/nowhere/airlock-host";
  add("a.py", kGood);
  EXPECT_EQ(
      lines(),
      (Lines{"error: start the vetter: start /nowhere/airlock-host: No such file or directory"}));
}

TEST_F(Check, AFileThatIsNotThereIsSaidAndTheOthersAreChecked) {
  add("a.py", kGood);
  request_.inputs.push_back((folder_ / "none.py").native());
  EXPECT_EQ(lines(), (Lines{"a.py: accepted", "unreadable: read " + (folder_ / "none.py").native() +
                                                  ": No such file or directory"}));
}

TEST_F(Check, AFolderStandsForThePythonFilesInIt) {
  add("b.py", kGood);
  add("a.py", kGood);
  add("c.txt", "no Python");
  request_.inputs = {folder_.native()};
  EXPECT_EQ(lines(), (Lines{"a.py: accepted", "b.py: accepted"}));
}

TEST_F(Check, AFolderWithoutPythonIsSaid) {
  request_.inputs = {folder_.native()};
  EXPECT_EQ(lines(), (Lines{"unreadable: check " + folder_.native() +
                            ": there is no *.py file in this folder"}));
}

TEST_F(Check, AnInputOverTheLimitIsRefusedWithoutAVetter) {
  request_.host_program = "/nowhere/airlock-host";
  request_.policy.limits.source_bytes = 100;
  add("a.py", std::string(401, '#'));
  EXPECT_EQ(lines(), (Lines{"a.py: AL104"}));
}

TEST_F(Check, AFileNamedTwiceIsReportedTwice) {
  add("a.py", kGood);
  request_.inputs.push_back(request_.inputs[0]);
  EXPECT_EQ(lines(), (Lines{"a.py: accepted", "a.py: accepted"}));
}

TEST_F(Check, StagesThatAreLeftOutAreNotJudged) {
  request_.stages.signature = false;
  add("a.py", "x = 1\n");
  EXPECT_EQ(lines(), (Lines{"a.py: accepted"}));
  request_.stages.signature = true;
  EXPECT_EQ(lines(), (Lines{"a.py: AL301"}));
}

}  // namespace
}  // namespace airlock

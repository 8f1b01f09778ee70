#include "engine/validate/explore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/validate/mutations.h"

namespace airlock {
namespace {

const std::vector<std::string> kSamples = {"/data/CLIENT-ABC/2024/Q1/report.csv",
                                           "/data/CLIENT-XYZ/2023/Q4/data.csv"};

bool has(const std::vector<std::string>& paths, const std::string& path) {
  return std::ranges::find(paths, path) != paths.end();
}

TEST(Mutations, AreTheSameForTheSameSeedAndOthersForAnother) {
  EXPECT_EQ(mutated_paths(kSamples, 200, 7), mutated_paths(kSamples, 200, 7));
  EXPECT_NE(mutated_paths(kSamples, 200, 7), mutated_paths(kSamples, 200, 8));
}

TEST(Mutations, AreAsManyAsAskedEachOnceAndNoneASample) {
  const auto paths = mutated_paths(kSamples, 500, 1);
  EXPECT_EQ(paths.size(), 500U);
  std::set<std::string> all(paths.begin(), paths.end());
  EXPECT_EQ(all.size(), paths.size());
  for (const std::string& sample : kSamples) EXPECT_FALSE(all.contains(sample));
}

TEST(Mutations, TheClassicsComeFirst) {
  const auto paths = mutated_paths(kSamples, 40, 1);
  for (const char* path :
       {"", "/", "report.csv", "/data/2024/Q1/report.csv", "/data/CLIENT-ABC/2024/Q1/report",
        "\\data\\CLIENT-ABC\\2024\\Q1\\report.csv", "/data/CLIENT-ABC/2024/Qx/report.csv"})
    EXPECT_TRUE(has(paths, path)) << path;
  EXPECT_TRUE(std::ranges::any_of(paths, [](const std::string& p) { return p.size() > 4000; }));
}

TEST(Mutations, OddSamplesAreNoTrouble) {
  EXPECT_TRUE(mutated_paths({}, 10, 1).empty());
  for (const std::string sample : {"", "/", "a", "////", "\xff\xfe"}) {
    const std::vector<std::string> one = {sample};
    EXPECT_EQ(mutated_paths(one, 100, 3).size(), 100U) << sample;
  }
}

SampleResult failure(std::string path, std::string type, std::uint32_t line) {
  SampleResult sample;
  sample.path = std::move(path);
  sample.error_type = std::move(type);
  sample.error = "bad\nnews";
  sample.error_line = line;
  return sample;
}

TEST(Exploration, GroupsByTypeAndLineWithTheShortestExample) {
  SampleResult good;
  good.success = true;
  Exploration explored;
  for (const SampleResult& one : {good, failure("/long/path", "IndexError", 5),
                                  failure("/a", "IndexError", 5), failure("/b", "ValueError", 6)})
    explored.add(one);
  const auto warnings = explored.warnings();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(
      warnings[0],
      "Exploring: IndexError at line 5 on 2 of 4 mutated paths, for example '/a': bad\\nnews");
  EXPECT_EQ(
      warnings[1],
      "Exploring: ValueError at line 6 on 1 of 4 mutated paths, for example '/b': bad\\nnews");
}

TEST(Exploration, AThousandKindsAreNotAThousandWarnings) {
  Exploration explored;
  for (std::uint32_t line = 1; line <= 1000; ++line)
    explored.add(failure("/a", "ValueError", line));
  const auto warnings = explored.warnings();
  EXPECT_EQ(warnings.size(), 13U);
  EXPECT_EQ(warnings.back(), "Exploring: 988 more kinds of failure are not shown");
}

TEST(Exploration, ADeniedCallIsNotHiddenByOtherFailures) {
  Exploration explored;
  for (std::uint32_t line = 1; line <= 100; ++line)
    for (int times = 0; times < 2; ++times) explored.add(failure("/a", "ValueError", line));
  SampleResult denied = failure("/b", "SandboxViolation", 7);
  denied.error = "System call denied: openat at line 7";
  explored.add(denied);
  EXPECT_EQ(explored.warnings().front(),
            "Exploring: SandboxViolation at line 7 on 1 of 201 mutated paths, for example '/b': "
            "System call denied: openat at line 7");
}

}  // namespace
}  // namespace airlock

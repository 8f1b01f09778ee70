// The tables of walls and of attacks on them, and the tier that follows from what stands.
#include "jail/walls.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "jail/crimes.h"

namespace airlock::jail {
namespace {

std::vector<std::string> names_of_all() {
  std::vector<std::string> names;
  for (const Wall& wall : all_walls()) names.emplace_back(wall.name);
  return names;
}

std::vector<std::string> all_but(std::string_view missing) {
  std::vector<std::string> names = names_of_all();
  std::erase(names, missing);
  return names;
}

std::vector<std::string> those_that_are_always_there() {
  std::vector<std::string> names;
  for (const Wall& wall : all_walls())
    if (wall.need == Need::kAlways) names.emplace_back(wall.name);
  return names;
}

// ---- tiers

TEST(Walls, AllOfThemAreTheFullTier) {
  EXPECT_EQ(tier_of(names_of_all()), Tier::kFull);
}

TEST(Walls, NothingIsNoTier) {
  EXPECT_EQ(tier_of({}), Tier::kNone);
}

TEST(Walls, WithoutOneThatIsAlwaysNeededNothingIsRun) {
  for (const std::string& wall : those_that_are_always_there())
    EXPECT_EQ(tier_of(all_but(wall)), Tier::kNone) << wall;
}

TEST(Walls, WithoutOneThatIsOfferedTheTierIsReduced) {
  for (const Wall& wall : all_walls()) {
    if (wall.need == Need::kAlways) continue;
    EXPECT_EQ(tier_of(all_but(wall.name)), Tier::kReduced) << wall.name;
  }
}

TEST(Walls, ThoseThatAreAlwaysThereAreTheMinimalTier) {
  EXPECT_EQ(tier_of(those_that_are_always_there()), Tier::kMinimal);
}

TEST(Walls, ASecondWallAroundFilesMakesTheTierReduced) {
  for (const char* second : {"landlock", "empty-root"}) {
    std::vector<std::string> standing = those_that_are_always_there();
    standing.emplace_back(second);
    EXPECT_EQ(tier_of(standing), Tier::kReduced) << second;
  }
  std::vector<std::string> namespaces = those_that_are_always_there();
  namespaces.emplace_back("net-namespace");
  EXPECT_EQ(tier_of(namespaces), Tier::kMinimal) << "it is none around files";
}

// Every host there could be: each choice of the walls that are offered, alone and without one that
// is always needed.
TEST(Walls, EveryChoiceOfOfferedWallsHasTheTierOfTheTable) {
  std::vector<std::string> offered;
  for (const Wall& wall : all_walls())
    if (wall.need == Need::kOffered) offered.emplace_back(wall.name);
  ASSERT_LT(offered.size(), 12U);
  for (unsigned choice = 0; choice < 1U << offered.size(); ++choice) {
    std::vector<std::string> standing = those_that_are_always_there();
    bool has_second = false;
    for (std::size_t i = 0; i < offered.size(); ++i) {
      if ((choice >> i & 1U) == 0) continue;
      standing.push_back(offered[i]);
      has_second = has_second || offered[i] == "landlock" || offered[i] == "empty-root";
    }
    const bool is_all = standing.size() == all_walls().size();
    const Tier wanted = is_all ? Tier::kFull : has_second ? Tier::kReduced : Tier::kMinimal;
    EXPECT_EQ(tier_of(standing), wanted) << choice;
    standing.erase(standing.begin());
    EXPECT_EQ(tier_of(standing), Tier::kNone) << choice;
  }
}

TEST(Walls, TheOrderAndDoubledNamesDoNotMatter) {
  std::vector<std::string> standing = names_of_all();
  std::ranges::reverse(standing);
  EXPECT_EQ(tier_of(standing), Tier::kFull);
  standing.push_back(standing.front());
  EXPECT_EQ(tier_of(standing), Tier::kFull);
}

TEST(Walls, ANameThatNobodyKnowsIsNoWall) {
  std::vector<std::string> standing = all_but("seccomp");
  standing.insert(standing.end(), {"Seccomp", "seccomp ", "sec", ""});
  EXPECT_EQ(tier_of(standing), Tier::kNone);
}

TEST(Walls, EveryTierHasItsWordAndItsSentence) {
  std::set<std::string_view> words;
  std::set<std::string_view> sentences;
  for (const Tier tier : {Tier::kNone, Tier::kMinimal, Tier::kReduced, Tier::kFull}) {
    EXPECT_TRUE(words.insert(to_string(tier)).second);
    EXPECT_TRUE(sentences.insert(describe(tier)).second);
    EXPECT_FALSE(describe(tier).empty());
  }
}

// ---- the table of walls

TEST(Walls, HaveNamesOfTheirOwnAndAReason) {
  std::set<std::string_view> names;
  for (const Wall& wall : all_walls()) {
    EXPECT_TRUE(names.insert(wall.name).second) << wall.name;
    EXPECT_EQ(name_of(wall.id), wall.name);
    EXPECT_FALSE(wall.why.empty()) << wall.name;
  }
  EXPECT_GE(names.size(), 15U);
}

TEST(Walls, ThatCanBeMissingSayWhatToChange) {
  for (const Wall& wall : all_walls()) {
    EXPECT_TRUE(wall.need == Need::kAlways || !wall.remedy.empty()) << wall.name;
  }
}

// ---- the table of crimes

TEST(Crimes, AttackEveryWallThatStandsInACell) {
  std::set<WallId> attacked;
  for (const Crime& crime : all_crimes()) attacked.insert(crime.wall);
  // Whether a cell dies with its zygote shows when the zygote dies, not in a cell.
  attacked.insert(WallId::kDieWithParent);
  for (const Wall& wall : all_walls()) EXPECT_TRUE(attacked.contains(wall.id)) << wall.name;
}

TEST(Crimes, HaveNamesOfTheirOwnAndCanBeFoundByThem) {
  std::set<std::string_view> names;
  for (const Crime& crime : all_crimes()) {
    EXPECT_TRUE(names.insert(crime.name).second) << crime.name;
    EXPECT_EQ(find_crime(crime.name), &crime);
    EXPECT_FALSE(crime.what.empty());
    EXPECT_NE(crime.commit, nullptr);
  }
  EXPECT_GE(names.size(), 40U);
}

TEST(Crimes, ThatNobodyKnowsAreNotFound) {
  for (const char* name : {"", "fork ", "Fork", "for", "fork-bomb"})
    EXPECT_EQ(find_crime(name), nullptr) << name;
}

TEST(Crimes, AreNeverProvenByNothing) {
  for (const Crime& crime : all_crimes()) EXPECT_FALSE(is_proof(crime, 0)) << crime.name;
}

TEST(Crimes, AreProvenByTheirOwnNumbersAlone) {
  for (const Crime& crime : all_crimes()) {
    for (const int number : crime.numbers)
      EXPECT_EQ(is_proof(crime, number), number != 0) << crime.name;
    EXPECT_FALSE(is_proof(crime, 9999)) << crime.name;
    EXPECT_FALSE(is_proof(crime, -1)) << crime.name;
  }
}

TEST(Crimes, ThatEndInAnErrorOrASignalSayInWhich) {
  for (const Crime& crime : all_crimes()) {
    const bool has_number = std::ranges::any_of(crime.numbers, [](int n) { return n != 0; });
    EXPECT_EQ(has_number, crime.proof != Proof::kDeadline) << crime.name;
  }
}

TEST(Crimes, BehindTheFilterAreRefusedWithOneError) {
  for (const Crime& crime : all_crimes()) {
    if (crime.wall != WallId::kSeccomp || crime.proof != Proof::kErrno) continue;
    EXPECT_EQ(crime.filter, Filter::kUp) << crime.name;
    EXPECT_TRUE(is_proof(crime, EPERM)) << crime.name;
    EXPECT_FALSE(is_proof(crime, ENOENT)) << crime.name << ": another wall would have answered";
  }
}

TEST(Crimes, AgainstTheRootAreTriedAtEveryStart) {
  const auto tried_at_start = [](const Crime& crime) { return crime.when == When::kEveryStart; };
  EXPECT_GE(std::ranges::count_if(all_crimes(), tried_at_start), 2);
  for (const Crime& crime : all_crimes())
    EXPECT_TRUE(!tried_at_start(crime) || crime.wall == WallId::kEmptyRoot) << crime.name;
}

TEST(Crimes, OnAHostWhoseRootIsNotEmptyAreGrantedAndThatIsAnError) {
  // Here, outside of any cell, the host's files can be seen.
  const auto tried = test_wall_at_start(WallId::kEmptyRoot);
  ASSERT_FALSE(tried);
  EXPECT_NE(tried.error().message.find("empty-root"), std::string::npos);
}

TEST(Crimes, OfAWallThatNobodyTriesAtStartAreNotCommitted) {
  for (const Wall& wall : all_walls()) {
    if (wall.id == WallId::kEmptyRoot) continue;
    EXPECT_TRUE(test_wall_at_start(wall.id)) << wall.name;
  }
}

}  // namespace
}  // namespace airlock::jail

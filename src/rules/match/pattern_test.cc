#include "rules/match/pattern.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>

namespace airlock::rules {
namespace {

TEST(Pattern, SimpleOnesNeedOnePass) {
  for (const char* text :
       {"mission_(\\d+)", "^([^_]+)_", "^[A-Z]{3}-(\\d{2,4})$", "Q(\\d)", "year=(.+)"}) {
    const auto pattern = Pattern::parse(text, std::nullopt);
    ASSERT_TRUE(pattern) << text;
    EXPECT_TRUE(pattern->is_one_pass()) << text;
  }
  for (const char* text : {"(.*)\\.csv$", "(a|b)", "(\\d+)1", "(?i)a", "(a+)+"}) {
    const auto pattern = Pattern::parse(text, std::nullopt);
    ASSERT_TRUE(pattern) << text;
    EXPECT_FALSE(pattern->is_one_pass()) << text;
  }
}

TEST(Pattern, SaysWhatToWriteInstead) {
  const auto error = [](const char* text) {
    const auto pattern = Pattern::parse(text, std::nullopt);
    return pattern ? std::string() : pattern.error().message;
  };
  EXPECT_TRUE(error("(?<=id_)\\d+").contains("id_(\\\\d+)")) << error("(?<=id_)\\d+");
  EXPECT_TRUE(error("(?<!x)\\d+").contains("no negative look-behind"));
  EXPECT_TRUE(error("(\\d)\\1").contains("no back-references"));
  EXPECT_TRUE(error("a++").contains("ossessive")) << error("a++");
}

// One pass and RE2 on random patterns and texts: the same group in the same place.
TEST(Pattern, OnePassAgreesWithRe2) {
  std::mt19937 random(11);
  const std::vector<std::string> atoms = {"a",    "b", "_",   "\\d", "[ab]",
                                          "[^_]", ".", "\\w", "\\.", "[a-c1-3]"};
  const std::vector<std::string> counts = {"",  "",    "",      "+",     "*",
                                           "?", "{2}", "{1,2}", "{0,3}", "{2,}"};
  int compared = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text = random() % 4 == 0 ? "^" : "";
    const std::size_t parts = 1 + random() % 4;
    const std::size_t group = random() % parts;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::string part = atoms[random() % atoms.size()] + counts[random() % counts.size()];
      text += i == group ? "(" + part + ")" : part;
    }
    if (random() % 4 == 0) text += "$";
    const auto one_pass = OnePass::parse(text, 1);
    if (!one_pass) continue;
    ++compared;
    const re2::RE2 other(text);
    std::string in;
    for (std::size_t i = 0; i < random() % 10; ++i) in += "ab_12."[random() % 6];
    const auto found = one_pass->find(in);
    re2::StringPiece groups[2];
    const bool is_found = other.Match(in, 0, in.size(), re2::RE2::UNANCHORED, groups, 2);
    ASSERT_EQ(found.has_value(), is_found) << text << " in " << in;
    if (is_found) {
      ASSERT_EQ(*found, std::string_view(groups[1].data(), groups[1].size()))
          << text << " in " << in;
    }
  }
  EXPECT_GT(compared, 5000);
}

}  // namespace
}  // namespace airlock::rules

// Many words found in one pass are those that a search for each of them finds.
#include "admit/word_finder.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace airlock {
namespace {

using UserDirs = std::multiset<std::pair<std::size_t, std::size_t>>;

UserDirs found_by(const WordFinder& finder, std::string_view text) {
  UserDirs places;
  finder.find(text, [&](std::size_t word, std::size_t end) { places.emplace(word, end); });
  return places;
}

TEST(WordFinder, FindsWordsInsideEachOther) {
  const WordFinder finder({"he", "she", "hers", "his"});
  EXPECT_EQ(found_by(finder, "usHERS"), (UserDirs{{1, 4}, {0, 4}, {2, 6}}));
  EXPECT_TRUE(found_by(finder, "").empty());
  EXPECT_TRUE(found_by(finder, "\xFF\x80 hi").empty());
}

TEST(WordFinder, FindsWhatASearchForEachWordFinds) {
  std::mt19937 draw(3);
  const auto random_text = [&](std::size_t most) {
    std::string text;
    for (std::size_t n = 1 + draw() % most; n > 0; --n) text += static_cast<char>('a' + draw() % 3);
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> words;
    for (int i = 0; i < 6; ++i) words.push_back(random_text(4));
    const WordFinder finder({words.begin(), words.end()});
    const std::string text = random_text(60);
    UserDirs expected;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t at = text.find(words[i]); at != std::string::npos;
           at = text.find(words[i], at + 1))
        expected.emplace(i, at + words[i].size());
    }
    ASSERT_EQ(found_by(finder, text), expected) << text;
  }
}

}  // namespace
}  // namespace airlock

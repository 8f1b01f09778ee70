#include "present/http/limits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace airlock::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const TimePoint kStart{seconds(1000)};

TEST(RateLimiter, ASecondsWorthComesAtOnceAndThenOneByOne) {
  RateLimiter limiter(5);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limiter.allow("a", kStart));
  EXPECT_FALSE(limiter.allow("a", kStart));
  EXPECT_FALSE(limiter.allow("a", kStart + milliseconds(100)));
  EXPECT_TRUE(limiter.allow("a", kStart + milliseconds(300)));
  EXPECT_FALSE(limiter.allow("a", kStart + milliseconds(300)));
}

TEST(RateLimiter, OneClientCostsAnotherNothing) {
  RateLimiter limiter(1);
  EXPECT_TRUE(limiter.allow("a", kStart));
  EXPECT_FALSE(limiter.allow("a", kStart));
  EXPECT_TRUE(limiter.allow("b", kStart));
}

TEST(RateLimiter, ManyClientsShareWhatIsLeft) {
  RateLimiter limiter(1);
  for (std::size_t i = 0; i < RateLimiter::kMostClients; ++i)
    EXPECT_TRUE(limiter.allow(std::to_string(i), kStart));
  EXPECT_TRUE(limiter.allow("x", kStart));
  EXPECT_FALSE(limiter.allow("y", kStart));
  EXPECT_TRUE(limiter.allow("y", kStart + seconds(5)));  // the others' buckets are full again
}

TEST(WrongTokens, TheFirstAreAnsweredAtOnce) {
  WrongTokens wrong;
  for (std::uint64_t i = 1; i <= WrongTokens::kAnsweredAtOnce; ++i) {
    const auto mistake = wrong.note("a", kStart);
    EXPECT_EQ(mistake.count, i);
    EXPECT_EQ(mistake.answer_at, kStart);
  }
}

TEST(WrongTokens, TheOthersAreSlowedAndThenNotHeard) {
  WrongTokens wrong;
  for (std::uint64_t i = 0; i < WrongTokens::kAnsweredAtOnce; ++i) wrong.note("a", kStart);
  TimePoint last = kStart;
  const auto most = WrongTokens::kLongestWait / WrongTokens::kPause;
  for (int i = 0; i < most; ++i) {
    const auto mistake = wrong.note("a", kStart);
    ASSERT_TRUE(mistake.answer_at) << i;
    EXPECT_EQ(*mistake.answer_at, last + WrongTokens::kPause);
    last = *mistake.answer_at;
  }
  EXPECT_FALSE(wrong.note("a", kStart).answer_at);
  EXPECT_EQ(wrong.note("b", kStart).answer_at, kStart);  // somebody else
  EXPECT_TRUE(wrong.note("a", last).answer_at);
}

TEST(WrongTokens, EveryTenthPowerIsWorthALine) {
  WrongTokens wrong;
  std::vector<std::uint64_t> told;
  for (int i = 0; i < 1000; ++i) {
    const auto mistake = wrong.note("a", kStart);
    if (mistake.is_worth_a_line) told.push_back(mistake.count);
  }
  EXPECT_EQ(told, (std::vector<std::uint64_t>{10, 100, 1000}));
}

TEST(WrongTokens, AreForgottenAfterAWhile) {
  WrongTokens wrong;
  for (int i = 0; i < 100; ++i) wrong.note("a", kStart);
  EXPECT_EQ(wrong.note("a", kStart + WrongTokens::kMemory + seconds(1)).count, 1);
}

}  // namespace
}  // namespace airlock::http

#include "os/shared_progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace airlock::os {
namespace {

using Stage = SharedProgress::Stage;

TEST(SharedProgress, WhatOneSideEntersTheOtherSees) {
  auto ours = SharedProgress::make();
  ASSERT_TRUE(ours);
  auto theirs = SharedProgress::map(Fd(::fcntl(ours->descriptor(), F_DUPFD_CLOEXEC, 3)));
  ASSERT_TRUE(theirs);
  ours->clear();
  EXPECT_EQ(ours->view().stage, Stage::kPreparing);
  const auto before = std::chrono::steady_clock::now();
  theirs->enter(Stage::kRunning);
  theirs->enter(Stage::kResting);
  theirs->enter(Stage::kRunning);
  const auto view = ours->view();
  EXPECT_EQ(view.stage, Stage::kRunning);
  EXPECT_EQ(view.beginnings, 2U);
  EXPECT_GE(view.since, before);
  EXPECT_LE(view.since, std::chrono::steady_clock::now());
}

TEST(SharedProgress, TheOtherSideCannotShortenIt) {
  auto ours = SharedProgress::make();
  ASSERT_TRUE(ours);
  EXPECT_EQ(::ftruncate(ours->descriptor(), 0), -1);
  EXPECT_EQ(ours->view().beginnings, 0U);
}

TEST(SharedProgress, AFileOfAnotherSizeIsRefused) {
  EXPECT_FALSE(SharedProgress::map(Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC))));
}

}  // namespace
}  // namespace airlock::os

#include "present/serve/activity.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace airlock::serve {
namespace {

std::size_t count_of_kind(const Activity& activity, Activity::Kind kind) {
  const auto all = activity.latest();
  return static_cast<std::size_t>(std::ranges::count(all, kind, &Activity::Entry::kind));
}

TEST(ActivityTest, AFloodOfWhatIsFineWashesNoTroubleAway) {
  Activity activity;
  activity.note(Activity::Kind::kTrouble, "one");
  for (int i = 0; i < 10'000; ++i) activity.note(Activity::Kind::kFine, std::to_string(i));
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kTrouble), 1u);
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kFine), Activity::kMostFine);
  for (int i = 0; i < 10'000; ++i) activity.note(Activity::Kind::kDenied, std::to_string(i));
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kDenied), Activity::kMostTroubles);
}

TEST(ActivityTest, APieceIsToldByItsEndAndWhatWasDenied) {
  Activity activity;
  PieceReport fine;
  fine.milliseconds = 1.25;
  activity.note_piece(fine);
  PieceReport denied;
  denied.denials = {{.name = "openat", .line = 4}};
  activity.note_piece(denied);
  PieceReport failed;
  failed.end = PieceEnd::kTimeout;
  failed.error.type = "TimeoutError";
  activity.note_piece(failed);
  PieceReport left;
  left.end = PieceEnd::kCancelled;
  left.error.type = "KeyboardInterrupt";
  activity.note_piece(left);
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kCancelled), 1u);
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kTrouble), 1u);
  std::string told;
  for (const Activity::Entry& one : activity.latest()) told += one.words + "\n";
  EXPECT_NE(told.find("a piece ran, 1.2 ms"), std::string::npos) << told;
  EXPECT_NE(told.find("openat at line 4"), std::string::npos) << told;
  EXPECT_NE(told.find("TimeoutError"), std::string::npos) << told;
  EXPECT_NE(told.find("a piece was cancelled"), std::string::npos) << told;
  EXPECT_EQ(told.find("KeyboardInterrupt"), std::string::npos) << told;
  EXPECT_EQ(count_of_kind(activity, Activity::Kind::kDenied), 1u);
}

}  // namespace
}  // namespace airlock::serve

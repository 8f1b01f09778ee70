#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace airlock {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return bad_request("the number is odd");
  return number / 2;
}

Result<int> quarter(int number) {
  const int once = TRY(within("halve it", half(number)));
  return TRY(half(once));
}

TEST(Result, TryYieldsTheValueOrHandsTheErrorUp) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(3).error().message, "halve it: the number is odd");
  EXPECT_EQ(quarter(6).error().message, "the number is odd");
}

TEST(Result, AnErrorIsOursUntilSomebodySaysOtherwise) {
  EXPECT_EQ(fail("odd").error().kind, ErrorKind::kOurs);
  EXPECT_EQ(Error{"odd"}.kind, ErrorKind::kOurs);
  errno = ENOENT;
  EXPECT_EQ(fail_errno("open it").error().kind, ErrorKind::kOurs);
  errno = ENOENT;
  EXPECT_EQ(bad_request_errno("open it").error().kind, ErrorKind::kRequest);
}

TEST(Result, WhoKnowsSaysWhoseItIsAndNobodyFurtherUpChangesIt) {
  const Result<int> ours = as(ErrorKind::kIsolation, Result<int>(fail("odd")));
  EXPECT_EQ(ours.error().kind, ErrorKind::kIsolation);
  EXPECT_EQ(as(ErrorKind::kRefused, ours).error().kind, ErrorKind::kIsolation);
  EXPECT_EQ(within("do it", ours).error().kind, ErrorKind::kIsolation);
  EXPECT_EQ(as(ErrorKind::kRefused, Result<int>(7)).value(), 7);
}

TEST(Result, ALineBehindAnErrorLeavesItsKind) {
  const Error error = Error{"no", ErrorKind::kRequest}.and_line("Nothing was done.");
  EXPECT_EQ(error.message, "no\nNothing was done.");
  EXPECT_EQ(error.kind, ErrorKind::kRequest);
}

}  // namespace
}  // namespace airlock

#include "present/cli/exit_code.h"

#include <gtest/gtest.h>

namespace airlock::cli {
namespace {

const std::string kWholeInstallation = AIRLOCK_BINARY_DIR "/airlock-host";

TEST(ExitCode, EachKindOfErrorHasItsOwn) {
  EXPECT_EQ(end_with(refused("it is refused").error(), kWholeInstallation), 1);
  EXPECT_EQ(end_with(bad_request("there is no file").error(), kWholeInstallation), 2);
  EXPECT_EQ(end_with(no_isolation("no walls").error(), kWholeInstallation), 3);
  EXPECT_EQ(end_with(fail("odd").error(), kWholeInstallation), 70);
}

TEST(ExitCode, AnErrorThatNobodyHasClaimedIsABugThatSaysSo) {
  testing::internal::CaptureStderr();
  end_with(Error{"odd"}, kWholeInstallation);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "airlock: This is a bug in airlock, please report it: odd\n");
}

TEST(ExitCode, AHostThatIsNotThereIsNoBug) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(end_with(Error{"odd"}, "/nowhere/airlock-host"), 3);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("Nothing was run."), std::string::npos);
}

}  // namespace
}  // namespace airlock::cli

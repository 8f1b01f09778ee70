#include "store/state_folder.h"

#include <gtest/gtest.h>

namespace airlock::store {
namespace {

TEST(StateFolder, AirlockHomeGoesBeforeXdgBeforeHome) {
  EXPECT_EQ(state_folder({"/a", "/x", "/h"}).value(), "/a");
  EXPECT_EQ(state_folder({"", "/x", "/h"}).value(), "/x/airlock");
  EXPECT_EQ(state_folder({"", "", "/h"}).value(), "/h/.local/share/airlock");
}

TEST(StateFolder, AnXdgFolderThatIsNotAbsoluteIsIgnored) {
  EXPECT_EQ(state_folder({"", "x", "/h"}).value(), "/h/.local/share/airlock");
}

TEST(StateFolder, WithoutAnyVariableItSaysWhatToSet) {
  const auto folder = state_folder({});
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("AIRLOCK_HOME"), std::string::npos);
}

}  // namespace
}  // namespace airlock::store

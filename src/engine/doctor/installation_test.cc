#include "engine/doctor/installation.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace airlock {
namespace {

class Installation : public testing::Test {
 protected:
  Installation()
      : folder_(std::filesystem::temp_directory_path() /
                ("airlock-installation-" + std::to_string(::getpid()))),
        host_((folder_ / "airlock-host").native()) {
    std::filesystem::create_directories(folder_);
  }
  ~Installation() override { std::filesystem::remove_all(folder_); }

  void write(const char* content, mode_t mode) {
    std::ofstream(host_) << content;
    ::chmod(host_.c_str(), mode);
  }
  void expect_trouble(const std::string& why) {
    const auto trouble = installation_trouble(host_);
    ASSERT_TRUE(trouble);
    EXPECT_TRUE(trouble->starts_with(host_ + " cannot be started: " + why + ". ")) << *trouble;
    EXPECT_NE(trouble->find("must stand beside airlock"), std::string::npos) << *trouble;
  }

  std::filesystem::path folder_;
  std::string host_;
};

TEST_F(Installation, TheHostThatWasBuiltIsNoTrouble) {
  EXPECT_EQ(installation_trouble(AIRLOCK_BINARY_DIR "/airlock-host"), std::nullopt);
}

TEST_F(Installation, AHostThatIsNotThereIsSaid) {
  expect_trouble("No such file or directory");
}

TEST_F(Installation, AFolderOfThatNameIsNoHost) {
  std::filesystem::create_directory(host_);
  expect_trouble("it is not a file");
}

TEST_F(Installation, AHostThatMayNotBeExecutedIsSaid) {
  write("#!/bin/sh\n", 0644);
  expect_trouble("it is not executable");
}

TEST_F(Installation, AFileThatIsNoProgramIsSaid) {
  write("half a download", 0755);
  expect_trouble("it is not a program of this machine");
}

TEST_F(Installation, AProgramWithoutItsLoaderIsSaid) {
  write("#!/nowhere/loader\n", 0755);
  expect_trouble("the loader that it names is not there");
}

}  // namespace
}  // namespace airlock

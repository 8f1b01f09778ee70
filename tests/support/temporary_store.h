// What the tests of the store share: a folder of their own, a clock they set, bytes that count as
// sanitized, and children that end by a signal.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "model/admitted.h"
#include "os/disk.h"
#include "store/cache.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store::test {

struct SanitizedForTests {
  static Sanitized make(std::string bytes) {
    return {Sanitized::Key(), std::move(bytes), {}, 0, 0};
  }
};

inline Sanitized sanitized(std::string bytes) {
  return SanitizedForTests::make(std::move(bytes));
}

class SetClock : public Clock {
 public:
  std::int64_t now() const override { return Clock::now() + ahead; }
  std::int64_t ahead = 0;
};

inline constexpr std::int64_t kHour = 60 * 60 * 1000;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    // In memory where there is such a place: thousands of syncs, and none is about the disk itself.
    const char* memory = "/dev/shm";
    top_ = std::filesystem::path(::access(memory, W_OK) == 0 ? memory : testing::TempDir()) /
           ("store_" + std::string(test->test_suite_name()) + "_" + test->name() + "_" +
            std::to_string(::getpid()));
    std::filesystem::remove_all(top_);
    std::filesystem::create_directories(top_);
    folder_ = (top_ / "airlock").native();
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  std::filesystem::path top_;
  std::string folder_;  // of the state; not there yet
  os::Disk disk_;
  SetClock clock_;
};

// One table of it, in a store that is open.
template <typename Table>
class TableTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    database_.emplace(Database::open(folder_).value());
    table_.emplace(*database_, clock_);
  }

  std::optional<Database> database_;
  std::optional<Table> table_;
};

// Runs `work` in a child, which leaves without destructors; how it ended, as waitpid says it.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace airlock::store::test

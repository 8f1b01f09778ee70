// Each step in a child of its own: it holds afterwards, for good, and cannot be taken back.
#include "jail/steps.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>

namespace airlock::jail {
namespace {

// Whether `holds` is true in a child.
bool holds_in_a_child(const std::function<bool()>& holds) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(holds() ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Steps, NoNewPrivilegesAreForGood) {
  EXPECT_TRUE(holds_in_a_child([] {
    return forbid_new_privileges() && ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           ::prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0 && forbid_new_privileges();
  }));
}

TEST(Steps, WhoDiesWithTheParentIsKilled) {
  EXPECT_TRUE(holds_in_a_child([] {
    int signal = 0;
    return die_with_parent() && ::prctl(PR_GET_PDEATHSIG, &signal) == 0 && signal == SIGKILL;
  }));
}

TEST(Steps, NoDumpsMeansNoDumps) {
  EXPECT_TRUE(
      holds_in_a_child([] { return forbid_dumps() && ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0; }));
}

TEST(Steps, NoCapabilityIsLeftInAnySet) {
  EXPECT_TRUE(holds_in_a_child([] {
    if (!forbid_new_privileges() || !drop_all_capabilities()) return false;
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> now{};
    if (::syscall(SYS_capget, &header, now.data()) != 0) return false;
    for (const auto& half : now)
      if ((half.effective | half.permitted | half.inheritable) != 0) return false;
    return true;
  }));
}

TEST(Steps, DroppingWhatIsDroppedIsNoError) {
  EXPECT_TRUE(holds_in_a_child([] {
    return forbid_new_privileges() && drop_all_capabilities() && drop_all_capabilities();
  }));
}

TEST(Steps, ALimitIsSetBothWays) {
  EXPECT_TRUE(holds_in_a_child([] {
    rlimit now{};
    return limit(RLIMIT_NOFILE, 16, "test") && ::getrlimit(RLIMIT_NOFILE, &now) == 0 &&
           now.rlim_cur == 16 && now.rlim_max == 16;
  }));
}

TEST(Steps, ALimitOfTheHostsThatIsLowerStays) {
  EXPECT_TRUE(holds_in_a_child([] {
    rlimit now{};
    return limit(RLIMIT_NOFILE, 16, "test") && limit_at_most(RLIMIT_NOFILE, 1000, "test") &&
           ::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 16;
  }));
}

// Soft and hard limit before, what is asked for, and what holds afterwards, both ways.
TEST(Steps, ALimitAtMostIsTheLeastOfThree) {
  struct Row {
    rlim_t soft, hard, asked, holds;
  };
  for (const Row& row : {Row{32, 64, 16, 16}, Row{32, 64, 32, 32}, Row{32, 64, 48, 32},
                         Row{32, 64, 100, 32}, Row{64, 64, RLIM_INFINITY, 64}, Row{32, 64, 8, 8}}) {
    EXPECT_TRUE(holds_in_a_child([&] {
      const rlimit before{row.soft, row.hard};
      rlimit now{};
      return ::setrlimit(RLIMIT_NOFILE, &before) == 0 &&
             limit_at_most(RLIMIT_NOFILE, row.asked, "test") &&
             ::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == row.holds &&
             now.rlim_max == row.holds;
    })) << row.soft
        << " " << row.hard << " " << row.asked;
  }
}

TEST(Steps, AResourceThatDoesNotExistIsAnErrorInOurWords) {
  const auto none = static_cast<__rlimit_resource>(RLIM_NLIMITS);
  for (const auto& result :
       {limit(none, 1, "limit nothing"), limit_at_most(none, 1, "limit nothing")}) {
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().message.starts_with("limit nothing: ")) << result.error().message;
  }
}

TEST(Steps, WhatWasAskedForOnceIsAskedForInEveryChildAnew) {
  EXPECT_TRUE(holds_in_a_child([] {
    if (!forbid_new_privileges() || !forbid_dumps() || !die_with_parent()) return false;
    return holds_in_a_child([] {
      int signal = 0;
      const bool has_no_signal =
          ::prctl(PR_GET_PDEATHSIG, &signal) == 0 && signal == 0;  // the kernel clears it
      return has_no_signal && ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
             ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
    });
  }));
}

TEST(Steps, TheChildOfAParentThatIsGoneIsGone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::close(ends[0]);
    std::array<int, 2> ready{};
    if (::pipe(ready.data()) != 0) ::_exit(1);
    if (::fork() == 0) {
      const bool is_asked = die_with_parent().has_value();
      if (::write(ready[1], is_asked ? "y" : "n", 1) != 1) ::_exit(1);
      while (true) ::pause();  // holds the pipe's end until it is killed
    }
    char said = 'n';
    ::_exit(::read(ready[0], &said, 1) == 1 && said == 'y' ? 0 : 1);
  }
  ::close(ends[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(parent, &status, 0), parent);
  EXPECT_EQ(status, 0);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "the last holder of the other end is gone";
  ::close(ends[0]);
}

TEST(Steps, ALimitThatCannotBeIsAnErrorThatSaysWhatWasBeingDone) {
  EXPECT_TRUE(holds_in_a_child([] {
    if (!forbid_new_privileges() || !drop_all_capabilities() || !limit(RLIMIT_NOFILE, 16, "test"))
      return false;
    const auto result = limit(RLIMIT_NOFILE, 17, "raise what is for good");
    return !result && result.error().message.contains("raise what is for good");
  }));
}

TEST(Steps, WhatIsMappedIsCounted) {
  const Mapped before = mapped_now();
  EXPECT_GT(before.data, 0U);
  EXPECT_GT(before.all, before.data);
  constexpr std::size_t kBytes = 64UL << 20;
  void* memory =
      ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_GE(mapped_now().data, before.data + kBytes);
  EXPECT_GE(mapped_now().all, before.all + kBytes);
  ::munmap(memory, kBytes);
}

}  // namespace
}  // namespace airlock::jail

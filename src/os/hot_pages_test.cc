#include "os/hot_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace airlock::os {
namespace {

constexpr std::size_t kPages = 512;

// Memory that this process has written to, and pages of it that a child is going to.
class Memory {
 public:
  Memory()
      : size_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        begin_(static_cast<char*>(::mmap(nullptr, kPages * size_, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::madvise(begin_, kPages * size_, MADV_NOHUGEPAGE);
    write_to(1);
  }
  ~Memory() { ::munmap(begin_, kPages * size_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void write_to(std::size_t every) const {
    for (std::size_t i = 0; i < kPages; i += every) ++begin_[i * size_];
  }
  int first() const { return begin_[0]; }

 private:
  std::size_t size_;
  char* begin_;
};

bool learn(HotPages& pages, const std::function<void()>& work) {
  pages.begin_to_learn(work);
  for (int i = 0; i < 1000 && !pages.are_known(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return pages.are_known();
}

// How often a child is stopped for a page while it does the work.
long faults_in_child(const HotPages& pages, const Memory& memory) {
  const pid_t child = ::fork();
  if (child == 0) {
    pages.copy();
    rusage before{};
    rusage after{};
    ::getrusage(RUSAGE_SELF, &before);
    memory.write_to(4);
    ::getrusage(RUSAGE_SELF, &after);
    const long count = after.ru_minflt - before.ru_minflt;
    ::_exit(static_cast<int>(count > 200 ? 200 : count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HotPages, AreCopiedBeforeTheyAreWrittenTo) {
  const Memory memory;
  HotPages none;
  const long without = faults_in_child(none, memory);
  EXPECT_GE(without, 100);
  HotPages pages;
  ASSERT_TRUE(learn(pages, [&] { memory.write_to(4); }));
  EXPECT_LT(faults_in_child(pages, memory), without / 2);
}

TEST(HotPages, WhatTheChildWritesWhileItLearnsIsNotSeenHere) {
  const Memory memory;
  const int before = memory.first();
  HotPages pages;
  ASSERT_TRUE(learn(pages, [&] { memory.write_to(1); }));
  EXPECT_EQ(memory.first(), before);
}

TEST(HotPages, AreUnknownWhenTheChildEndsEarly) {
  HotPages pages;
  pages.begin_to_learn([] { ::_exit(3); });
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(pages.are_known());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  pages.copy();  // nothing
}

TEST(HotPages, AChildThatNeverEndsIsEndedWithThem) {
  const auto start = std::chrono::steady_clock::now();
  {
    HotPages pages;
    pages.begin_to_learn([] {
      while (true) ::pause();
    });
    EXPECT_FALSE(pages.are_known());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

}  // namespace
}  // namespace airlock::os

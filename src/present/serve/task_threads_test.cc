#include "present/serve/task_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

namespace airlock::serve {
namespace {

using std::chrono::milliseconds;

TEST(TaskThreads, AsManyAsThereAreTasksAtOnceUpToTheBound) {
  std::atomic<int> done = 0;
  {
    std::latch all_there(3);
    TaskThreads threads(3);
    for (int i = 0; i < 3; ++i) {
      threads.start([&] {
        all_there.arrive_and_wait();
        ++done;
      });
    }
    all_there.wait();
    for (int i = 0; i < 20; ++i) threads.start([&] { ++done; });
    EXPECT_EQ(threads.count(), 3U);
  }
  EXPECT_EQ(done, 23);
}

TEST(TaskThreads, IdleOnesEndAndOthersComeWhenThereIsMoreToDo) {
  TaskThreads threads(8, milliseconds(1));
  for (int round = 0; round < 3; ++round) {
    std::latch together(4);
    for (int i = 0; i < 4; ++i) threads.start([&] { together.arrive_and_wait(); });
    together.wait();
    while (threads.count() > 0) std::this_thread::yield();
  }
  std::promise<void> done;
  threads.start([&] { done.set_value(); });
  done.get_future().wait();
}

}  // namespace
}  // namespace airlock::serve

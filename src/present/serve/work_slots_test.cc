// How much runs at once.
#include "present/serve/work_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace airlock::serve {
namespace {

TEST(WorkSlots, NeverGivesMoreThanThereAre) {
  WorkSlots slots(3);
  std::atomic<int> at_work = 0;
  std::atomic<int> most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          const auto held = slots.take({});
          const int now = ++at_work;
          int before = most;
          while (before < now && !most.compare_exchange_weak(before, now)) {
          }
          std::this_thread::yield();
          --at_work;
        }
      });
    }
  }
  EXPECT_LE(most, 3);
  EXPECT_EQ(at_work, 0);
}

TEST(WorkSlots, WhoeverIsStoppedWaitsNoLonger) {
  WorkSlots slots(1);
  const auto held = slots.take({});
  std::stop_source stop;
  std::jthread later([&] { stop.request_stop(); });
  EXPECT_FALSE(slots.take(stop.get_token()).has_value());
}

TEST(WorkSlots, ASlotThatIsLetGoOfEarlyIsGivenOnceMoreAndNotTwice) {
  WorkSlots slots(1);
  {
    auto early = slots.take({});
    early->release();
    const auto other = slots.take({});
    EXPECT_TRUE(other.has_value());
    early->release();
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_FALSE(slots.take(stopped.get_token()).has_value());
  }
  EXPECT_TRUE(slots.take({}).has_value());
}

TEST(WorkSlots, ASlotThatWasLetGoOfIsTakenAgainWhenOneIsFree) {
  WorkSlots slots(1);
  auto first = slots.take({});
  EXPECT_TRUE(first->try_take()) << "it has one";
  first->release();
  auto second = slots.take({});
  EXPECT_FALSE(first->try_take());
  second->release();
  EXPECT_TRUE(first->try_take());
  EXPECT_FALSE(second->try_take());
}

TEST(WorkSlots, AFreeOneIsGivenEvenToWhoeverIsStopped) {
  WorkSlots slots(1);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_TRUE(slots.take(stopped.get_token()).has_value());
}

}  // namespace
}  // namespace airlock::serve

// Threads that do what requests ask for, as many as there are things to do at once, up to a bound.
// An idle thread waits for the next task: starting one for each would cost more than a small task.
// After a while it ends: what a peak has left is not kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace airlock::serve {

class TaskThreads {
 public:
  static constexpr auto kPatience = std::chrono::seconds(10);

  explicit TaskThreads(std::size_t most, std::chrono::milliseconds patience = kPatience)
      : most_(most), patience_(patience) {}
  ~TaskThreads();  // when every task is done
  TaskThreads(const TaskThreads&) = delete;
  TaskThreads& operator=(const TaskThreads&) = delete;

  // From any thread. Past the bound it waits for its turn.
  void start(std::function<void()> task);
  // How many there are now.
  std::size_t count();

 private:
  void work();

  const std::size_t most_;
  const std::chrono::milliseconds patience_;  // of an idle thread
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
  std::map<std::thread::id, std::thread> threads_;
  std::vector<std::thread> ended_;  // to be joined, which takes no time
};

}  // namespace airlock::serve

// Threads that do what requests ask for, as many as there are things to do at once, up to a bound.
// An idle thread waits for the next task: starting one for each would cost more than a small task.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace airlock::serve {

class TaskThreads {
 public:
  explicit TaskThreads(std::size_t most) : most_(most) {}
  ~TaskThreads();  // when every task is done
  TaskThreads(const TaskThreads&) = delete;
  TaskThreads& operator=(const TaskThreads&) = delete;

  // From any thread. Past the bound it waits for its turn.
  void start(std::function<void()> task);

 private:
  void work();

  const std::size_t most_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace airlock::serve

#include "present/serve/task_threads.h"

#include <system_error>
#include <utility>

namespace airlock::serve {

TaskThreads::~TaskThreads() {
  {
    const std::scoped_lock held(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TaskThreads::start(std::function<void()> task) {
  const std::scoped_lock held(lock_);
  waiting_.push_back(std::move(task));
  if (waiting_.size() > idle_ && threads_.size() < most_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The host gives no more threads. Those that there are take it in turn; without any, nobody
      // ever would.
      if (threads_.empty()) throw;
    }
  }
  changed_.notify_one();
}

void TaskThreads::work() {
  std::unique_lock held(lock_);
  while (true) {
    ++idle_;
    changed_.wait(held, [this] { return is_over_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const auto task = std::move(waiting_.front());
    waiting_.pop_front();
    held.unlock();
    task();
    held.lock();
  }
}

}  // namespace airlock::serve

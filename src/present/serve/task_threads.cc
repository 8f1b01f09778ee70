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
  // With is_over_ nobody goes to ended_ any more.
  for (auto& [id, thread] : threads_) thread.join();
  for (std::thread& thread : ended_) thread.join();
}

std::size_t TaskThreads::count() {
  const std::scoped_lock held(lock_);
  return threads_.size();
}

void TaskThreads::start(std::function<void()> task) {
  std::vector<std::thread> ended;
  std::unique_lock held(lock_);
  ended.swap(ended_);
  waiting_.push_back(std::move(task));
  if (waiting_.size() > idle_ && threads_.size() < most_) {
    try {
      std::thread thread([this] { work(); });  // it waits for the lock
      const auto id = thread.get_id();
      threads_.emplace(id, std::move(thread));
    } catch (const std::system_error&) {
      // The host gives no more threads. Those that there are take it in turn; without any, nobody
      // ever would.
      if (threads_.empty()) throw;
    }
  }
  changed_.notify_one();
  held.unlock();
  for (std::thread& thread : ended) thread.join();
}

void TaskThreads::work() {
  std::unique_lock held(lock_);
  while (true) {
    ++idle_;
    const bool is_wanted =
        changed_.wait_for(held, patience_, [this] { return is_over_ || !waiting_.empty(); });
    --idle_;
    if (!is_wanted) {
      const auto self = threads_.find(std::this_thread::get_id());
      ended_.push_back(std::move(self->second));
      threads_.erase(self);
      return;
    }
    if (waiting_.empty()) return;
    const auto task = std::move(waiting_.front());
    waiting_.pop_front();
    held.unlock();
    task();
    held.lock();
  }
}

}  // namespace airlock::serve

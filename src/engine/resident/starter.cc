#include "engine/resident/starter.h"

#include <future>
#include <utility>

namespace airlock {

Starter::Starter() : thread_([this] { serve(); }) {}

Starter::~Starter() {
  {
    const std::scoped_lock held(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Starter::serve() {
  std::unique_lock held(lock_);
  while (true) {
    changed_.wait(held, [this] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto work = std::move(waiting_.front());
    waiting_.pop_front();
    held.unlock();
    work();
    held.lock();
  }
}

void Starter::run(const std::function<void()>& work) {
  std::promise<void> done;
  start([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

void Starter::start(std::function<void()> work) {
  {
    const std::scoped_lock held(lock_);
    waiting_.push_back(std::move(work));
  }
  changed_.notify_all();
}

}  // namespace airlock

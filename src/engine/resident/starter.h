// A thread that starts processes for everybody and lives as long as they do: the kernel ends a
// vetter or a zygote with the thread that started it (docs/decisions/0006-process-namespace.md),
// and the threads that need one come and go.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace airlock {

class Starter {
 public:
  Starter();
  ~Starter();  // when nothing is waiting any more
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;

  // Does `work` on the thread, and returns when it is done. From any thread.
  void run(const std::function<void()>& work);
  // The same, and returns at once.
  void start(std::function<void()> work);

 private:
  void serve();

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace airlock

// How much runs at once: whoever works holds a slot, the others wait for one. A piece of a session
// lets go of its slot while it waits for a host function: its client may well be asking us for
// something else, and that must not wait for the piece. Before it goes on it needs one again.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace airlock::serve {

// From any thread.
class WorkSlots {
 public:
  explicit WorkSlots(std::size_t count) : free_(count) {}
  WorkSlots(const WorkSlots&) = delete;
  WorkSlots& operator=(const WorkSlots&) = delete;
  ~WorkSlots() = default;

  // One slot; by one thread. Must not outlive the slots.
  class Held {
   public:
    Held(Held&& other) noexcept
        : slots_(other.slots_), is_held_(std::exchange(other.is_held_, false)) {}
    Held& operator=(Held&&) = delete;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { release(); }
    void release();  // more than once is fine
    // Again, if one is free now, or it has one.
    bool try_take();

   private:
    friend class WorkSlots;
    explicit Held(WorkSlots& slots) : slots_(&slots) {}
    WorkSlots* slots_;
    bool is_held_ = true;
  };

  // Waits until one is free. Nothing: it was stopped first.
  std::optional<Held> take(const std::stop_token& stop);

 private:
  std::mutex lock_;
  std::condition_variable_any changed_;
  std::size_t free_;
};

}  // namespace airlock::serve

#include "present/serve/work_slots.h"

namespace airlock::serve {

std::optional<WorkSlots::Held> WorkSlots::take(const std::stop_token& stop) {
  std::unique_lock held(lock_);
  if (!changed_.wait(held, stop, [this] { return free_ > 0; })) return std::nullopt;
  --free_;
  return Held(*this);
}

void WorkSlots::Held::release() {
  WorkSlots* const slots = std::exchange(slots_, nullptr);
  if (slots == nullptr) return;
  {
    const std::scoped_lock held(slots->lock_);
    ++slots->free_;
  }
  slots->changed_.notify_one();
}

}  // namespace airlock::serve

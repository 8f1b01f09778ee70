#include "present/serve/work_slots.h"

namespace airlock::serve {

std::optional<WorkSlots::Held> WorkSlots::take(const std::stop_token& stop) {
  std::unique_lock held(lock_);
  if (!changed_.wait(held, stop, [this] { return free_ > 0; })) return std::nullopt;
  --free_;
  return Held(*this);
}

void WorkSlots::Held::release() {
  if (!std::exchange(is_held_, false)) return;
  {
    const std::scoped_lock held(slots_->lock_);
    ++slots_->free_;
  }
  slots_->changed_.notify_one();
}

bool WorkSlots::Held::try_take() {
  if (is_held_) return true;
  const std::scoped_lock held(slots_->lock_);
  if (slots_->free_ == 0) return false;
  --slots_->free_;
  is_held_ = true;
  return true;
}

}  // namespace airlock::serve

#include "os/shared_progress.h"

#include <atomic>

namespace airlock::os {

// Times are those of the steady clock, which is one for the whole machine.
struct SharedProgress::Page {
  std::atomic<std::int64_t> since_ns;
  std::atomic<std::uint32_t> stage;
  std::atomic<std::uint32_t> beginnings;
};

Result<SharedProgress> SharedProgress::make() {
  return SharedProgress(TRY(SharedMemory::make("progress", sizeof(Page))));
}

Result<SharedProgress> SharedProgress::map(Fd descriptor) {
  return SharedProgress(TRY(SharedMemory::map(descriptor, sizeof(Page))));
}

void SharedProgress::clear() {
  page().beginnings = 0;
  enter(Stage::kPreparing);
}

void SharedProgress::enter(Stage stage) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  // The time first, the stage last: whoever sees the new stage sees at least its time.
  page().since_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  if (stage == Stage::kRunning) ++page().beginnings;
  page().stage = static_cast<std::uint32_t>(stage);
}

SharedProgress::View SharedProgress::view() const {
  const std::uint32_t stage = page().stage;
  const std::chrono::nanoseconds since(page().since_ns);
  // An enum from foreign memory: any number may stand there.
  return {stage <= static_cast<std::uint32_t>(Stage::kShowing) ? static_cast<Stage>(stage)
                                                               : Stage::kPreparing,
          std::chrono::steady_clock::time_point(since), page().beginnings};
}

}  // namespace airlock::os

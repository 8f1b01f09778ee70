#include "os/shared_progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>

namespace airlock::os {

// Times are those of the steady clock, which is one for the whole machine.
struct SharedProgress::Page {
  std::atomic<std::int64_t> since_ns;
  std::atomic<std::uint32_t> stage;
  std::atomic<std::uint32_t> beginnings;
};

namespace {

constexpr std::size_t kBytes = 4096;

}  // namespace

Result<SharedProgress> SharedProgress::make() {
  Fd descriptor(::memfd_create("progress", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // Sealed: were the other side to shorten the file, reading it here would be a SIGBUS.
  if (!descriptor.is_open() || ::ftruncate(descriptor.get(), kBytes) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno("make shared memory");
  return map(std::move(descriptor));
}

Result<SharedProgress> SharedProgress::map(Fd descriptor) {
  struct stat facts{};
  if (::fstat(descriptor.get(), &facts) != 0 || facts.st_size != static_cast<off_t>(kBytes))
    return fail("map shared memory: it has another size");
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (memory == MAP_FAILED) return fail_errno("map shared memory");
  return SharedProgress(std::move(descriptor), memory);
}

SharedProgress::SharedProgress(SharedProgress&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), memory_(std::exchange(other.memory_, nullptr)) {}

SharedProgress& SharedProgress::operator=(SharedProgress&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(memory_, other.memory_);
  return *this;
}

SharedProgress::~SharedProgress() {
  if (memory_ != nullptr) ::munmap(memory_, kBytes);
}

void SharedProgress::clear() {
  page().beginnings = 0;
  enter(Stage::kPreparing);
}

void SharedProgress::enter(Stage stage) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  page().since_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  if (stage == Stage::kRunning) ++page().beginnings;
  page().stage = static_cast<std::uint32_t>(stage);
}

SharedProgress::View SharedProgress::view() const {
  const std::uint32_t stage = page().stage;
  const std::chrono::nanoseconds since(page().since_ns);
  return {stage <= static_cast<std::uint32_t>(Stage::kShowing) ? static_cast<Stage>(stage)
                                                               : Stage::kPreparing,
          std::chrono::steady_clock::time_point(since), page().beginnings};
}

}  // namespace airlock::os

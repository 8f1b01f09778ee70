#include "os/shared_counter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace airlock::os {

namespace {

constexpr std::size_t kPage = 4096;

std::atomic_ref<std::uint64_t> number_in(void* page) {
  return std::atomic_ref<std::uint64_t>(*static_cast<std::uint64_t*>(page));
}

Result<void*> map_page(const Fd& descriptor) {
  void* page = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (page == MAP_FAILED) return fail_errno("map shared memory");
  return page;
}

}  // namespace

Result<SharedCounter> SharedCounter::make() {
  Fd descriptor(::memfd_create("airlock-counter", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor.is_open()) return fail_errno("make shared memory");
  if (::ftruncate(descriptor.get(), kPage) != 0) return fail_errno("size shared memory");
  // A page that the other side could take away would end us with SIGBUS.
  if (::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno("seal shared memory");
  auto page = map_page(descriptor);
  if (!page) return std::unexpected(std::move(page).error());
  return SharedCounter(std::move(descriptor), *page);
}

Result<SharedCounter> SharedCounter::map(Fd descriptor) {
  auto page = map_page(descriptor);
  if (!page) return std::unexpected(std::move(page).error());
  return SharedCounter(Fd(), *page);
}

SharedCounter::SharedCounter(SharedCounter&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), page_(std::exchange(other.page_, nullptr)) {}

SharedCounter& SharedCounter::operator=(SharedCounter&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(page_, other.page_);
  return *this;
}

SharedCounter::~SharedCounter() {
  if (page_ != nullptr) ::munmap(page_, kPage);
}

void SharedCounter::set(std::uint64_t value) {
  number_in(page_).store(value, std::memory_order_release);
}

std::uint64_t SharedCounter::get() const {
  return number_in(page_).load(std::memory_order_acquire);
}

}  // namespace airlock::os

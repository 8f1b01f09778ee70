#include "os/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace airlock::os {

Result<SharedMemory> SharedMemory::make(const char* name, std::size_t bytes) {
  Fd descriptor(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor.is_open()) return fail_errno("make shared memory");
  if (::ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0)
    return fail_errno("size shared memory");
  // F_SEAL_SEAL: and no more seals. A write seal would take the memory from ourselves.
  if (::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno("seal shared memory");
  auto memory = TRY(map(descriptor, bytes));
  memory.descriptor_ = std::move(descriptor);
  return memory;
}

Result<SharedMemory> SharedMemory::map(const Fd& descriptor, std::size_t bytes) {
  struct stat facts{};
  // The size is checked before it is mapped: a shorter file would give SIGBUS at the first access.
  if (::fstat(descriptor.get(), &facts) != 0 || facts.st_size != static_cast<off_t>(bytes))
    return fail("map shared memory: it has another size");
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (memory == MAP_FAILED) return fail_errno("map shared memory");
  return SharedMemory(memory, bytes);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      memory_(std::exchange(other.memory_, nullptr)),
      size_(other.size_) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace airlock::os

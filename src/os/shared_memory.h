// Memory that two processes see: the one side makes it and sends the descriptor along, the other
// maps it. Its size is sealed: memory that the other side could take away would end the reader with
// SIGBUS. What stands in it may be written by the other side at any moment; whoever reads checks
// every number.
#pragma once

#include <cstddef>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

class SharedMemory {
 public:
  // All zeros. `name` shows in /proc only.
  static Result<SharedMemory> make(const char* name, std::size_t bytes);
  // From the other side's descriptor, which is not needed any more afterwards. A file of another
  // size is refused.
  static Result<SharedMemory> map(const Fd& descriptor, std::size_t bytes);

  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  void* bytes() const { return memory_; }
  // To send along; -1 on the side that mapped it.
  int descriptor() const { return descriptor_.get(); }

 private:
  SharedMemory(void* memory, std::size_t size) : memory_(memory), size_(size) {}

  Fd descriptor_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace airlock::os

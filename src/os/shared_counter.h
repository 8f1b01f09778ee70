// A number that two processes see: one page of shared memory. The one side makes it and sends the
// descriptor along; the other maps it. Whoever can write to it may lie: the reader takes the number
// as a hint and checks it.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

class SharedCounter {
 public:
  static Result<SharedCounter> make();
  // From the other side's descriptor, which is not needed any more afterwards.
  static Result<SharedCounter> map(Fd descriptor);

  SharedCounter(SharedCounter&& other) noexcept;
  SharedCounter& operator=(SharedCounter&& other) noexcept;
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter();

  void set(std::uint64_t value);
  std::uint64_t get() const;

  int descriptor() const { return descriptor_.get(); }

 private:
  SharedCounter(Fd descriptor, void* page) : descriptor_(std::move(descriptor)), page_(page) {}

  Fd descriptor_;
  void* page_ = nullptr;
};

}  // namespace airlock::os

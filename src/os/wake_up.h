// A descriptor that one thread waits for and any other makes readable: an eventfd.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

class WakeUp {
 public:
  static Result<WakeUp> make();

  // From any thread.
  void ring() const;
  // Not readable any more, until somebody rings again.
  void clear() const;
  int descriptor() const { return event_.get(); }

 private:
  explicit WakeUp(Fd event) : event_(std::move(event)) {}
  Fd event_;
};

}  // namespace airlock::os

// Must not compile: bytes to be kept that nobody has scrubbed.
#include "model/admitted.h"

airlock::Sanitized smuggled(std::string bytes) {
  return airlock::Sanitized(airlock::Sanitized::Key(), std::move(bytes), {}, 0, 0);
}

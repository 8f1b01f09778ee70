// Must not compile: a file to be kept that nobody has redacted.
#include "model/admitted.h"

airlock::RedactedFile smuggled(std::string bytes) {
  return airlock::RedactedFile(airlock::RedactedFile::Key(), "log", std::move(bytes), {});
}

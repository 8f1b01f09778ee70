// Must not compile: the sanitizer takes what was admitted, not what was only read.
#include "admit/sanitize.h"

auto smuggled(airlock::JsonTape& tape) {
  return airlock::Sanitizer().sanitize(tape);
}

// Must not compile: an Admitted that was not admitted.
#include "model/admitted.h"

airlock::Admitted smuggled(airlock::JsonTape tape) {
  return airlock::Admitted(airlock::Admitted::Key(), std::move(tape), airlock::Form::kBare);
}

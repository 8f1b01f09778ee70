// Must not compile: what a cell said, read before the inner door has judged it.
#include <cstdio>

#include "model/raw_outcome.h"

void smuggled(const airlock::RawOutcome& said) {
  std::puts(said.said_->value.c_str());
}

// Must not compile: a row of a bulk job, written out before the inner door has judged it.
#include <string>

#include "model/raw_outcome.h"

void smuggled(std::string& rows, const airlock::RawRow& row) {
  rows += row.value_;
}

// Must not compile: what a cell said, taken for an answer that was judged.
#include "model/cell_answer.h"
#include "model/raw_outcome.h"

airlock::CellAnswer smuggled(airlock::RawOutcome said) {
  return said;
}

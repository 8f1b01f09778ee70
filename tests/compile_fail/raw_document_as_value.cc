// Must not compile: a probe's document, taken for a value that was judged.
#include "model/cell_answer.h"

void smuggled(airlock::CellAnswer& answer) {
  answer.value = answer.document;
}

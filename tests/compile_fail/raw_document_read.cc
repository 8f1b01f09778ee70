// Must not compile: a probe's document, read before the door for documents has judged it.
#include "model/cell_answer.h"

std::string smuggled(const airlock::CellAnswer& answer) {
  return answer.document.text_;
}

// Must not compile: a cell that loads bytes that nobody has judged.
#include "run/chamber.h"

void smuggled(airlock::run::Cell& cell, const std::string& bytes) {
  cell.load(bytes, airlock::RunLimits());
}

// Must not compile: the same with a cell of a bulk job.
#include "run/bulk_cell.h"

void smuggled(airlock::run::BulkCell& cell, const std::string& bytes) {
  cell.load(bytes, airlock::RunLimits());
}

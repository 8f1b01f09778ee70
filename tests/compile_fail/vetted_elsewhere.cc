// Must not compile: code for a cell that no vetter has judged.
#include "model/vetted.h"

airlock::Vetted smuggled(std::string bytes) {
  return airlock::Vetted(airlock::Vetted::Key(), std::move(bytes));
}

#include "engine/load/source_file.h"

#include <utility>

#include "os/files.h"

namespace airlock {

Result<std::string> read_source_file(const std::string& file, const Policy& policy) {
  // An answer of a model has text around its code; four times the code is what is read at all.
  const std::size_t limit = std::size_t{policy.limits.source_bytes} * 4;
  auto bytes = TRY(file == "-" ? os::read_standard_input(limit) : os::read_file(file, limit));
  return std::move(bytes.bytes);
}

}  // namespace airlock

// Where the rows of a bulk job go.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/bulk/extract.h"

namespace airlock {

// Writes to standard output.
class StandardOutput : public RowSink {
 public:
  Result<void> write(std::string_view rows) override;
};

}  // namespace airlock

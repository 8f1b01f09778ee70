// Where the rows of a bulk job go when no file is named; for files see partial_output.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/bulk/extract.h"

namespace airlock {

// Writes to standard output.
// Whole lines only. A reader that has gone away is an Error, which ends the job.
class StandardOutput : public RowSink {
 public:
  Result<void> write(std::string_view rows) override;
};

}  // namespace airlock

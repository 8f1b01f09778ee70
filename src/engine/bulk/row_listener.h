// Runs a Python extractor in the chamber and hands every row to a listener instead of writing it.
// For commands that compare or learn from rows (compare, distill) and keep none of them.
#pragma once

#include <functional>
#include <string>

#include "engine/bulk/extract.h"
#include "engine/bulk/row_parts.h"
#include "engine/paths/path_input.h"

namespace airlock {

using RowListener = std::function<void(const RowParts&)>;

// An Error says what went wrong with the job. Rows come in input order; memory stays flat.
Result<JobEnd> run_with_listener(PreparedExtractor extractor, const ExtractRequest& request,
                                 PathInput& input, const RowListener& listener);

}  // namespace airlock

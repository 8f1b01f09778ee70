// What compare and distill share: a Python extractor that is judged, started in cells, and asked
// about every path. Rows reach the listener in the order of the paths.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/bulk/row_parts.h"
#include "present/cli/program.h"

namespace airlock::cli {

// Rows come in input order.
using RowListener = std::function<void(const RowParts&)>;

// Nothing: it ran to its end. Otherwise the exit code of a signal, everything said.
Result<std::optional<int>> run_python_rows(const std::string& extractor,
                                           const std::vector<std::string>& inputs, std::size_t jobs,
                                           const Environment& environment,
                                           const RowListener& listener);

}  // namespace airlock::cli

// From rows as lines of JSON to the other forms. Both read the file once or twice from beginning to
// end, and memory does not grow with it.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace airlock {

// An open file, and its name for messages.
struct NamedFile {
  const Fd& file;
  std::string name;
};

// Columns: path, ok, error_type, error_message, then every field of any row's data in the order of
// first appearance (one that has the name of the first four is called data.NAME). Text stands as it
// is, null as nothing, lists and objects as JSON. The rows are read twice: the header needs them
// all.
Result<void> rows_to_csv(const NamedFile& rows, const NamedFile& csv);

// The table of store/row_table.h, in the file `name` of `folder`, which is `database`: empty, and
// nobody else's.
Result<void> rows_to_sqlite(const NamedFile& rows, const NamedFile& database, const Fd& folder,
                            const std::string& name);

}  // namespace airlock

// The rows of a bulk job as an SQLite file: one table `rows` (path, ok, error_type, error_message,
// data, tags), in the order of the input. The file is filled once and then closed: it has no
// journal, and is of use only after finish().
// A crash leaves half a file under a temporary name; the caller (engine/bulk) begins anew then.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace airlock::store {

struct TableRow {
  std::string_view path;  // text, or a blob when it is not UTF-8
  bool ok = false;
  std::string_view error_type;     // when it is not ok
  std::string_view error_message;  // when it is not ok
  std::string_view data;           // JSON, when it is ok
  std::string_view tags = {};      // a JSON list, when rules gave any
};

class RowTable {
 public:
  // The file `name` in `folder` is there, empty, opened as `file`, and this user's alone. SQLite
  // opens files by their names: a link in its place is not followed, and another file in its place
  // is found by finish(). `shown` is its name for messages. `file` must outlive this.
  static Result<RowTable> create(const Fd& folder, const std::string& name, const Fd& file,
                                 std::string shown);

  Result<void> add(const TableRow& row);
  // All of it is on the disk, the file is closed.
  Result<void> finish();

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  RowTable(std::string place, const Fd& file, std::string shown)
      : place_(std::move(place)), made_(&file), file_(std::move(shown)) {}

  Result<void> open();
  Result<void> run(const char* statement);
  Error trouble() const;

  std::string place_;  // absolute, without a link in it
  const Fd* made_;
  std::string file_;  // as it is called in messages
  std::unique_ptr<sqlite3, Closer> database_;
  std::unique_ptr<sqlite3_stmt, Closer> insert_;  // goes before the database
  std::size_t rows_ = 0;                          // in this transaction
};

}  // namespace airlock::store

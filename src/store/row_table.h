// The rows of a bulk job as an SQLite file: one table `rows` (path, ok, error_type, error_message,
// data, tags), in the order of the input. The file is made anew, filled once and then closed: it
// has no journal, and is of use only after finish().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  static Result<RowTable> create(const std::string& file);

  Result<void> add(const TableRow& row);
  // All of it is on the disk, the file is closed.
  Result<void> finish();

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit RowTable(std::string file) : file_(std::move(file)) {}

  Result<void> open();
  Result<void> run(const char* statement);
  Error trouble() const;

  std::string file_;
  std::unique_ptr<sqlite3, Closer> database_;
  std::unique_ptr<sqlite3_stmt, Closer> insert_;  // goes before the database
  std::size_t rows_ = 0;                          // in this transaction
};

}  // namespace airlock::store

// airlock.db: everything that is kept in tables. SQLite in WAL mode: many read while one writes,
// and a process that is killed at any point leaves either all of a transaction or none of it.
//
// One Database is one connection for one thread; processes and threads open their own. A writer
// waits kBusySeconds for another. Every failure is an Error with the file in it and, where the user
// can do something, what. Nothing is ever deleted to get going again: a damaged file stays.
//
// WAL needs room beside the file even for reading. On a full disk, when nobody else has the file
// open, it is therefore read without WAL, as it stands; the lock of opening is kept as long, so
// that nobody writes meanwhile. Whoever wants to write there is told that the disk is full.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace airlock::store {

// Longer than any transaction of ours takes, shorter than a person waits without wondering.
inline constexpr int kBusySeconds = 5;

// One SQL statement of a Database, which must outlive it. Columns are counted from 0, values from
// 1, as SQLite does. A text stays valid until the next step.
class Statement {
 public:
  Statement& bind(int place, std::string_view text);  // `text` must outlive the steps
  Statement& bind(int place, std::int64_t number);
  Statement& bind_null(int place);

  // True: there is a row. False: there is none left, and the statement is done.
  Result<bool> step();
  // For statements without rows.
  Result<void> run();

  std::string text(int column) const;  // "" for NULL
  std::int64_t number(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, std::string file)
      : statement_(statement), file_(std::move(file)) {}

  std::unique_ptr<sqlite3_stmt, Closer> statement_;
  std::string file_;  // for messages
};

class Database {
 public:
  // Opens <folder>/airlock.db; both are made (0700, 0600) when they are missing, and brought up to
  // this version's tables when they are older. Refused in words: symbolic links, folders that are
  // not private, a file of a newer airlock, a file that is no database or somebody else's.
  static Result<Database> open(const std::string& folder);
  // Whether there is anything to open: looking must not make a store.
  static Result<bool> is_there(const std::string& folder);

  const std::string& folder() const { return folder_; }
  int folder_descriptor() const { return descriptor_.get(); }

  Result<void> run(const char* sql);
  Result<Statement> prepare(std::string_view sql);

  // `work` (a function that returns Result<T>) happens as a whole or, when it or the disk fails,
  // not at all. Not to be nested.
  template <typename Work>
  // IMMEDIATE takes the write lock at once: a transaction that began by reading could otherwise
  // fail half-way, when it wants to write and another process has written meanwhile.
  auto in_transaction(Work&& work) -> decltype(work()) {
    TRY(run("BEGIN IMMEDIATE"));
    auto done = std::forward<Work>(work)();
    if (done) {
      if (auto kept = run("COMMIT"); !kept) done = std::unexpected(std::move(kept).error());
    }
    if (!done) roll_back();
    return done;
  }

  // Reads the whole file and says whether its structure is sound.
  Result<void> check();

 private:
  struct Closer {
    void operator()(sqlite3* connection) const;
  };
  Database(std::string folder, Fd descriptor);

  Result<void> connect();
  Result<void> read_as_it_stands();
  Result<void> migrate();
  Result<void> refuse_foreign(std::int64_t version);
  Result<std::int64_t> ask_number(std::string_view sql);
  void roll_back();

  std::string folder_;
  Fd descriptor_;  // of the folder
  std::string file_;
  Fd opening_lock_;  // while the file is read as it stands
  std::unique_ptr<sqlite3, Closer> connection_;
};

}  // namespace airlock::store

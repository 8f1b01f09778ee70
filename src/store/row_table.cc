#include "store/row_table.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/utf8.h"

namespace airlock::store {

namespace {

// Without a journal a commit is cheap; the limit keeps SQLite's cache of changed pages small.
constexpr std::size_t kRowsPerTransaction = 20000;

void bind_text(sqlite3_stmt* statement, int column, std::string_view text, bool is_there) {
  if (is_there) {
    sqlite3_bind_text64(statement, column, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  } else {
    sqlite3_bind_null(statement, column);
  }
}

}  // namespace

void RowTable::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

void RowTable::Closer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Error RowTable::trouble() const {
  return Error{"write " + file_ + ": " + sqlite3_errmsg(database_.get()), ErrorKind::kRequest};
}

Result<void> RowTable::run(const char* statement) {
  if (sqlite3_exec(database_.get(), statement, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return std::unexpected(trouble());
}

Result<RowTable> RowTable::create(const Fd& folder, const std::string& name, const Fd& file,
                                  std::string shown) {
  std::error_code error;
  // Where the opened folder is now, without a link in it: SQLite takes names only.
  const auto above =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(folder.get()), error);
  if (error) return bad_request("write " + shown + ": " + error.message());
  RowTable table((above / name).native(), file, std::move(shown));
  TRY(table.open());
  return table;
}

Result<void> RowTable::open() {
  sqlite3* database = nullptr;
  const int opened =
      sqlite3_open_v2(place_.c_str(), &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nullptr);
  database_.reset(database);
  if (opened != SQLITE_OK) return std::unexpected(trouble());
  // Nobody sees the file before it is whole: a journal would protect nothing.
  TRY(
      run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
          "CREATE TABLE rows (path TEXT NOT NULL, ok INTEGER NOT NULL, error_type TEXT,"
          " error_message TEXT, data TEXT, tags TEXT); BEGIN"));
  sqlite3_stmt* insert = nullptr;
  if (sqlite3_prepare_v2(database, "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)", -1, &insert,
                         nullptr) != SQLITE_OK)
    return std::unexpected(trouble());
  insert_.reset(insert);
  return {};
}

// Texts are bound without a copy (SQLITE_STATIC): they live until the step below is done.
Result<void> RowTable::add(const TableRow& row) {
  sqlite3_stmt* insert = insert_.get();
  if (find_invalid_utf8(row.path)) {
    sqlite3_bind_blob64(insert, 1, row.path.data(), row.path.size(), SQLITE_STATIC);
  } else {
    bind_text(insert, 1, row.path, true);
  }
  sqlite3_bind_int(insert, 2, row.ok ? 1 : 0);
  bind_text(insert, 3, row.error_type, !row.ok);
  bind_text(insert, 4, row.error_message, !row.ok);
  bind_text(insert, 5, row.data, row.ok);
  bind_text(insert, 6, row.tags, !row.tags.empty());
  const int done = sqlite3_step(insert);
  sqlite3_reset(insert);
  if (done != SQLITE_DONE) return std::unexpected(trouble());
  if (++rows_ < kRowsPerTransaction) return {};
  rows_ = 0;
  return run("COMMIT; BEGIN");
}

Result<void> RowTable::finish() {
  TRY(run("COMMIT"));
  insert_.reset();
  database_.reset();
  struct stat made{};
  struct stat there{};
  if (::fstat(made_->get(), &made) != 0 || ::lstat(place_.c_str(), &there) != 0)
    return bad_request_errno("write " + file_);
  // Device and inode: is the file of that name the one that the caller made?
  if (made.st_dev != there.st_dev || made.st_ino != there.st_ino)
    return bad_request("write " + file_ + ": somebody has put another file in its place");
  return {};
}

}  // namespace airlock::store

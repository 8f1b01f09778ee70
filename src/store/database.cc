#include "store/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/ascii.h"
#include "os/private_folder.h"
#include "store/migrations.h"
#include "store/state_folder.h"

namespace airlock::store {

namespace {

// Bytes; SQLite has no smaller pages.
constexpr off_t kSmallestPage = 512;
constexpr off_t kShmRegion = 32768;  // the smallest part of a -shm that is used

std::string damaged(const std::string& file, std::string_view what) {
  return "the database " + file + " is damaged (" + std::string(what) +
         "). Nothing was deleted. To save what can be saved: sqlite3 " + file +
         " .recover. To begin afresh, move it away: mv " + file + " " + file + ".damaged";
}

Error full(const std::string& file) {
  return Error{"write the database " + file +
                   ": the disk is full. Nothing of this step was kept; make room and try again",
               ErrorKind::kRequest, ENOSPC};
}

// Our words for what SQLite answers, of a connection or without one.
Error trouble(sqlite3* connection, const std::string& file) {
  // The low byte is the primary code; the rest tells kinds of it apart.
  const int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_errcode(connection) & 0xff;
  const std::string what = connection == nullptr ? "out of memory" : sqlite3_errmsg(connection);
  switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error{damaged(file, what), ErrorKind::kRequest, EBADMSG};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error{"the database " + file +
                       " is locked: another program has been writing to it for " +
                       std::to_string(kBusySeconds) + " s. Try again when it is done",
                   ErrorKind::kRequest, EBUSY};
    case SQLITE_FULL:
      return full(file);
    case SQLITE_READONLY:
      // Only on a full disk do we open it for reading alone.
      if (sqlite3_db_readonly(connection, "main") == 1) return full(file);
      return Error{"write the database " + file + ": it is read-only", ErrorKind::kRequest, EROFS};
    default: {
      const int system = connection == nullptr ? 0 : sqlite3_system_errno(connection);
      if (system == ENOSPC || system == EDQUOT) return full(file);
      return Error{"use the database " + file + ": " + what, ErrorKind::kRequest, EIO};
    }
  }
}

// As SQLite wants a name that has settings behind it.
std::string as_uri(const std::string& file, std::string_view settings) {
  std::string uri = "file:";
  for (const char letter : file) {
    if (is_alnum(letter) || letter == '/' || letter == '.' || letter == '-' || letter == '_')
      uri += letter;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri + std::string(settings);
}

// Or not there.
bool is_smaller(const std::string& file, off_t bytes) {
  struct stat facts{};
  return ::stat(file.c_str(), &facts) != 0 ? errno == ENOENT : facts.st_size < bytes;
}

// Held while the file is made and brought up to date, so that of two first runs one waits. It is a
// file of its own: closing any descriptor of the database would drop SQLite's locks on it.
Result<Fd> lock_for_opening(int folder, const std::string& shown) {
  Fd lock(::openat(folder, "airlock.lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.is_open()) return bad_request_errno("open " + shown);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kBusySeconds);
  while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return bad_request_errno("lock " + shown);
    if (std::chrono::steady_clock::now() > end) {
      return bad_request("lock " + shown + ": another program has held it for " +
                         std::to_string(kBusySeconds) + " s. Try again when it is done");
    }
    // flock() has no timeout, hence the short sleeps.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return lock;
}

// SQLite gives its other files (-wal, -shm) the mode of this one.
Result<void> make_file(int folder, const std::string& shown) {
  const Fd file(
      ::openat(folder, "airlock.db", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.is_open() || errno == EEXIST) return {};
  return bad_request_errno("make the database " + shown);
}

// SQLite takes a file of less than a page for a new one, and writes over it; and without pages it
// throws the journal away. Neither is for us to lose.
Result<void> refuse_what_sqlite_would_overwrite(const std::string& file) {
  struct stat facts{};
  if (::stat(file.c_str(), &facts) != 0) return bad_request_errno("open " + file);
  if (facts.st_size >= kSmallestPage) return {};
  if (facts.st_size > 0) return bad_request(damaged(file, "it is cut short"));
  if (::stat((file + "-wal").c_str(), &facts) == 0 && facts.st_size > 0)
    return bad_request(damaged(file, "it is empty, but has a journal"));
  return {};
}

Result<void> make_private(const std::string& file) {
  struct stat facts{};
  if (::stat(file.c_str(), &facts) != 0) return bad_request_errno("open " + file);
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) == 0) return {};
  if (::chmod(file.c_str(), 0600) != 0) return bad_request_errno("make " + file + " private");
  return {};
}

}  // namespace

// ---- statements

void Statement::Closer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement& Statement::bind(int place, std::string_view text) {
  // An empty view may have no address, which SQLite would take for NULL.
  sqlite3_bind_text64(statement_.get(), place, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int place, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), place, number);
  return *this;
}

Statement& Statement::bind_null(int place) {
  sqlite3_bind_null(statement_.get(), place);
  return *this;
}

Result<bool> Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return std::unexpected(trouble(sqlite3_db_handle(statement_.get()), file_));
  }
}

Result<void> Statement::run() {
  TRY(step());
  sqlite3_reset(statement_.get());
  return {};
}

std::string Statement::text(int column) const {
  // As a blob, not as text: a text that holds a NUL byte comes back whole.
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// ---- the connection

void Database::Closer::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

Database::Database(std::string folder, Fd descriptor)
    : folder_(std::move(folder)),
      descriptor_(std::move(descriptor)),
      file_(folder_ + "/airlock.db") {}

Result<bool> Database::is_there(const std::string& folder) {
  const std::string file = folder + "/airlock.db";
  struct stat facts{};
  if (::lstat(file.c_str(), &facts) == 0) return true;
  if (errno == ENOENT) return false;
  return bad_request_errno("look for the database " + file);
}

Result<Database> Database::open(const std::string& name) {
  std::string folder = name;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  // The order: the folder is ours, nobody else is opening, every file is a plain one, and only then
  // does SQLite, which follows links and makes files by itself, see the name.
  auto opened = TRY(open_state_folder(folder));
  Database database(folder, std::move(opened));
  auto lock = TRY(lock_for_opening(database.folder_descriptor(), folder + "/airlock.lock"));
  for (const char* ending : {"", "-wal", "-shm", "-journal"})
    TRY(os::refuse_unless_plain_file(database.file_ + ending));
  TRY(make_file(database.folder_descriptor(), database.file_));
  TRY(refuse_what_sqlite_would_overwrite(database.file_));
  TRY(make_private(database.file_));
  auto to_write = [&]() -> Result<void> {
    TRY(database.connect());
    return database.migrate();
  }();
  if (to_write) return database;
  if (to_write.error().number != ENOSPC || !database.read_as_it_stands())
    return std::unexpected(std::move(to_write).error());
  database.opening_lock_ = std::move(lock);
  return database;
}

// With the lock of opening held. Whoever has the file open has a whole region in its -shm, which is
// a few bytes where there was no room for one; and without bytes in its -wal the file is all there
// is.
Result<void> Database::read_as_it_stands() {
  connection_.reset();
  if (!is_smaller(file_ + "-wal", 1) || !is_smaller(file_ + "-shm", kShmRegion))
    return bad_request("read the database " + file_ + ": it is in use");
  sqlite3* connection = nullptr;
  const int opened =
      sqlite3_open_v2(as_uri(file_, "?immutable=1").c_str(), &connection,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr);
  connection_.reset(connection);
  if (opened != SQLITE_OK) return std::unexpected(trouble(connection, file_));
  TRY(run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"));
  const auto version = TRY(ask_number("PRAGMA user_version"));
  TRY(refuse_foreign(version));
  if (version != kSchemaVersion) return bad_request("read the database " + file_ + ": it is older");
  return {};
}

Result<void> Database::connect() {
  sqlite3* connection = nullptr;
  const int opened = sqlite3_open_v2(file_.c_str(), &connection,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  connection_.reset(connection);
  if (opened != SQLITE_OK) return std::unexpected(trouble(connection, file_));
  sqlite3_busy_timeout(connection, kBusySeconds * 1000);
  // A file that somebody prepared must not run functions from its schema, nor pass off a broken
  // page as a sound one; FULL: a commit is on the disk when it returns.
  return run(
      "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
      "PRAGMA cell_size_check = ON");
}

Result<void> Database::migrate() {
  const auto version = TRY(ask_number("PRAGMA user_version"));
  TRY(refuse_foreign(version));
  // Not inside a transaction, and only when the file is known to be ours.
  TRY(run("PRAGMA journal_mode = WAL"));
  if (version == kSchemaVersion) return {};
  return in_transaction([&]() -> Result<void> {
    for (auto step = static_cast<std::size_t>(version); step < kMigrations.size(); ++step)
      TRY(run(kMigrations[step]));
    TRY(run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str()));
    return run(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
  });
}

Result<void> Database::refuse_foreign(std::int64_t version) {
  const auto owner = TRY(ask_number("PRAGMA application_id"));
  const auto tables = TRY(ask_number("SELECT count(*) FROM sqlite_schema"));
  // user_version and application_id are 0 in a file that SQLite has just made.
  const bool is_new = owner == 0 && version == 0 && tables == 0;
  if (owner != kApplicationId && !is_new)
    return bad_request(
        "the database " + file_ +
        " is not airlock's: another program made it. Move it away, or name another folder "
        "in AIRLOCK_HOME");
  if (version > kSchemaVersion)
    return bad_request(
        "the database " + file_ + " was written by a newer airlock (version " +
        std::to_string(version) + " of its tables; this one knows " +
        std::to_string(kSchemaVersion) +
        "). Use that airlock, or name another folder in AIRLOCK_HOME; nothing was changed");
  if (version < 0 || (version == 0 && !is_new))
    return bad_request(damaged(file_, "its version is " + std::to_string(version)));
  return {};
}

Result<void> Database::run(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return std::unexpected(trouble(connection_.get(), file_));
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK)
    return std::unexpected(trouble(connection_.get(), file_));
  return Statement(statement, file_);
}

Result<std::int64_t> Database::ask_number(std::string_view sql) {
  auto statement = TRY(prepare(sql));
  const auto row = TRY(statement.step());
  return row ? statement.number(0) : 0;
}

void Database::roll_back() {
  // Some failures (a full disk) have rolled back already.
  if (sqlite3_get_autocommit(connection_.get()) == 0)
    sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<void> Database::check() {
  // 1: the first problem is enough.
  auto statement = TRY(prepare("PRAGMA quick_check(1)"));
  const auto row = TRY(statement.step());
  if (row && statement.text(0) != "ok") return bad_request(damaged(file_, statement.text(0)));
  return {};
}

}  // namespace airlock::store

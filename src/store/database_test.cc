#include "store/database.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "store/draft_table.h"
#include "store/extractor_table.h"
#include "store/migrations.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public test::StoreTest {
 protected:
  std::string file() const { return folder_ + "/airlock.db"; }

  static mode_t mode_of(const std::string& path) {
    struct stat facts{};
    EXPECT_EQ(::lstat(path.c_str(), &facts), 0) << path;
    return facts.st_mode & 0777;
  }
  std::string refusal() const {
    const auto database = Database::open(folder_);
    EXPECT_FALSE(database);
    return database ? "" : database.error().message;
  }
  // By another hand than ours.
  void change(const std::string& sql) const {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(connection);
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

TEST_F(DatabaseTest, ItIsMadeForThisUserAlone) {
  folder_ = (top_ / "deep/er/airlock").native();
  const auto database = Database::open(folder_);
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(mode_of(folder_), 0700u);
  EXPECT_EQ(mode_of((top_ / "deep").native()), 0700u);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(mode_of(entry.path().native()), 0600u) << entry.path();
  EXPECT_TRUE(fs::exists(file() + "-wal"));
}

TEST_F(DatabaseTest, LookingMakesNothing) {
  EXPECT_FALSE(Database::is_there(folder_).value());
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(DatabaseTest, WhatWasWrittenIsThereWhenItIsOpenedAgain) {
  {
    auto database = Database::open(folder_).value();
    ASSERT_TRUE(database.run("INSERT INTO runs VALUES ('a', 1, NULL, 'r', 't')"));
  }
  auto database = Database::open(folder_).value();
  auto statement = database.prepare("SELECT id, finished FROM runs").value();
  ASSERT_TRUE(statement.step().value());
  EXPECT_EQ(statement.text(0), "a");
  EXPECT_TRUE(statement.is_null(1));
  EXPECT_FALSE(statement.step().value());
}

TEST_F(DatabaseTest, ALinkedFolderOrFileIsRefused) {
  fs::create_directories(top_ / "elsewhere");
  fs::create_directory_symlink(top_ / "elsewhere", folder_);
  EXPECT_NE(refusal().find("symbolic link"), std::string::npos);
  folder_ += "/";
  EXPECT_NE(refusal().find("symbolic link"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(top_ / "elsewhere"));
  folder_ = (top_ / "real").native();
  fs::create_directories(folder_);
  for (const char* name : {"/airlock.db", "/airlock.db-wal", "/airlock.db-shm", "/airlock.lock"}) {
    fs::remove(folder_ + name);
    fs::create_symlink(top_ / "target", folder_ + name);
    EXPECT_FALSE(refusal().empty()) << name;
    EXPECT_FALSE(fs::exists(top_ / "target")) << name;
    fs::remove(folder_ + name);
  }
}

TEST_F(DatabaseTest, AFolderThatOthersCanReadIsClosedWhenItHoldsNothingElse) {
  fs::create_directories(folder_);
  std::ofstream(folder_ + "/config.toml") << "";
  ::chmod(folder_.c_str(), 0755);
  ASSERT_TRUE(Database::open(folder_));
  EXPECT_EQ(mode_of(folder_), 0700u);
}

TEST_F(DatabaseTest, AFolderWithOtherThingsInItIsNotTouched) {
  fs::create_directories(folder_ + "/Documents");
  ::chmod(folder_.c_str(), 0755);
  EXPECT_NE(refusal().find("AIRLOCK_HOME"), std::string::npos);
  EXPECT_EQ(mode_of(folder_), 0755u);
  EXPECT_FALSE(Database::is_there(folder_).value());
}

TEST_F(DatabaseTest, AFolderThatOthersCanWriteToIsRefused) {
  fs::create_directories(folder_);
  ::chmod(folder_.c_str(), 01777);
  EXPECT_NE(refusal().find("others can write to it"), std::string::npos);
}

TEST_F(DatabaseTest, AFileThatOthersCanReadIsClosed) {
  ASSERT_TRUE(Database::open(folder_));
  ::chmod(file().c_str(), 0644);
  ASSERT_TRUE(Database::open(folder_));
  EXPECT_EQ(mode_of(file()), 0600u);
}

TEST_F(DatabaseTest, AFileOfANewerAirlockIsRefusedAndLeftAlone) {
  ASSERT_TRUE(Database::open(folder_));
  change("PRAGMA user_version = " + std::to_string(kSchemaVersion + 1));
  const std::string before = bytes_of(file());
  EXPECT_NE(refusal().find("newer airlock"), std::string::npos);
  EXPECT_EQ(bytes_of(file()), before);
}

TEST_F(DatabaseTest, AFileOfAnotherProgramIsRefusedAndLeftAlone) {
  fs::create_directories(folder_);
  change("CREATE TABLE theirs (a)");
  const std::string before = bytes_of(file());
  EXPECT_NE(refusal().find("not airlock's"), std::string::npos);
  EXPECT_EQ(bytes_of(file()), before);
}

TEST_F(DatabaseTest, AFileThatIsNoDatabaseIsReportedAndKept) {
  fs::create_directories(folder_);
  std::ofstream(file()) << std::string(8192, 'x');
  const std::string said = refusal();
  EXPECT_NE(said.find("is damaged"), std::string::npos) << said;
  EXPECT_NE(said.find(file()), std::string::npos);
  EXPECT_NE(said.find("mv "), std::string::npos);
  EXPECT_EQ(bytes_of(file()), std::string(8192, 'x'));
}

TEST_F(DatabaseTest, DamageInsideIsFoundByACheck) {
  {
    auto database = Database::open(folder_).value();
    EXPECT_TRUE(database.check());
    ASSERT_TRUE(database.in_transaction([&]() -> Result<void> {
      for (int i = 0; i < 1000; ++i) {
        TRY(database.run(
            ("INSERT INTO runs VALUES ('" + std::to_string(i) + "', 1, NULL, 'repository', 'task')")
                .c_str()));
      }
      return {};
    }));
  }
  {
    std::fstream stream(file(), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-4096, std::ios::end);
    stream << std::string(4096, '\xee');
  }
  auto database = Database::open(folder_);
  ASSERT_TRUE(database) << database.error().message;
  const auto checked = database->check();
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("is damaged"), std::string::npos);
}

TEST_F(DatabaseTest, EveryCutOfTheFileIsOpenedOrReportedInWords) {
  ASSERT_TRUE(Database::open(folder_));
  const std::string whole = bytes_of(file());
  for (std::size_t size = 0; size < whole.size(); size += 511) {
    std::ofstream(file(), std::ios::binary) << whole.substr(0, size);
    const auto database = Database::open(folder_);
    if (!database) {
      EXPECT_NE(database.error().message.find(file()), std::string::npos);
      EXPECT_EQ(bytes_of(file()), whole.substr(0, size));
    }
    for (const char* ending : {"-wal", "-shm"}) fs::remove(file() + ending);
  }
}

TEST_F(DatabaseTest, AJournalWithoutItsFileIsNotThrownAway) {
  {
    auto database = Database::open(folder_).value();
    ASSERT_TRUE(database.run("INSERT INTO runs VALUES ('a', 1, NULL, 'r', 't')"));
    fs::copy(file() + "-wal", top_ / "journal");
  }
  fs::resize_file(file(), 0);
  fs::copy(top_ / "journal", file() + "-wal");
  EXPECT_NE(refusal().find("journal"), std::string::npos);
  EXPECT_EQ(bytes_of(file() + "-wal"), bytes_of((top_ / "journal").native()));
}

TEST_F(DatabaseTest, ATransactionThatFailsLeavesNothing) {
  auto database = Database::open(folder_).value();
  const auto done = database.in_transaction([&]() -> Result<void> {
    TRY(database.run("INSERT INTO runs VALUES ('a', 1, NULL, 'r', 't')"));
    return fail("no");
  });
  EXPECT_FALSE(done);
  auto statement = database.prepare("SELECT count(*) FROM runs").value();
  ASSERT_TRUE(statement.step().value());
  EXPECT_EQ(statement.number(0), 0);
}

TEST_F(DatabaseTest, AFullDiskIsAnErrorAndNothingIsHalfWritten) {
  auto database = Database::open(folder_).value();
  ASSERT_TRUE(database.run("PRAGMA max_page_count = 20"));  // SQLite's own full disk
  const std::string row(30000, 'x');
  const auto insert = [&](const std::string& id) {
    return database.run(
        ("INSERT INTO runs VALUES ('" + id + "', 1, NULL, '" + row + "', 't')").c_str());
  };
  Result<void> done;
  int written = 0;
  while ((done = insert(std::to_string(written)))) ++written;
  EXPECT_NE(done.error().message.find("disk is full"), std::string::npos) << done.error().message;
  EXPECT_TRUE(database.check());
  auto statement = database.prepare("SELECT count(*) FROM runs").value();
  ASSERT_TRUE(statement.step().value());
  EXPECT_EQ(statement.number(0), written);
}

TEST_F(DatabaseTest, TwentyProcessesThatOpenItFirstAllGetIt) {
  std::vector<pid_t> children;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(Database::open(folder_) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

TEST_F(DatabaseTest, AFileFromBeforePeopleWereNamedKeepsItsRowsAndGetsEmptyNames) {
  constexpr std::size_t kOldVersion = 7;
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_all);
  std::string sql = "PRAGMA application_id = " + std::to_string(kApplicationId) + ";";
  for (std::size_t step = 0; step < kOldVersion; ++step) sql += kMigrations.at(step);
  change(sql +
         "INSERT INTO drafts (id, kind, name, text, samples, hint, policy, created) VALUES"
         " ('ab000001', 'yaml', 'old', 'x', '', '', '', " +
         std::to_string(clock_.now()) +
         ");"
         "INSERT INTO extractor_names (name, last_version) VALUES ('sales', 1);"
         "INSERT INTO extractors (name, version, kind, text, samples, hint, policy, approved,"
         " receipt, text_sha256, policy_sha256, interpreter, samples_sha256)"
         " VALUES ('sales', 1, 'yaml', 'text', '', '', '', 5, 'r', 't', 'p', 'i', 's');"
         "PRAGMA user_version = " +
         std::to_string(kOldVersion));
  auto database = Database::open(folder_);
  ASSERT_TRUE(database) << database.error().message;
  const auto drafts = Drafts(*database, clock_).list().value();
  ASSERT_EQ(drafts.size(), 1u);
  EXPECT_EQ(drafts.front().name, "old");
  EXPECT_EQ(drafts.front().written.author, "");
  EXPECT_TRUE(drafts.front().written.attempts.empty());
  EXPECT_TRUE(Drafts(*database, clock_).rejected()->empty());
  const auto found = Extractors(*database, clock_).find("sales", {}).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->receipt.sha256, "r");
  EXPECT_EQ(found->review, ReviewNote{});
}

}  // namespace
}  // namespace airlock::store

// kill -9 at every write, and a disk that fails at every write: whatever the point, what get()
// returns is right, the tables are sound, and the next put works.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <random>

#include "store/runs.h"
#include "support/store_faults.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace test {

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

namespace {

// True: the call must fail, with errno set.
bool goes_wrong() {
  Plan& now = plan();
  ++now.calls;
  const bool is_due =
      now.fault == Fault::kBrokenForGood ? now.calls >= now.nth : now.calls == now.nth;
  if (now.fault == Fault::kNone || !is_due) return false;
  if (now.fault == Fault::kKill) ::raise(SIGKILL);
  errno = now.fault == Fault::kNoSpace ? ENOSPC : EIO;
  return true;
}

bool is_about_to_die() {
  return plan().fault == Fault::kKill && plan().calls + 1 == plan().nth;
}

ssize_t faulty_pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  if (is_about_to_die()) static_cast<void>(!::pwrite(file, bytes, size / 2, at));
  return goes_wrong() ? -1 : ::pwrite(file, bytes, size, at);
}

ssize_t faulty_write(int file, const void* bytes, std::size_t size) {
  if (is_about_to_die()) static_cast<void>(!::write(file, bytes, size / 2));
  return goes_wrong() ? -1 : ::write(file, bytes, size);
}

int faulty_truncate(int file, off_t size) {
  return goes_wrong() ? -1 : ::ftruncate(file, size);
}

int faulty_unlink(const char* name) {
  return goes_wrong() ? -1 : ::unlink(name);
}

int faulty_open(const char* name, int flags, int mode) {
  const bool writes = (flags & O_CREAT) != 0;
  return writes && goes_wrong() ? -1 : ::open(name, flags, mode);
}

template <typename Function>
void replace(const char* name, Function function) {
  sqlite3_vfs* layer = sqlite3_vfs_find(nullptr);
  layer->xSetSystemCall(layer, name, reinterpret_cast<sqlite3_syscall_ptr>(function));
}

}  // namespace

SqliteFaults::SqliteFaults() {
  replace("write", faulty_write);
  replace("pwrite", faulty_pwrite);
  replace("pwrite64", faulty_pwrite);
  replace("ftruncate", faulty_truncate);
  replace("unlink", faulty_unlink);
  replace("open", faulty_open);
}

SqliteFaults::~SqliteFaults() {
  plan() = {};
  sqlite3_vfs* layer = sqlite3_vfs_find(nullptr);
  layer->xSetSystemCall(layer, nullptr, nullptr);
}

int FaultyDisk::create(int folder, const char* name) {
  return goes_wrong() ? -1 : Disk::create(folder, name);
}
ssize_t FaultyDisk::write(int file, const void* bytes, std::size_t size) {
  if (is_about_to_die()) static_cast<void>(!Disk::write(file, bytes, size / 2));
  return goes_wrong() ? -1 : Disk::write(file, bytes, size);
}
int FaultyDisk::sync(int file) {
  return goes_wrong() ? -1 : Disk::sync(file);
}
int FaultyDisk::rename(int from, const char* old_name, int to, const char* new_name) {
  return goes_wrong() ? -1 : Disk::rename(from, old_name, to, new_name);
}
int FaultyDisk::remove(int folder, const char* name) {
  return goes_wrong() ? -1 : Disk::remove(folder, name);
}

}  // namespace test

namespace {

using test::Fault;
using test::in_child;
using test::plan;
using test::sanitized;

constexpr CacheLimits kSmall{.most_bytes = 2000};

std::string value_of(const std::string& key) {
  return key + std::string(400, key.back());
}

class FaultsTest : public test::StoreTest {
 protected:
  // Everything that writes: opening for the first time, a run, puts, an overwritten key, a hit long
  // after, evictions, a clear. Goes on after a failure, as a program would.
  void work(bool& failed) {
    test::FaultyDisk disk;
    auto database = Database::open(folder_);
    if (!database) {
      failed = true;
      return;
    }
    const auto note = [&](const auto& result) { failed = failed || !result; };
    Runs runs(*database, clock_);
    const auto run = runs.begin("r", "t");
    note(run);
    auto cache = Cache::open(*database, disk, clock_, kSmall);
    note(cache);
    if (!cache) return;
    for (const char* key : {"a", "b", "a", "c", "d", "e", "f", "g"}) {
      note(cache->put(key, "p", sanitized(value_of(key))));
      clock_.ahead += test::kHour / 10;
      const auto found = cache->get(key);
      EXPECT_TRUE(!found || *found == value_of(key));
    }
    if (run)
      note(runs.add(*run, {"p", ExecutionStatus::kRan, "k", {}, 1, {{"f", "x"}, {"g", "y"}}}));
    if (run) note(runs.finish(*run));
    note(cache->verify());
    note(cache->clear());
    note(cache->put("last", "p", sanitized(value_of("last"))));
  }

  // With a sound disk again.
  void expect_sound(int nth) {
    auto database = Database::open(folder_);
    ASSERT_TRUE(database) << nth << ": " << database.error().message;
    ASSERT_TRUE(database->check()) << nth;
    auto cache = Cache::open(*database, disk_, clock_, kSmall);
    ASSERT_TRUE(cache) << nth << ": " << cache.error().message;
    for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "last"}) {
      const auto found = cache->get(key);
      EXPECT_TRUE(!found || *found == value_of(key)) << nth;
    }
    Runs runs(*database, clock_);
    const auto list = runs.list(10);
    ASSERT_TRUE(list) << nth;
    for (const RunRecord& run : *list) {
      for (const ExecutionRecord& one : run.executions) EXPECT_EQ(one.findings.size(), 2u) << nth;
    }
    const auto put = cache->put("after", "p", sanitized("after"));
    ASSERT_TRUE(put) << nth << ": " << put.error().message;
    EXPECT_EQ(cache->get("after"), "after") << nth;
    clock_.ahead += 2 * test::kHour;
    const auto verified = cache->verify();
    ASSERT_TRUE(verified) << nth;
    for (const DamagedEntry& entry : verified->removed) EXPECT_EQ(entry.key, "") << nth;
    EXPECT_TRUE(cache->verify()->removed.empty()) << nth;
    EXPECT_EQ(cache->get("after"), "after") << nth;
  }

  // Until a round ends without having come to its nth call.
  void fail_at_every_call(Fault fault) {
    for (int nth = 1;; ++nth) {
      std::filesystem::remove_all(folder_);
      bool failed = false;
      bool was_reached = false;
      {
        const test::SqliteFaults faults;
        plan() = {fault, nth, 0};
        work(failed);
        was_reached = plan().calls >= nth;
      }
      expect_sound(nth);
      if (HasFatalFailure()) return;
      if (!was_reached) {
        EXPECT_FALSE(failed);
        EXPECT_GT(nth, 60);  // it did count SQLite's calls and ours
        return;
      }
    }
  }
};

TEST_F(FaultsTest, ADiskThatIsFullAtAnyWriteCostsNothingElse) {
  fail_at_every_call(Fault::kNoSpace);
}

TEST_F(FaultsTest, ADiskThatFailsOnceAtAnyWriteCostsNothingElse) {
  fail_at_every_call(Fault::kBroken);
}

TEST_F(FaultsTest, ADiskThatFailsFromAnyWriteOnCostsNothingElse) {
  fail_at_every_call(Fault::kBrokenForGood);
}

TEST_F(FaultsTest, AProcessKilledAtAnyWriteLeavesASoundStore) {
  for (int nth = 1;; ++nth) {
    std::filesystem::remove_all(folder_);
    const int status = in_child([&] {
      const test::SqliteFaults faults;
      plan() = {Fault::kKill, nth, 0};
      bool failed = false;
      work(failed);
      if (failed) ::_exit(1);
    });
    expect_sound(nth);
    if (HasFatalFailure()) return;
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      EXPECT_GT(nth, 60);
      return;
    }
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
  }
}

TEST_F(FaultsTest, AProcessKilledFiftyTimesAtAnyMomentLeavesNoDamage) {
  std::mt19937 chance(20261115);
  int killed = 0;
  for (int round = 0; round < 50; ++round) {
    int report[2];
    ASSERT_EQ(::pipe2(report, O_CLOEXEC), 0);
    const Fd done(report[0]);
    Fd say(report[1]);
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto database = Database::open(folder_);
      if (!database) ::_exit(1);
      auto cache = Cache::open(*database, disk_, clock_, {.most_bytes = 20000});
      for (int i = 0; cache; ++i) {
        const std::string key = "key" + std::to_string(i % 70);
        if (!cache->put(key, "p", sanitized(value_of(key) + std::to_string(i)))) ::_exit(1);
        if (::write(say.get(), "x", 1) != 1) ::_exit(1);
      }
      ::_exit(1);
    }
    say = Fd();
    // It is killed somewhere in what follows so many values: how far it gets is the machine's.
    char byte = 0;
    for (auto left = chance() % 40; left > 0; --left) ASSERT_EQ(::read(done.get(), &byte, 1), 1);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
  }
  EXPECT_EQ(killed, 50);  // none of them met an error first
  auto database = Database::open(folder_).value();
  auto cache = Cache::open(database, disk_, clock_).value();
  EXPECT_GT(cache.show().value().entries, 0);
  const CacheVerified verified = cache.verify().value();
  for (const DamagedEntry& entry : verified.removed)
    EXPECT_EQ(entry.key, "") << "damage that get() would see: " << entry.file;
  EXPECT_TRUE(cache.verify().value().removed.empty());
}

// What one process writes of a key: any of them is right, nothing else is.
bool is_right(const std::string& key, const std::string& bytes) {
  return bytes == value_of(key) + "0" || bytes == value_of(key) + "1";
}

void put_and_get_all(const std::string& folder, int who) {
  os::Disk disk;
  const Clock clock;
  auto database = Database::open(folder);
  if (!database) ::_exit(1);
  auto cache = Cache::open(*database, disk, clock);
  if (!cache) ::_exit(2);
  for (int i = 0; i < 100; ++i) {
    const std::string key = "key" + std::to_string(i);
    if (!cache->put(key, "p", sanitized(value_of(key) + std::to_string(who)))) ::_exit(3);
    const auto found = cache->get(key);
    if (!found) ::_exit(4);
    if (!is_right(key, *found)) ::_exit(5);
  }
  ::_exit(0);
}

TEST_F(FaultsTest, TwoProcessesOnTheSameHundredKeysMeetNoErrorAndLeaveNoDamage) {
  for (int round = 0; round < 20; ++round) {
    std::array<pid_t, 2> children{};
    for (int who = 0; who < 2; ++who) {
      children[static_cast<std::size_t>(who)] = ::fork();
      if (children[static_cast<std::size_t>(who)] == 0) put_and_get_all(folder_, who);
    }
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << "step " << WEXITSTATUS(status) << " in round " << round;
    }
    auto database = Database::open(folder_).value();
    auto cache = Cache::open(database, disk_, clock_).value();
    EXPECT_EQ(cache.show().value().entries, 100);
    const CacheVerified verified = cache.verify().value();
    for (const DamagedEntry& entry : verified.removed) EXPECT_EQ(entry.key, "");
  }
}

}  // namespace
}  // namespace airlock::store

// Faults at the nth write, wherever it happens: in Disk's calls and in SQLite's own (its unix
// layer lets a test replace the system calls). A fault is either an errno or the death of the
// process by SIGKILL, with half of the bytes written before.
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include "os/disk.h"

namespace airlock::store::test {

enum class Fault { kNone, kNoSpace, kBroken, kBrokenForGood, kKill };

// The calls are counted from here on, and the nth (from 1) goes wrong. Plain functions that SQLite
// calls leave no room for anything but a variable of the whole program.
struct Plan {
  Fault fault = Fault::kNone;
  int nth = 0;
  int calls = 0;
};
Plan& plan();

// Replaces SQLite's calls while it lives.
class SqliteFaults {
 public:
  SqliteFaults();
  SqliteFaults(const SqliteFaults&) = delete;
  SqliteFaults& operator=(const SqliteFaults&) = delete;
  ~SqliteFaults();
};

class FaultyDisk : public os::Disk {
 public:
  int create(int folder, const char* name) override;
  ssize_t write(int file, const void* bytes, std::size_t size) override;
  int sync(int file) override;
  int rename(int from, const char* old_name, int to, const char* new_name) override;
  int remove(int folder, const char* name) override;
};

}  // namespace airlock::store::test

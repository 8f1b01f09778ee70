// What a gathering keeps: outputs in a cache, and the record of the run. Both are conveniences: if
// the store is locked, damaged, full or of a newer version, that is noted once and the run goes on
// without it. Used by one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/run_record.h"
#include "model/user_dirs.h"
#include "os/disk.h"
#include "probe/inner_door.h"
#include "store/cache.h"
#include "store/clock.h"
#include "store/database.h"
#include "store/runs.h"

namespace airlock::probe {

struct StoreOptions {
  UserDirs user_dirs;
  std::string cache_folder;  // empty: in the store itself
  bool use_cache = true;
};

// An output as it was kept: bytes that are judged again before anybody sees them.
struct KeptOutput {
  std::string document;
  std::vector<std::string> artifacts;   // in the order of the document's raw_artifacts
  std::vector<RecordedSecret> secrets;  // that were redacted in it
};

// No call fails: trouble is noted once, and what cannot be kept is not.
class GatherStore {
 public:
  // `door`: for what is kept beside the outputs. It must outlive this.
  GatherStore(const StoreOptions& options, InnerDoor& door);

  // The name of the run, which it has even when it cannot be recorded.
  const std::string& begin(std::string_view repository, std::string_view task);
  void add(const ExecutionRecord& execution);
  void finish();

  bool has_cache() const { return cache_.has_value(); }
  // With all of its artifacts, or nothing.
  std::optional<KeptOutput> get(const std::string& key);
  void put(const std::string& key, std::string_view probe, const PassedOutput& output);
  // What a probe has said about itself.
  std::optional<std::string> get_description(const std::string& key);
  void put_description(const std::string& key, std::string_view probe, const Sanitized& text);

  // What could not be kept and why, a sentence each.
  const std::vector<std::string>& troubles() const { return troubles_; }
  void note(std::string_view what, const Error& error);
  // It is not tried again.
  void lose_record(const Error& error);

 private:
  Result<void> put_all(const std::string& key, std::string_view probe, const PassedOutput& output);
  void lose_cache(const Error& error);
  void open_cache(store::Database& database);

  InnerDoor* door_;
  os::Disk disk_;
  store::Clock clock_;
  std::unique_ptr<store::Database> records_;
  std::unique_ptr<store::Database> other_;  // of a cache that has a folder of its own
  std::optional<store::Cache> cache_;
  std::optional<store::Runs> runs_;
  std::string run_;
  std::vector<std::string> troubles_;
};

}  // namespace airlock::probe

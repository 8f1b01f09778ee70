#include "probe/gather_store.h"

#include <algorithm>
#include <utility>

#include "os/random.h"
#include "probe/artifacts.h"
#include "store/run_id.h"
#include "store/state_folder.h"

namespace airlock::probe {

namespace {

constexpr std::size_t kChanceBytes = 16;

Result<std::unique_ptr<store::Database>> open_database(const Result<std::string>& folder) {
  if (!folder) return std::unexpected(folder.error());
  auto database = store::Database::open(*folder);
  if (!database) return std::unexpected(std::move(database).error());
  return std::make_unique<store::Database>(std::move(*database));
}

std::string artifact_key(const std::string& key, std::size_t number) {
  return key + "/" + std::to_string(number);
}

}  // namespace

GatherStore::GatherStore(const StoreOptions& options) {
  auto records = open_database(store::state_folder(options.places));
  if (records) {
    records_ = std::move(*records);
    runs_.emplace(*records_, clock_);
  } else {
    note("this run is not recorded", records.error());
  }
  if (!options.use_cache) return;
  if (options.cache_folder.empty()) {
    if (records_) open_cache(*records_);
    if (!records) note("nothing is cached", records.error());
    return;
  }
  auto other = open_database(options.cache_folder);
  if (other) {
    other_ = std::move(*other);
    open_cache(*other_);
  } else {
    note("nothing is cached", other.error());
  }
}

void GatherStore::open_cache(store::Database& database) {
  auto cache = store::Cache::open(database, disk_, clock_);
  if (!cache) return note("nothing is cached", cache.error());
  cache_.emplace(std::move(*cache));
}

void GatherStore::note(std::string_view what, const Error& error) {
  std::string sentence = std::string(what) + ": " + error.message;
  if (std::ranges::find(troubles_, sentence) == troubles_.end())
    troubles_.push_back(std::move(sentence));
}

const std::string& GatherStore::begin(std::string_view repository, std::string_view task) {
  run_ = store::run_id(clock_.now(), os::random_bytes(kChanceBytes));
  if (!runs_) return run_;
  auto begun = runs_->begin(repository, task);
  if (begun) {
    run_ = std::move(*begun);
  } else {
    note("this run is not recorded", begun.error());
    runs_.reset();
  }
  return run_;
}

void GatherStore::add(const ExecutionRecord& execution) {
  if (!runs_) return;
  if (const auto added = runs_->add(run_, execution); !added)
    note("not all of this run is recorded", added.error());
}

void GatherStore::finish() {
  if (!runs_) return;
  if (const auto finished = runs_->finish(run_); !finished)
    note("not all of this run is recorded", finished.error());
}

std::optional<KeptOutput> GatherStore::get(const std::string& key) {
  if (!cache_) return std::nullopt;
  auto document = cache_->get(key);
  if (!document) return std::nullopt;
  KeptOutput kept{std::move(*document), {}};
  const std::size_t count = artifact_names(kept.document).size();
  for (std::size_t i = 0; i < count; ++i) {
    auto bytes = cache_->get(artifact_key(key, i));
    if (!bytes) return std::nullopt;
    kept.artifacts.push_back(std::move(*bytes));
  }
  return kept;
}

// The document last: what it names is there before it is.
void GatherStore::put(const std::string& key, std::string_view probe, const PassedOutput& output) {
  if (!cache_) return;
  for (std::size_t i = 0; i < output.artifacts.size(); ++i) {
    const auto kept = cache_->put(artifact_key(key, i), probe, output.artifacts[i]);
    if (!kept) return note("not everything is cached", kept.error());
  }
  if (const auto kept = cache_->put(key, probe, output.output); !kept)
    note("not everything is cached", kept.error());
}

}  // namespace airlock::probe

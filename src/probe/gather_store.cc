#include "probe/gather_store.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "os/random.h"
#include "probe/artifacts.h"
#include "store/run_id.h"
#include "store/state_folder.h"

namespace airlock::probe {

namespace {

constexpr std::size_t kRandomBytes = 16;  // of a run's name

Result<std::unique_ptr<store::Database>> open_database(const Result<std::string>& place) {
  const std::string folder = TRY(place);
  auto database = TRY(store::Database::open(folder));
  return std::make_unique<store::Database>(std::move(database));
}

// An output is kept as several entries: KEY is the document, KEY/0, KEY/1 … its artifacts,
// KEY/secrets what was redacted in them.
constexpr const char* kSecrets = "/secrets";

std::string write_secrets(const std::vector<RecordedSecret>& secrets) {
  nlohmann::json list = nlohmann::json::array();
  for (const RecordedSecret& one : secrets)
    list.push_back({{"fingerprint", one.fingerprint}, {"pattern", one.pattern}});
  return nlohmann::json{{"findings", list}}.dump();
}

// Entries that are not as we write them are passed over: the cache may be damaged.
std::vector<RecordedSecret> read_secrets(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  std::vector<RecordedSecret> secrets;
  if (!document.is_object()) return secrets;
  for (const auto& one : document.value("findings", nlohmann::json::array())) {
    if (one.is_object() && one.contains("fingerprint") && one["fingerprint"].is_string() &&
        one.contains("pattern") && one["pattern"].is_string())
      secrets.push_back({one["fingerprint"].get<std::string>(), one["pattern"].get<std::string>()});
  }
  return secrets;
}

std::string artifact_key(const std::string& key, std::size_t number) {
  return key + "/" + std::to_string(number);
}

}  // namespace

// Records and cache share one database unless the cache has a folder of its own.
GatherStore::GatherStore(const StoreOptions& options, InnerDoor& door) : door_(&door) {
  const bool shares_folder = options.use_cache && options.cache_folder.empty();
  auto records = open_database(store::state_folder(options.user_dirs));
  if (records) {
    records_ = std::move(*records);
    runs_.emplace(*records_, clock_);
    if (shares_folder) open_cache(*records_);
  } else {
    note(shares_folder ? "this run is not recorded, and nothing is cached"
                       : "this run is not recorded",
         records.error());
  }
  if (!options.use_cache || shares_folder) return;
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
  troubles_.push_back(std::string(what) + ": " + error.message);
}

// Noted once and not tried again: a locked database would make every later call wait.
void GatherStore::lose_cache(const Error& error) {
  cache_.reset();
  note("not everything is cached", error);
}

void GatherStore::lose_record(const Error& error) {
  runs_.reset();
  note("not all of this run is recorded", error);
}

const std::string& GatherStore::begin(std::string_view repository, std::string_view task) {
  // A name of our own first: it stands when the database gives none.
  run_ = store::run_id(clock_.now(), os::random_bytes(kRandomBytes));
  if (!runs_) return run_;
  auto begun = runs_->begin(repository, task);
  if (begun) {
    run_ = std::move(*begun);
  } else {
    lose_record(begun.error());
  }
  return run_;
}

void GatherStore::add(const ExecutionRecord& execution) {
  if (!runs_) return;
  if (const auto added = runs_->add(run_, execution); !added) lose_record(added.error());
}

void GatherStore::finish() {
  if (!runs_) return;
  if (const auto finished = runs_->finish(run_); !finished) lose_record(finished.error());
}

std::optional<KeptOutput> GatherStore::get(const std::string& key) {
  if (!cache_) return std::nullopt;
  auto document = cache_->get(key);
  if (!document) return std::nullopt;
  KeptOutput kept{std::move(*document), {}, {}};
  const std::size_t count = facts_of_output(kept.document).artifacts.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto bytes = cache_->get(artifact_key(key, i));
    // One artifact is gone: the whole output is as good as not kept.
    if (!bytes) return std::nullopt;
    kept.artifacts.push_back(std::move(*bytes));
  }
  if (const auto secrets = cache_->get(key + kSecrets)) kept.secrets = read_secrets(*secrets);
  return kept;
}

// The document last, so that everything it names is there when it can be found.
Result<void> GatherStore::put_all(const std::string& key, std::string_view probe,
                                  const PassedOutput& output) {
  for (std::size_t i = 0; i < output.artifacts.size(); ++i)
    TRY(cache_->put(artifact_key(key, i), probe, output.artifacts[i]));
  if (!output.secrets.empty()) {
    if (const auto secrets = door_->pass_unchanged(write_secrets(output.secrets)))
      TRY(cache_->put(key + kSecrets, probe, *secrets));
  }
  return cache_->put(key, probe, output.output);
}

void GatherStore::put(const std::string& key, std::string_view probe, const PassedOutput& output) {
  if (!cache_) return;
  if (const auto kept = put_all(key, probe, output); !kept) lose_cache(kept.error());
}

std::optional<std::string> GatherStore::get_description(const std::string& key) {
  return cache_ ? cache_->get(key) : std::nullopt;
}

void GatherStore::put_description(const std::string& key, std::string_view probe,
                                  const Sanitized& text) {
  if (!cache_) return;
  if (const auto kept = cache_->put(key, probe, text); !kept) lose_cache(kept.error());
}

}  // namespace airlock::probe

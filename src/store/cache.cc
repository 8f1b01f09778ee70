// The order of steps is what makes a kill harmless. put: blob first, entry second, so an entry
// never comes before its blob. Removal: entry first, blob second. In between, only a blob without
// entry can be left. Those who remove have the folder to themselves (Blobs::lock): otherwise a
// blob could go between another's two steps.
#include "store/cache.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <unordered_set>
#include <utility>

namespace airlock::store {

namespace {

// A hit is a write only once a minute: reading stays cheap, and a minute is nothing to an order
// by days.
constexpr std::int64_t kUseResolutionMs = 60 * 1000;
// Nobody writes one blob for longer than that.
constexpr std::int64_t kUnfinishedAfterMs = 60 * 60 * 1000;
// Evicting down to a bit below the limit, so that not every put evicts.
constexpr std::int64_t kKeptPercent = 90;

}  // namespace

Cache::Cache(Database& database, Blobs blobs, const Clock& clock, const CacheLimits& limits)
    : database_(&database), blobs_(std::move(blobs)), clock_(&clock), limits_(limits) {}

Result<Cache> Cache::open(Database& database, os::Disk& disk, const Clock& clock,
                          const CacheLimits& limits) {
  auto blobs = TRY(within("open the cache", Blobs::open(database.folder_descriptor(), "cache",
                                                        database.folder() + "/cache", disk)));
  return Cache(database, std::move(blobs), clock, limits);
}

std::optional<std::string> Cache::get(std::string_view key) {
  const auto row = find(key);
  if (!row || !*row) return std::nullopt;
  if ((*row)->last_used < clock_->now() - limits_.most_age_ms) return std::nullopt;
  auto bytes = blobs_.read((*row)->blob, (*row)->size);
  if (!bytes) {
    [[maybe_unused]] const auto dropped =
        drop(**row);  // if that fails too, the next one to ask tries again
    return std::nullopt;
  }
  [[maybe_unused]] const auto noted = note_use(**row);  // on a full disk a hit is still a hit
  return *std::move(bytes);
}

Result<void> Cache::put(std::string_view key, std::string_view probe, const Sanitized& value) {
  return put_bytes(key, probe, value.json());
}

Result<void> Cache::put(std::string_view key, std::string_view probe, const RedactedFile& file) {
  return put_bytes(key, probe, file.bytes());
}

Result<void> Cache::put_bytes(std::string_view key, std::string_view probe,
                              std::string_view bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size > limits_.most_bytes)
    return bad_request("keep " + std::to_string(size) + " bytes in the cache: it holds at most " +
                       std::to_string(limits_.most_bytes));
  {
    const auto locked = TRY(blobs_.lock(Blobs::LockMode::kShared));
    const auto blob = TRY(blobs_.write(bytes));
    // The shared lock covers both steps: nobody removes the blob before its entry is there.
    TRY(insert(key, probe, blob, size));
  }
  // Outside of the shared lock, since evicting takes the exclusive one.
  return evict(key);
}

Result<std::optional<Cache::CacheRow>> Cache::find(std::string_view key) {
  auto statement = TRY(
      database_->prepare("SELECT blob, probe, size, created, last_used FROM cache WHERE key = ?"));
  const auto found = TRY(statement.bind(1, key).step());
  if (!found) return std::nullopt;
  return CacheRow{std::string(key),    statement.text(0),   statement.text(1),
                  statement.number(2), statement.number(3), statement.number(4)};
}

// Only this very entry: one that somebody has put in the meantime stays.
Result<void> Cache::drop(const CacheRow& row) {
  auto statement =
      TRY(database_->prepare("DELETE FROM cache WHERE key = ? AND blob = ? AND created = ?"));
  return statement.bind(1, row.key).bind(2, row.blob).bind(3, row.created).run();
}

Result<void> Cache::drop_all(const std::vector<CacheRow>& rows) {
  if (rows.empty()) return {};
  return database_->in_transaction([&]() -> Result<void> {
    for (const CacheRow& row : rows) TRY(drop(row));
    return {};
  });
}

Result<void> Cache::note_use(const CacheRow& row) {
  const std::int64_t now = clock_->now();
  // abs: the clock may have been set back.
  if (std::abs(now - row.last_used) < kUseResolutionMs) return {};
  auto statement =
      TRY(database_->prepare("UPDATE cache SET last_used = ? WHERE key = ? AND blob = ?"));
  return statement.bind(1, now).bind(2, row.key).bind(3, row.blob).run();
}

Result<void> Cache::insert(std::string_view key, std::string_view probe, const std::string& blob,
                           std::int64_t size) {
  auto statement =
      TRY(database_->prepare("INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?, ?, ?)"));
  const std::int64_t now = clock_->now();
  statement.bind(1, key).bind(2, blob).bind(3, size).bind(4, now).bind(5, now).bind(6, probe);
  return statement.run();
}

// `order` is one of our own literals: it becomes part of the SQL.
Result<std::vector<Cache::CacheRow>> Cache::rows(const char* order) {
  auto statement = TRY(database_->prepare(
      std::string("SELECT key, blob, probe, size, created, last_used FROM cache ORDER BY ") +
      order));
  std::vector<CacheRow> rows;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return rows;
    rows.push_back({statement.text(0), statement.text(1), statement.text(2), statement.number(3),
                    statement.number(4), statement.number(5)});
  }
}

Result<bool> Cache::is_used(const std::string& blob) {
  auto statement = TRY(database_->prepare("SELECT 1 FROM cache WHERE blob = ? LIMIT 1"));
  return statement.bind(1, blob).step();
}

Result<void> Cache::remove_if_unused(const std::string& blob) {
  const auto used = TRY(is_used(blob));
  if (!used) blobs_.remove(blob);  // what stays is found by verify()
  return {};
}

Result<void> Cache::evict(std::string_view just_put) {
  const std::int64_t now = clock_->now();
  const std::int64_t oldest = now - limits_.most_age_ms;
  {
    // Both numbers come from the index cache_by_use, so that an ordinary put costs little.
    auto statement =
        TRY(database_->prepare("SELECT total(size), coalesce(min(last_used), ?) FROM cache"));
    TRY(statement.bind(1, oldest).step());
    if (statement.number(0) <= limits_.most_bytes && statement.number(1) >= oldest) return {};
  }
  const auto locked = TRY(blobs_.lock(Blobs::LockMode::kExclusive));
  auto kept = TRY(rows("last_used DESC, created DESC, key"));
  // A clock that was set back leaves uses in the future; they count as now, and not for ever.
  std::ranges::stable_sort(kept, std::ranges::greater(), [&](const CacheRow& row) {
    return std::pair(row.key == just_put, std::min(row.last_used, now));
  });
  std::int64_t total = 0;
  for (const CacheRow& row : kept) total += row.size;
  const std::int64_t goal =
      total > limits_.most_bytes ? limits_.most_bytes / 100 * kKeptPercent : limits_.most_bytes;
  // From the end, the longest unused first; what was just put stays in any case.
  std::vector<CacheRow> evicted;
  while (kept.size() > 1 && (total > goal || kept.back().last_used < oldest)) {
    total -= kept.back().size;
    evicted.push_back(std::move(kept.back()));
    kept.pop_back();
  }
  TRY(drop_all(evicted));
  for (const CacheRow& row : evicted) TRY(remove_if_unused(row.blob));
  return {};
}

Result<CacheContents> Cache::show() {
  CacheContents contents{.folder = database_->folder() + "/cache",
                         .most_bytes = limits_.most_bytes,
                         .most_age_ms = limits_.most_age_ms,
                         .by_probe = {}};
  auto statement = TRY(database_->prepare(
      "SELECT probe, count(*), sum(size) FROM cache GROUP BY probe ORDER BY 3 DESC, 1"));
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return contents;
    contents.by_probe.push_back({statement.text(0), statement.number(1), statement.number(2)});
    contents.entries += contents.by_probe.back().entries;
    contents.bytes += contents.by_probe.back().bytes;
  }
}

Result<CacheCleared> Cache::clear() {
  const auto locked = TRY(blobs_.lock(Blobs::LockMode::kExclusive));
  // What will be reported as cleared.
  const auto before = TRY(show());
  TRY(database_->run("DELETE FROM cache"));
  bool all_gone = true;
  for (const std::string& name : blobs_.names()) all_gone &= blobs_.remove_name(name);
  for (const std::string& name : blobs_.unfinished(clock_->now() - kUnfinishedAfterMs))
    all_gone &= blobs_.remove_name(name);
  if (!all_gone) return bad_request_errno("clear " + before.folder);
  return CacheCleared{before.entries, before.bytes};
}

// Entries first, then files: an entry whose file is damaged takes the file with it, and what no
// sound entry names is left over. The lock keeps others from adding meanwhile.
Result<CacheVerified> Cache::verify() {
  const auto locked = TRY(blobs_.lock(Blobs::LockMode::kExclusive));
  TRY(database_->check());
  const auto entries = TRY(rows("key"));
  CacheVerified verified;
  std::unordered_set<std::string> sound;  // names of files
  std::unordered_set<std::string> named;  // of those in the report
  std::vector<CacheRow> damaged;
  for (const CacheRow& row : entries) {
    const std::string file = "blobs/" + row.blob.substr(0, 2) + "/" + row.blob;
    const auto bytes = blobs_.read(row.blob, row.size);
    if (bytes) {
      ++verified.sound;
      sound.insert(file);
    } else {
      verified.removed.push_back({bytes.error(), row.key, row.probe, file});
      named.insert(file);
      damaged.push_back(row);
    }
  }
  TRY(drop_all(damaged));
  for (const std::string& name : blobs_.names()) {
    if (sound.contains(name)) continue;
    if (!named.contains(name)) verified.removed.push_back({CacheDamage::kOrphaned, "", "", name});
    blobs_.remove_name(name);
  }
  for (const std::string& name : blobs_.unfinished(clock_->now() - kUnfinishedAfterMs)) {
    verified.removed.push_back({CacheDamage::kUnfinished, "", "", name});
    blobs_.remove_name(name);
  }
  return verified;
}

}  // namespace airlock::store

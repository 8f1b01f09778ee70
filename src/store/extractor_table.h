// What was approved: under each name its versions, never changed afterwards, each with its receipt.
// A number of a version is given once, also when that version or all of the name was removed.
//
// One Extractors for one thread; it borrows the database and the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/draft.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store {

class Extractors {
 public:
  Extractors(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  // With its version and time. `draft`: what it was, which goes in the same step; an Error, and
  // nothing changed, when that draft is not there any more or has another text. Null: it was none.
  // `seal` makes the receipt of what has its name and version; empty: the one that it has.
  // The receipt covers the version, which is known only inside of the transaction; hence a
  // function. One that came in a bundle is refused when its key is not trusted at that moment.
  // `newest`: the version that must be the newest of the name at that moment, 0 for none.
  using Seal = std::function<Receipt(const ApprovedExtractor&)>;
  Result<ApprovedExtractor> add(ApprovedExtractor extractor, const Draft* draft,
                                const Seal& seal = {}, std::optional<std::int64_t> newest = {});

  // The newest version of each name, sorted by name.
  Result<std::vector<ApprovedExtractor>> list();
  // The versions of one name, the newest first; empty when there is none.
  Result<std::vector<ApprovedExtractor>> history(std::string_view name);
  // `version` of nothing: the newest.
  Result<std::optional<ApprovedExtractor>> find(std::string_view name,
                                                std::optional<std::int64_t> version);

  // What the draft of this id became; the whole id.
  Result<std::optional<ApprovedExtractor>> find_by_draft(std::string_view id);

  // Both: how many versions it was about, 0 when there is none of that name.
  Result<std::size_t> set_disabled(std::string_view name, bool is_disabled);
  Result<std::size_t> remove(std::string_view name, std::optional<std::int64_t> version);

 private:
  Result<void> require_newest(std::string_view name, std::int64_t version);
  Result<std::int64_t> next_version(std::string_view name);
  Result<std::size_t> count(std::string_view name, std::optional<std::int64_t> version);
  Result<void> insert(const ApprovedExtractor& extractor);
  Result<void> use_up(const Draft& draft);
  Result<void> require_trusted(std::string_view public_key);

  Database* database_;
  const Clock* clock_;
};

}  // namespace airlock::store

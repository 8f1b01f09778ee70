// Texts that passed validation and wait for a person's word. They live kDraftLifeMs, and there are
// at most kMostDrafts of them: keeping one more drops the oldest. Looking changes nothing; what has
// expired is not seen any more, and goes when the next one is kept. What a person has rejected
// waits no longer, and is kept aside with the reason.
//
// One Drafts for one thread; it borrows the database and the clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/draft.h"
#include "store/clock.h"
#include "store/database.h"

namespace airlock::store {

class Drafts {
 public:
  Drafts(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  // With its id and time. An Error, and nothing changed, for a text that is too long; samples
  // beyond what may be kept are left out.
  Result<Draft> keep(Draft draft);

  // The newest first.
  Result<std::vector<Draft>> list();
  // `id`: the whole of it, or a beginning of at least four characters that only one has.
  Result<Draft> find(std::string_view id);
  // Another text in the place of the draft's, which must still be as it was read: somebody else may
  // have been quicker. Its time begins anew.
  Result<Draft> change(const Draft& before, std::string text);
  // All of them or, when one is not there, none.
  Result<void> remove(const std::vector<std::string>& ids);
  // How many there were.
  Result<std::size_t> clear();

  // It waits no longer, and is kept as rejected; it must still be as it was seen.
  Result<RejectedDraft> reject(const Draft& seen, const ReviewNote& review);
  // The newest first, at most kMostRejected.
  Result<std::vector<RejectedDraft>> rejected();

 private:
  // An id that no draft has; inside the caller's transaction.
  Result<std::string> free_id();
  Result<void> tidy(std::int64_t now);

  Database* database_;
  const Clock* clock_;
};

// Whether its life is over. A time in the future (somebody set the clock back) counts like one in
// the past.
bool has_expired(std::int64_t created, std::int64_t now);

}  // namespace airlock::store

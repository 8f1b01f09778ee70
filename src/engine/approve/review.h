// All that a person looks at before the word about a draft: the draft, how it does on its samples
// here and now, what its policy grants, and what is different from the approved version of its
// name. Judging runs code, in cells; nothing is changed.
//
// What can be found out is found out: a host without walls, a policy that is gone or an old version
// that does not run any more costs its own part, said in words, and the rest is there.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/approve/judge_draft.h"
#include "engine/approve/seen.h"
#include "engine/compare/compare_rules.h"
#include "model/draft.h"
#include "model/policy.h"
#include "model/user_dirs.h"

namespace airlock {

// Differences between answers that are told one by one; more are counted.
inline constexpr std::size_t kMostShownDifferences = 200;

struct DraftReview {
  Draft draft = {};
  std::optional<JudgedDraft> judged = {};
  std::string why_not_judged = {};
  std::optional<Policy> policy = {};             // Python only
  std::optional<ApprovedExtractor> before = {};  // the newest of the name
  std::optional<Comparison> answers = {};        // left: before, right: now
  std::string why_not_compared = {};
};

struct ReviewRequest {
  std::string draft;    // its id
  std::string against;  // the name whose approved version is compared; empty: the draft's own
  std::string host_program;
  Supply* supply = nullptr;   // may be null: processes of its own
  std::stop_token stop = {};  // ends what runs; an Error then
};

// What somebody sees who looks at it.
SeenDraft seen_in(const DraftReview& review);

// An Error: there is no such draft, the store cannot be read, or it was stopped.
Result<DraftReview> review_draft(const UserDirs& user_dirs, const ReviewRequest& request);

}  // namespace airlock

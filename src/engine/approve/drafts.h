// Drafts and their approval, as the commands and the wizard use them.
//
// A draft is a text (a rule or a program) that passed validation. Approving validates it again,
// under the policy and interpreter of now, and stores it with a receipt (receipt.h) in one
// transaction: afterwards there is either the draft or the approved extractor, never both and never
// neither.
//
// Reading from a store that does not exist gives an empty result and does not create it. An Error
// means that nothing was changed.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/approve/seen.h"
#include "model/draft.h"
#include "model/user_dirs.h"
#include "model/validation.h"

namespace airlock {

class Supply;  // engine/load/supply.h

// Keeps it and gives it back with its id and time. At most kMostDrafts are kept, the oldest goes.
Result<Draft> keep_draft(const UserDirs& user_dirs, Draft draft);

// The newest first; those that have expired are gone.
Result<std::vector<Draft>> list_drafts(const UserDirs& user_dirs);
// `id`: whole, or a beginning of at least four characters that only one has.
Result<Draft> find_draft(const UserDirs& user_dirs, std::string_view id);

// Another text in place of the draft's, as it was read before; what is kept was validated.
Result<Draft> change_draft(const UserDirs& user_dirs, const Draft& before, std::string text);
// All of them or, when one is not there, none.
Result<void> delete_drafts(const UserDirs& user_dirs, const std::vector<std::string>& ids);
// How many there were.
Result<std::size_t> delete_all_drafts(const UserDirs& user_dirs);

// It waits no longer and is kept as rejected. `seen` must still be what waits; a reason must be
// given.
Result<RejectedDraft> reject_draft(const UserDirs& user_dirs, const Draft& seen,
                                   const ReviewNote& review);
// The newest first.
Result<std::vector<RejectedDraft>> list_rejected(const UserDirs& user_dirs);

// What became of a draft that does not wait any more: at most one of both.
struct DraftFate {
  std::optional<ApprovedExtractor> approved = {};
  std::optional<RejectedDraft> rejected = {};
};
// `id`: the whole of it.
Result<DraftFate> fate_of_draft(const UserDirs& user_dirs, std::string_view id);

// A person's yes: under which name, and the person's word.
struct Approval {
  std::string name;
  ReviewNote review = {};
};

struct ApproveRequest {
  std::string draft;  // its id
  Approval approval;
  std::string host_program;
  // What the person saw; nothing: the caller has just shown it to them.
  std::optional<SeenDraft> seen = {};
  Supply* supply = nullptr;   // may be null: processes of its own
  std::stop_token stop = {};  // ends what runs; an Error then
};

// What a name has to look like, in words, or nothing when this one is fine.
std::string name_trouble(std::string_view name);
// Whether nothing in it can be seen: no name, and no reason. So is an empty text.
bool is_blank(std::string_view text);
// The same as name_trouble() for a person's word.
std::string review_trouble(const ReviewNote& review);

// What was validated is approved under a name; the caller vouches for `valid.text`, and for
// `results`: what it answered to its samples. `draft`: what it was, gone afterwards; null: it was
// none. An Error: nothing has changed.
Result<ApprovedExtractor> approve_judged(const UserDirs& user_dirs, const Draft& valid,
                                         std::span<const SampleResult> results,
                                         const Approval& approval, const Draft* draft,
                                         const std::string& host_program);

// Validates once more. The draft is gone afterwards, and the extractor is there with the next
// version; or nothing has changed. What is different from what was seen is not approved.
Result<ApprovedExtractor> approve_draft(const UserDirs& user_dirs, const ApproveRequest& request);

}  // namespace airlock

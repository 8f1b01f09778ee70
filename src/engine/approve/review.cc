#include "engine/approve/review.h"

#include <algorithm>

#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "engine/approve/receipt.h"
#include "engine/bulk/row_parts.h"
#include "engine/policy/policy_file.h"

namespace airlock {

namespace {

Result<JudgedDraft> judge_for_review(const ReviewRequest& request, OutputKind kind,
                                     const std::string& text,
                                     const std::vector<std::string>& samples,
                                     const std::string& policy, const Policy* loaded_policy) {
  return judge_draft({.kind = kind,
                      .text = text,
                      .samples = samples,
                      .policy = policy,
                      .loaded_policy = loaded_policy,
                      .host_program = request.host_program,
                      .supply = request.supply,
                      .stop = request.stop});
}

Answer answer_of_sample(const SampleResult& sample) {
  RowParts row;
  row.ok = sample.success;
  row.data = sample.result;
  row.error_type = sample.error_type;
  row.error_message = sample.error;
  return answer_of(row);
}

// The old version on the samples of the new one. Its row must be what was approved: nobody has
// looked at anything else.
void compare_answers(const ReviewRequest& request, DraftReview& review) {
  const ApprovedExtractor& before = *review.before;
  if (check_row(before).is_store_altered) {
    review.why_not_compared = full_name(before) + " is not what was approved, and was not run";
    return;
  }
  if (!review.judged || !review.judged->validation.has_results) {
    review.why_not_compared = "the draft gives no answers to compare";
    return;
  }
  const auto judged = judge_for_review(request, before.kind, before.text, review.draft.samples,
                                       before.policy, nullptr);
  if (!judged || !judged->validation.has_results) {
    review.why_not_compared = full_name(before) + " does not run any more: " +
                              (judged ? why_invalid(*judged) : judged.error().message);
    return;
  }
  AnswerPairs pairs(kMostShownDifferences);
  const auto& old_results = judged->validation.results;
  const auto& new_results = review.judged->validation.results;
  for (std::size_t i = 0; i < std::min(old_results.size(), new_results.size()); ++i)
    pairs.add(new_results[i].path, answer_of_sample(old_results[i]),
              answer_of_sample(new_results[i]));
  review.answers = pairs.result();
}

}  // namespace

SeenDraft seen_in(const DraftReview& review) {
  return seen_draft(review.draft, review.policy ? &*review.policy : nullptr,
                    review.before ? &*review.before : nullptr);
}

Result<DraftReview> review_draft(const UserDirs& user_dirs, const ReviewRequest& request) {
  const auto stopped = [&] { return fail("review the draft: it was stopped"); };
  if (request.stop.stop_requested()) return stopped();
  DraftReview review{.draft = TRY(find_draft(user_dirs, request.draft))};
  const Draft& draft = review.draft;
  const std::string& name = request.against.empty() ? draft.name : request.against;
  review.before = TRY(look_up_extractor(user_dirs, name));
  if (draft.kind == OutputKind::kPython) {
    if (auto policy = load_extractor_policy(draft.policy)) review.policy = *std::move(policy);
  }
  // What is shown of the policy is what it is judged under.
  auto judged = judge_for_review(request, draft.kind, draft.text, draft.samples, draft.policy,
                                 review.policy ? &*review.policy : nullptr);
  if (!judged)
    review.why_not_judged = judged.error().message;
  else
    review.judged = *std::move(judged);
  if (review.before) compare_answers(request, review);
  if (request.stop.stop_requested()) return stopped();
  return review;
}

}  // namespace airlock

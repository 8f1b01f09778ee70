// An approved extractor once more, after a change of policy or interpreter: its samples are run
// under those of now, and what it answers is held against what it answered when it was approved. Of
// that only hashes were kept, so a difference is told by the sample and its new answer.
//
// Nothing is approved here: that is a person's word (approve_judged() in drafts.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/approve/judge_draft.h"
#include "model/draft.h"
#include "model/validation.h"

namespace airlock {

struct SecondTrial {
  JudgedDraft judged = {};
  bool has_old_answers = false;
  // Places among judged.validation.results whose answer is another than it was; without old
  // answers, none.
  std::vector<std::size_t> different = {};
};

// One hash for each result, in order; of a failure: of nothing.
std::vector<std::string> answer_hashes(std::span<const SampleResult> results);

// `extractor` must be what was approved (check_row() in receipt.h).
Result<SecondTrial> try_again(const ApprovedExtractor& extractor, const std::string& host_program);

// As it is to be approved: what was judged is what is kept.
Draft as_draft(const ApprovedExtractor& extractor, const JudgedDraft& judged);

}  // namespace airlock

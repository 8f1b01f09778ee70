#include "engine/approve/reapprove.h"

#include "base/sha256.h"
#include "engine/approve/receipt.h"

namespace airlock {

std::vector<std::string> answer_hashes(std::span<const SampleResult> results) {
  std::vector<std::string> hashes;
  hashes.reserve(results.size());
  for (const SampleResult& one : results)
    hashes.push_back(sha256_hex(one.success ? one.result : ""));
  return hashes;
}

Result<SecondTrial> try_again(const ApprovedExtractor& extractor, const std::string& host_program) {
  if (extractor.samples.empty() && !extractor.signed_by.empty())
    return bad_request(
        "it came in a bundle, without sample paths to be tried on: airlock approve " +
        full_name(extractor) + " --samples FILE");
  if (extractor.samples.empty()) return bad_request("it has no sample paths to be tried on");
  SecondTrial trial;
  trial.judged = TRY(judge_draft({.kind = extractor.kind,
                                  .text = extractor.text,
                                  .samples = extractor.samples,
                                  .policy = extractor.policy,
                                  .host_program = host_program}));
  const std::vector<std::string> now = answer_hashes(trial.judged.validation.results);
  trial.has_old_answers = !now.empty() && now.size() == extractor.answers.size();
  if (!trial.has_old_answers) return trial;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] != extractor.answers[i]) trial.different.push_back(i);
  }
  return trial;
}

Draft as_draft(const ApprovedExtractor& extractor, const JudgedDraft& judged) {
  return {.kind = extractor.kind,
          .text = judged.text,
          .samples = extractor.samples,
          .hint = extractor.hint,
          .policy = extractor.policy,
          .written = {.author = extractor.author, .model = extractor.model}};
}

}  // namespace airlock

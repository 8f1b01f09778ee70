#include "engine/approve/seen.h"

#include <vector>

#include "base/hex.h"
#include "base/sha256.h"
#include "engine/approve/receipt.h"
#include "engine/policy/policy_hash.h"

namespace airlock {

namespace {

constexpr std::size_t kSeenHashDigits = 64;

// The part before the next full stop, which is taken off `rest` with it.
std::optional<std::string> next_part(std::string_view& rest) {
  const std::size_t end = rest.find('.');
  if (end == std::string_view::npos) return std::nullopt;
  std::string part(rest.substr(0, end));
  rest.remove_prefix(end + 1);
  return part;
}

std::string or_nothing(const std::string& before) {
  return before.empty() ? "nothing" : before;
}

}  // namespace

SeenDraft seen_draft(const Draft& draft, const Policy* policy, const ApprovedExtractor* before) {
  return {.text_sha256 = sha256_hex(draft.text),
          .policy_sha256 = policy == nullptr ? std::string() : policy_hash(*policy),
          .samples_sha256 = samples_hash(draft.samples),
          .before = before == nullptr ? std::string() : full_name(*before)};
}

std::string to_word(const SeenDraft& seen) {
  return seen.text_sha256 + "." + seen.policy_sha256 + "." + seen.samples_sha256 + "." +
         seen.before;
}

std::optional<SeenDraft> read_seen(std::string_view word) {
  auto text = next_part(word);
  auto policy = next_part(word);
  auto samples = next_part(word);
  if (!text || !policy || !samples) return std::nullopt;
  if (!is_hex_of(*text, kSeenHashDigits) || !is_hex_of(*samples, kSeenHashDigits))
    return std::nullopt;
  return SeenDraft{*std::move(text), *std::move(policy), *std::move(samples), std::string(word)};
}

std::string unseen_changes(const SeenDraft& seen, const SeenDraft& now) {
  std::vector<std::string> changes;
  if (seen.text_sha256 != now.text_sha256)
    changes.emplace_back("its text was changed by somebody else meanwhile");
  if (seen.policy_sha256 != now.policy_sha256)
    changes.emplace_back("its policy allows something else now");
  if (seen.samples_sha256 != now.samples_sha256) changes.emplace_back("its samples are others now");
  if (seen.before != now.before)
    changes.push_back("it would come after " + or_nothing(now.before) +
                      ", and you saw it compared with " + or_nothing(seen.before));
  std::string words;
  for (const std::string& one : changes) words += (words.empty() ? "" : "; ") + one;
  return words;
}

}  // namespace airlock

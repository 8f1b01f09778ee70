// What a person had in front of them when they said yes to a draft: its text, what its policy
// allows, its samples, and the version that it was compared with. Where people look in one place
// and decide in another (a page and its form), this travels between both as a word; whatever is
// different when the word comes back was not seen, and is not approved.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/draft.h"
#include "model/policy.h"

namespace airlock {

struct SeenDraft {
  std::string text_sha256 = {};
  std::string policy_sha256 = {};  // of what it allows, as on a receipt; of a rule: empty
  std::string samples_sha256 = {};
  std::string before = {};  // "sales@2"; empty: nothing of that name was approved

  bool operator==(const SeenDraft&) const = default;
};

// `policy`: null for a rule. `before`: the newest version of the name; null: there is none.
SeenDraft seen_draft(const Draft& draft, const Policy* policy, const ApprovedExtractor* before);

// The parts with a full stop between them, and back; nothing: it is no such word.
std::string to_word(const SeenDraft& seen);
std::optional<SeenDraft> read_seen(std::string_view word);

// What is different now from what was seen, in words, or nothing when all of it is the same.
std::string unseen_changes(const SeenDraft& seen, const SeenDraft& now);

}  // namespace airlock

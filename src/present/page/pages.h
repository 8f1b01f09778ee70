// The pages of the review, each a pure function from values to a whole document.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/approve/drafts.h"
#include "engine/approve/receipt.h"
#include "engine/approve/review.h"
#include "model/draft.h"
#include "model/run_record.h"
#include "present/page/shell.h"

namespace airlock::page {

// What was typed into a form that could not be taken: it is shown again.
struct Typed {
  std::string name = {};
  ReviewNote review = {};
  std::string trouble = {};  // why it was not taken; empty: nothing was typed yet
  std::string seen = {};     // what the form said was seen (engine/approve/seen.h)
};

enum class Decision : std::uint8_t { kApprove, kReject };

// What waits, the newest first.
std::string waiting_page(const Viewer& viewer, std::span<const Draft> drafts,
                         std::span<const ApprovedExtractor> approved);

// One draft: what it is, whether it passes, what it may do, what changed, who wrote it, and the two
// forms.
std::string draft_page(const Viewer& viewer, const DraftReview& review, const Typed& approving,
                       const Typed& rejecting);

// A draft that cannot be read now (the disk, the store): what was typed, in a form to be sent
// again. Whoever sends it decides about what was seen before, or about nothing.
std::string kept_words_page(const Viewer& viewer, std::string_view id, Decision decision,
                            const Typed& typed);

// A draft that waits no longer: who decided what, or that it is gone.
std::string fate_page(const Viewer& viewer, std::string_view id, const DraftFate& fate,
                      std::string_view trouble);

std::string rejected_page(const Viewer& viewer, std::span<const RejectedDraft> rejected);

std::string extractors_page(const Viewer& viewer, std::span<const ApprovedExtractor> extractors);

// One version with its receipt. `is_new`: it was approved just now. `history`: all versions.
struct ExtractorView {
  ApprovedExtractor extractor = {};
  ReceiptCheck check = {};
  std::string not_checked = {};  // why the receipt could not be looked at; empty: it was
  std::vector<ApprovedExtractor> history = {};
  bool is_new = false;
};
std::string extractor_page(const Viewer& viewer, const ExtractorView& view);

std::string runs_page(const Viewer& viewer, std::span<const RunRecord> runs);
std::string run_page(const Viewer& viewer, const RunRecord& run);

// Something that happened, for the tail.
struct TailEvent {
  std::int64_t time = 0;
  Tone tone = Tone::kNeutral;
  std::string what = {};   // "approved", "run failed": one or two words
  std::string words = {};  // the rest, text of anybody's
  std::string link = {};   // a path of ours; empty: none
};
// The newest first. `unread`: what could not be looked at, a sentence each.
std::string tail_page(const Viewer& viewer, std::span<const TailEvent> events,
                      std::span<const std::string> unread);

}  // namespace airlock::page

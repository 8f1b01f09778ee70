// Drafts and approved extractors, told to people and programs: what `airlock drafts`, `approve` and
// `extractors` print. Pure functions: values in, the bytes for stdout out. Times are ms since 1970.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/approve/receipt.h"
#include "model/draft.h"
#include "present/report/style.h"

namespace airlock::cli {

// `now`: ms since 1970, for ages.
std::string drafts_as_text(std::span<const Draft> drafts, std::int64_t now, Colour colour);
std::string drafts_as_json(std::span<const Draft> drafts);

std::string draft_as_text(const Draft& draft, std::int64_t now, Colour colour);
std::string draft_as_json(const Draft& draft);

// What was rejected: one a line, and the reason below.
std::string rejected_as_text(std::span<const RejectedDraft> rejected, Colour colour);
std::string rejected_as_json(std::span<const RejectedDraft> rejected);

// "a model (openai gpt-5)"; empty: nobody has said.
std::string author_in_words(std::string_view author, std::string_view model);

// One a line.
std::string extractors_as_text(std::span<const ApprovedExtractor> extractors, Colour colour);
std::string extractors_as_json(std::span<const ApprovedExtractor> extractors);

std::string extractor_as_text(const ApprovedExtractor& extractor, Colour colour);
std::string extractor_as_json(const ApprovedExtractor& extractor);

std::string use_as_json(const std::string& name, bool is_disabled);
std::string removal_as_json(const std::string& name, std::size_t versions);

// A program's lines, each safe to show.
std::string text_for_terminal(std::string_view text);

struct CheckedReceipt {
  ApprovedExtractor extractor;
  ReceiptCheck check = {};
};
std::string receipts_as_text(std::span<const CheckedReceipt> receipts, Colour colour);
std::string receipts_as_json(std::span<const CheckedReceipt> receipts);

// What was just approved, and how to run it. `draft`: its id; empty: it was none.
std::string approval_as_text(const ApprovedExtractor& extractor, Colour colour);
std::string approval_as_json(const ApprovedExtractor& extractor, const std::string& draft);

}  // namespace airlock::cli

// What `airlock extractors reapprove` tells of one extractor: what has changed around it, which of
// its samples are answered otherwise than when it was approved, and what came of it. Pure
// functions: values in, the bytes for stdout out.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/approve/reapprove.h"
#include "engine/approve/receipt.h"
#include "model/draft.h"
#include "present/report/style.h"

namespace airlock::cli {

struct Reapproval {
  ApprovedExtractor extractor = {};
  ReceiptCheck check = {};
  std::optional<SecondTrial> trial = {};  // nothing: it was not tried, `refusal` says why
  std::optional<ApprovedExtractor> approved = {};
  std::string refusal = {};  // why it was not approved, for people
};

// What a person decides on; without what came of it.
std::string trial_as_text(const Reapproval& one, Colour colour);
// One line: what came of it.
std::string reapproval_as_text(const Reapproval& one, Colour colour);
std::string reapprovals_as_json(std::span<const Reapproval> all);

}  // namespace airlock::cli

// Receipts: hashes of what was approved, and the check that it is still the same before it runs.
//
// A receipt covers name, version, kind, text, samples, policy and interpreter, and who wrote and
// who approved it where they were named. It detects change by mistake and rows that were exchanged
// or edited. It is not a signature: whoever can write to the database can also write a matching
// receipt.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/draft.h"
#include "model/policy.h"

namespace airlock {

// What a program is run under.
struct Conditions {
  std::string policy_sha256 = {};  // empty for a rule
  std::string interpreter = {};
};

// The conditions here and now. An Error: the policy cannot be read any more, or airlock-host cannot
// be asked.
Result<Conditions> present_conditions(OutputKind kind, const std::string& policy,
                                      const std::string& host_program);
// The same of a program under a policy that is at hand.
Result<Conditions> present_conditions(const Policy& policy, const std::string& host_program);

// For this name, version, kind, text, policy and samples: a receipt fits no other row.
Receipt make_receipt(const ApprovedExtractor& extractor, const Conditions& conditions);

// Everything that is not as it was approved, each a sentence without its full stop; empty: the
// receipt holds. Where the store is not altered, approving again is enough.
struct ReceiptCheck {
  std::vector<std::string> changes = {};
  bool is_store_altered = false;

  bool holds() const { return changes.empty(); }
};

ReceiptCheck check_receipt(const ApprovedExtractor& extractor, const Conditions& now);
// The same under the conditions here and now. An Error: airlock-host cannot be asked.
Result<ReceiptCheck> check_receipt_here(const ApprovedExtractor& extractor,
                                        const std::string& host_program);
// The part that needs no conditions: is the row what was approved?
ReceiptCheck check_row(const ApprovedExtractor& extractor);
// Is this the receipt of the extractor's text and of its own parts? Samples count by the hash that
// is among the parts: a bundle comes without them.
bool has_own_receipt(const ApprovedExtractor& extractor);

// One hash of all samples in their order, as it stands on a receipt.
std::string samples_hash(std::span<const std::string> samples);

// "sales@2".
std::string full_name(const ApprovedExtractor& extractor);

}  // namespace airlock

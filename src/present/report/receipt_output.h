// What is said about an approved extractor that is not what was approved, or is not to be run:
// `extract` and `approve` refuse it with these words, `extractors verify` lists them.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/approve/receipt.h"
#include "model/draft.h"

namespace airlock::cli {

// One line for each change, then what to do.
std::string broken_receipt(const ApprovedExtractor& extractor, const ReceiptCheck& check);

// An Error with these words: it is disabled, or its receipt does not hold here and now.
Result<void> require_runnable(const ApprovedExtractor& extractor, const std::string& host_program);

// How to make the receipt hold again, a line or two.
std::string receipt_advice(const ApprovedExtractor& extractor, const ReceiptCheck& check);

}  // namespace airlock::cli

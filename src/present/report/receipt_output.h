// What is said about an approved extractor that is not what was approved: `extract` and `approve`
// refuse it with these words, `extractors verify` lists them. Pure functions.
#pragma once

#include <string>

#include "engine/approve/receipt.h"
#include "model/draft.h"

namespace airlock::cli {

// One line for each change, then what to do.
std::string broken_receipt(const ApprovedExtractor& extractor, const ReceiptCheck& check);

// How to make the receipt hold again, a line or two.
std::string receipt_advice(const ApprovedExtractor& extractor, const ReceiptCheck& check);

}  // namespace airlock::cli

// Reads a document that simdjson has refused, slowly, to say what is wrong with it and where:
// simdjson knows only that something is. Speaks to the same judge, so that names and fields are
// judged as far as the text can be read. Called by admit.cc only.
//
// What is wrong with one value (NaN, half a surrogate pair, a number that is too large) is
// reported, and reading goes on; where the text itself breaks, it ends.
#pragma once

#include <string_view>

#include "admit/document_judge.h"

namespace airlock {

// `text` is hostile: any length up to the limit, any bytes. Afterwards the judge has a complaint,
// unless simdjson was wrong.
void diagnose_invalid_json(std::string_view text, DocumentJudge& judge, const AdmitLimits& limits);

}  // namespace airlock

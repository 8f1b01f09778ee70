// `airlock admit` without its screen: a document in, what may be kept of it out. In this order, and
// no other: judge, then scrub.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "admit/limits.h"
#include "base/result.h"
#include "model/admitted.h"
#include "model/not_admitted.h"

namespace airlock {

struct AdmitRequest {
  std::string file = {};  // "-" is standard input
  Form form = Form::kProbeOutput;
  std::string root;  // the analysed repository; empty for none; need not exist
  AdmitLimits limits;
};

// An Error: the document could not be read. A refusal is not an Error: it is the answer.
Result<std::expected<Sanitized, NotAdmitted>> admit_document(const AdmitRequest& request);

// The same for a document that is here already; `file` is not looked at.
std::expected<Sanitized, NotAdmitted> admit_bytes(std::string_view document,
                                                  const AdmitRequest& request);

}  // namespace airlock

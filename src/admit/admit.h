// The inner door: hostile bytes in; facts out, or every reason why not. The only maker of Admitted.
//
// What passes: a JSON object in UTF-8, within limits, no key twice, numbers finite; for a probe's
// output only the known fields with their types; no key that looks like the name of a secret.
// Two readers feed one judge (document_judge.h): simdjson for valid text, and a slow one that says
// where invalid text breaks (invalid_json.h). Messages name keys, never values.
#pragma once

#include <expected>
#include <memory>
#include <string_view>

#include "admit/limits.h"
#include "admit/scrub_text.h"
#include "model/admitted.h"
#include "model/not_admitted.h"
#include "model/raw_outcome.h"

namespace airlock {

// Pure: no I/O, no clock. Keeps its buffers from one document to the next, and nothing of a
// document in them that a later one could see. Not for two threads at once.
class Admitter {
 public:
  // `scrub`: how keys are made fit to be shown in a refusal.
  explicit Admitter(AdmitLimits limits = {}, ScrubOptions scrub = {});
  ~Admitter();
  Admitter(const Admitter&) = delete;
  Admitter& operator=(const Admitter&) = delete;
  Admitter(Admitter&&) noexcept;
  Admitter& operator=(Admitter&&) noexcept;

  // `bytes` is hostile: any length, any content. Nothing of it is kept by reference. A message of
  // the refusal names keys (scrubbed, printable, cut), never a value.
  std::expected<Admitted, NotAdmitted> admit(std::string_view bytes, Form form);
  std::expected<Admitted, NotAdmitted> admit(const RawDocument& document, Form form) {
    return admit(document.text_, form);
  }

  const AdmitLimits& limits() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace airlock

#include "engine/check/admit_document.h"

#include "admit/admit.h"
#include "admit/sanitize.h"
#include "engine/check/root_names.h"
#include "os/files.h"

namespace airlock {

Result<std::expected<Sanitized, NotAdmitted>> admit_document(const AdmitRequest& request) {
  const std::size_t limit = request.limits.document_bytes;
  auto read = TRY(request.file == "-" ? os::read_standard_input(limit)
                                      : os::read_file(request.file, limit));
  return admit_bytes(read.bytes, request);
}

std::expected<Sanitized, NotAdmitted> admit_bytes(std::string_view document,
                                                  const AdmitRequest& request) {
  const ScrubOptions scrub{root_names(request.root), {}};
  const auto admitted = TRY(Admitter(request.limits, scrub).admit(document, request.form));
  return Sanitizer(scrub).sanitize(admitted);
}

}  // namespace airlock

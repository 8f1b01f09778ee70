#include "engine/admit_document.h"

#include <filesystem>

#include "admit/admit.h"
#include "admit/sanitize.h"
#include "os/files.h"

namespace airlock {

namespace {

// The root by every name that a probe may have written: as it was given, made absolute, and where
// its links lead.
std::vector<std::string> names_of_root(const std::string& root) {
  namespace fs = std::filesystem;
  if (root.empty()) return {};
  std::vector<std::string> names{root};
  const bool is_windows = root.starts_with("\\\\") || (root.size() > 1 && root[1] == ':');
  if (is_windows) return names;
  std::error_code error;
  const fs::path absolute = fs::absolute(root, error);
  if (error) return names;
  names = {absolute.lexically_normal().native()};
  const fs::path real = fs::weakly_canonical(absolute, error);
  if (!error && real != names[0]) names.push_back(real.native());
  return names;
}

}  // namespace

Result<std::expected<Sanitized, NotAdmitted>> admit_document(const AdmitRequest& request) {
  const std::size_t limit = request.limits.document_bytes;
  auto read =
      request.file == "-" ? os::read_standard_input(limit) : os::read_file(request.file, limit);
  if (!read) return std::unexpected(std::move(read).error());
  const ScrubOptions scrub{names_of_root(request.root), {}};
  auto admitted = Admitter(request.limits, scrub).admit(read->bytes, request.form);
  if (!admitted)
    return std::expected<Sanitized, NotAdmitted>(std::unexpected(std::move(admitted).error()));
  return Sanitizer(scrub).sanitize(*admitted);
}

}  // namespace airlock

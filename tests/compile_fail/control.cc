// Compiles: what the other files do wrong, done right.
#include "admit/admit.h"
#include "admit/sanitize.h"

std::string kept(std::string_view bytes) {
  auto admitted = airlock::Admitter().admit(bytes, airlock::Form::kBare);
  if (!admitted) return {};
  auto sanitized = airlock::Sanitizer().sanitize(*admitted);
  return sanitized ? std::string(sanitized->json()) : std::string();
}

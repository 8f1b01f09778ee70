// The door for any bytes: it never crashes, it refuses with a reason, the two readers agree, what
// it lets through is JSON that it lets through again, and no message repeats a value.
#include <simdjson.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "admit/admit.h"
#include "admit/sanitize.h"

namespace {

void require(bool is_so) {
  if (!is_so) std::abort();
}

constexpr std::string_view kCanary = "qqqqqqqq";

void check_refusal(const airlock::NotAdmitted& refusal) {
  require(!refusal.errors.empty());
  require(refusal.errors.size() <= airlock::AdmitLimits().errors);
  for (const airlock::AdmitError& error : refusal.errors) {
    require(error.message != "The document cannot be read as JSON.");
    require(error.message.size() < 2000);
  }
}

// A value planted before the bytes must not appear in any message.
void check_silence(airlock::Admitter& admitter, std::string_view bytes) {
  if (bytes.find_first_of("q\\") != std::string_view::npos) return;  // it could spell it itself
  std::string text = "{\"v\":[\"";
  text.append(kCanary).append("\"],\"w\":").append(bytes).append("}");
  const auto admitted = admitter.admit(text, airlock::Form::kProbeOutput);
  require(!admitted.has_value());
  for (const airlock::AdmitError& error : admitted.error().errors) {
    require(error.message.find(kCanary) == std::string::npos);
    require(airlock::to_string(error.path).find(kCanary) == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static airlock::Admitter admitter;
  static airlock::Sanitizer sanitizer({{"/srv/repo"}, {}});
  check_silence(admitter, bytes);
  for (const airlock::Form form : {airlock::Form::kBare, airlock::Form::kProbeOutput}) {
    const auto admitted = admitter.admit(bytes, form);
    if (!admitted) {
      check_refusal(admitted.error());
      continue;
    }
    const auto sanitized = sanitizer.sanitize(*admitted);
    require(sanitized.has_value());
    // What comes out is a document of the same form, and stays as it is.
    const auto again = admitter.admit(sanitized->json(), form);
    require(again.has_value());
    const auto twice = sanitizer.sanitize(*again);
    require(twice.has_value() && twice->json() == sanitized->json());
  }
  return 0;
}

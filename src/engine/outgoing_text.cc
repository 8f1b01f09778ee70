#include "engine/outgoing_text.h"

#include <array>
#include <optional>

#include "admit/scrub_text.h"
#include "admit/secrets.h"
#include "base/sha256.h"

namespace airlock {

namespace {

constexpr std::size_t kFingerprint = 8;

// Behind these stands the name of a user.
constexpr std::array<std::string_view, 4> kHomes = {"/home/", "/Users/", "\\Users\\", ":/Users/"};

// Where the name that follows one of them ends; nothing when the text there is no home.
std::optional<std::size_t> end_of_user(std::string_view text, std::size_t at) {
  for (const std::string_view home : kHomes) {
    if (!text.substr(at).starts_with(home)) continue;
    const std::size_t name = at + home.size();
    const std::size_t end = text.find_first_of("/\\\" \n", name);
    if (end != std::string_view::npos && end > name && (text[end] == '/' || text[end] == '\\'))
      return end;
  }
  return {};
}

std::string without_users(std::string_view text, std::size_t& count) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = end_of_user(text, at);
    if (!end) {
      out += text[at++];
      continue;
    }
    const std::size_t name = text.find_first_not_of("/\\:", at);  // home or Users
    const std::size_t behind = text.find_first_of("/\\", name) + 1;
    if (text.substr(behind, *end - behind) != "user") ++count;
    out += text.substr(at, behind - at);
    out += "user";
    at = *end;
  }
  return out;
}

}  // namespace

OutgoingText redact_outgoing(std::string_view text) {
  OutgoingText outgoing;
  SecretFinder finder;
  std::size_t done = 0;
  std::string kept;
  for (const FoundSecret& secret : finder.find(text, {})) {
    kept += text.substr(done, secret.begin - done);
    const std::string hash = sha256_hex(text.substr(secret.begin, secret.end - secret.begin));
    kept += redaction_mark(std::string_view(hash).substr(0, kFingerprint));
    done = secret.end;
    ++outgoing.redactions;
  }
  kept += text.substr(done);
  outgoing.text = without_users(kept, outgoing.redactions);
  return outgoing;
}

}  // namespace airlock

#include "engine/outgoing_text.h"

#include <array>
#include <optional>

#include "admit/scrub_text.h"
#include "admit/secrets.h"
#include "base/sha256.h"

namespace airlock {

namespace {

constexpr std::size_t kFingerprint = 8;

// Behind these stands the name of a user, after one separator or, in JSON, two.
constexpr std::array<std::string_view, 4> kHomes = {"/home", "/Users", "\\Users", "\\home"};

struct User {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The name that stands there; nothing when the text at `at` is no home.
std::optional<User> user_at(std::string_view text, std::size_t at) {
  for (const std::string_view home : kHomes) {
    if (!text.substr(at).starts_with(home)) continue;
    const std::size_t separator = at + home.size();
    const std::size_t begin = text.find_first_not_of("/\\", separator);
    if (begin == separator || begin == std::string_view::npos) continue;
    const std::size_t end = text.find_first_of("/\\\"\n", begin);
    if (end != std::string_view::npos && (text[end] == '/' || text[end] == '\\'))
      return User{begin, end};
  }
  return {};
}

std::string without_users(std::string_view text, std::size_t& count) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto user = user_at(text, at);
    if (!user) {
      out += text[at++];
      continue;
    }
    if (text.substr(user->begin, user->end - user->begin) != "user") ++count;
    out += text.substr(at, user->begin - at);
    out += "user";
    at = user->end;
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

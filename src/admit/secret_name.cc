#include "admit/secret_name.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "admit/word_finder.h"
#include "base/plain_name.h"

namespace airlock {

namespace {

// What stands around it, "anything before, anything after", is left to the search. Part of the
// contract with probes; documented, so not to be tightened quietly.
constexpr std::string_view kPattern =
    "(?i)(secret|token|password|credential|api[_-]?key|auth[_-]?token|bearer|access[_-]?key|"
    "private[_-]?key)";

constexpr std::array kAllowed = {
    AllowedName{"references_secrets",
                "lists the names of secrets that a workflow refers to, not their values"},
};

// Such a key is its own plain name, which spares a copy.
bool is_plain_ascii(std::string_view key) {
  return std::ranges::all_of(key, [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

std::span<const AllowedName> allowed_secret_names() {
  return kAllowed;
}

std::string_view secret_name_pattern() {
  return kPattern;
}

struct SecretNames::Compiled {
  // Parts of the pattern's words, one of them in each: most keys have none and are done there.
  WordFinder parts{{"secr", "toke", "passw", "creden", "key", "beare"}};
  re2::RE2 pattern{re2::StringPiece(kPattern.data(), kPattern.size())};
};

SecretNames::SecretNames() : compiled_(std::make_unique<Compiled>()) {}
SecretNames::~SecretNames() = default;
SecretNames::SecretNames(SecretNames&&) noexcept = default;
SecretNames& SecretNames::operator=(SecretNames&&) noexcept = default;

bool SecretNames::looks_secret(std::string_view key) const {
  const auto matches = [&](std::string_view text) {
    bool has_part = false;
    compiled_->parts.find(text, [&](std::size_t, std::size_t) { has_part = true; });
    return has_part &&
           re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled_->pattern);
  };
  // The list of exceptions compares the key itself, not its plain form: a lookalike is no
  // exception.
  const bool found = is_plain_ascii(key) ? matches(key) : matches(plain_name(key));
  return found && std::ranges::find(kAllowed, key, &AllowedName::name) == kAllowed.end();
}

}  // namespace airlock

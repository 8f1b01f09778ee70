// Why rounds: removing one thing can expose another. Behind a path's folder stands another folder;
// a secret ends where another began. Each round that changes something leaves less of the original,
// so rounds end. A text that still changes after kRounds was made to do so and is redacted whole.
#include "admit/scrub_text.h"

#include <array>

#include "admit/paths.h"
#include "admit/secrets.h"
#include "base/ascii.h"
#include "base/sha256.h"

namespace airlock {

namespace {

constexpr int kRounds = 12;
constexpr std::size_t kFingerprint = 8;  // hex digits
constexpr std::string_view kUnstableKind = "never_settles";

// Bytes. Anything shorter holds neither a secret nor a path worth hiding.
constexpr std::size_t kShortest = 5;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(hex_value(hex[i]) * 16 + hex_value(hex[i + 1]));
  return bytes;
}

// RFC 2104.
std::string hmac_hex(std::string key, std::string_view text) {
  constexpr std::size_t kBlock = 64;
  if (key.size() > kBlock) key = from_hex(sha256_hex(key));
  key.resize(kBlock, '\0');
  std::string inner = key;
  std::string outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5C);
  return sha256_hex(outer + from_hex(sha256_hex(inner.append(text))));
}

}  // namespace

std::string redaction_mark(std::string_view fingerprint) {
  return "<REDACTED:fingerprint=" + std::string(fingerprint) + ">";
}

struct TextScrubber::Parts {
  explicit Parts(ScrubOptions given) : options(std::move(given)), paths(options.roots) {}

  ScrubOptions options;
  PathScrubber paths;
  std::optional<SecretFinder> secrets;

  // See ScrubOptions::fingerprint_key for why what a person chose is never hashed without a key.
  std::string fingerprint_of(std::string_view secret, std::string_view kind, Guess guess) const {
    std::string digest;
    if (!options.fingerprint_key.empty())
      digest = hmac_hex(options.fingerprint_key, secret);
    else
      digest = sha256_hex(guess == Guess::kLikely ? kind : secret);
    return digest.substr(0, kFingerprint);
  }

  std::vector<FoundSecret> find(std::string_view text, std::string_view key) {
    // Built late: the automaton of all words takes longer to make than most texts take to scrub.
    if (!secrets) secrets.emplace();
    return secrets->find(text, key);
  }

  std::string redacted(std::string_view text, const std::vector<FoundSecret>& found,
                       std::vector<Redaction>& redactions) const {
    std::string out;
    std::size_t kept = 0;
    for (const FoundSecret& secret : found) {
      const std::string_view value = text.substr(secret.begin, secret.end - secret.begin);
      redactions.push_back({secret.kind, fingerprint_of(value, secret.kind, secret.guess)});
      out += text.substr(kept, secret.begin - kept);
      out += redaction_mark(redactions.back().fingerprint);
      kept = secret.end;
    }
    out += text.substr(kept);
    return out;
  }
};

TextScrubber::TextScrubber(ScrubOptions options)
    : parts_(std::make_unique<Parts>(std::move(options))) {}
TextScrubber::~TextScrubber() = default;
TextScrubber::TextScrubber(TextScrubber&&) noexcept = default;
TextScrubber& TextScrubber::operator=(TextScrubber&&) noexcept = default;

std::optional<Scrubbed> TextScrubber::scrub(std::string_view text, std::string_view key) {
  if (text.size() < kShortest) return std::nullopt;
  std::optional<Scrubbed> result;
  for (int round = 0; round < kRounds; ++round) {
    const std::string_view now = result ? std::string_view(result->text) : text;
    auto relative = parts_->paths.relative(now);
    const std::string_view then = relative ? std::string_view(*relative) : now;
    const auto found = parts_->find(then, key);
    if (!relative && found.empty()) return result;
    if (!result) result.emplace();
    result->has_rewritten_paths = result->has_rewritten_paths || relative.has_value();
    result->text =
        found.empty() ? std::move(*relative) : parts_->redacted(then, found, result->redactions);
  }
  // Still changing after the last round.
  const std::string fingerprint = parts_->fingerprint_of(text, kUnstableKind, Guess::kUnguessable);
  result->redactions.push_back({kUnstableKind, fingerprint});
  result->text = redaction_mark(fingerprint);
  return result;
}

std::string TextScrubber::scrubbed(std::string_view text) {
  auto result = scrub(text);
  return result ? std::move(result->text) : std::string(text);
}

}  // namespace airlock

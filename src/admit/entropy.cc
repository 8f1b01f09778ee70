#include "admit/entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/ascii.h"

namespace airlock {

namespace {

// Shortest runs that are judged, in characters: 128 bits in hex, 144 in base64. Keys are longer.
constexpr std::size_t kLeastHex = 32;
constexpr std::size_t kLeastBase64 = 24;
// Least entropy, in bits per character. 32 random hex digits have about 3.6. A run of n characters
// has at most log2(n), 4.58 for 24: a short run of base64 must hardly repeat a character to be
// suspected.
constexpr double kHexBits = 3.0;
constexpr double kBase64Bits = 4.5;
// Of neighbours, how many differ in kind (small, capital, digit, sign): about 0.6 in random text,
// 0.2 in words that are written together.
constexpr double kLeastChanges = 0.33;

// Words that say: what follows is a hash, public on purpose. In keys, and in text before a run.
constexpr std::array<std::string_view, 27> kHashWords = {
    "sha1", "sha224", "sha256", "sha384",   "sha512",   "sha",  "md5",  "blake2",    "blake3",
    "hash", "digest", "commit", "checksum", "revision", "rev",  "etag", "integrity", "fingerprint",
    "tree", "blob",   "parent", "head",     "uuid",     "guid", "cid",  "oid",       "ref"};

// What a byte is in a run of base64, base64url or hex; kNone ends the run.
enum class ByteKind : std::uint8_t { kNone, kSmall, kCapital, kDigit, kSign };

constexpr std::array<ByteKind, 256> make_kinds() {
  std::array<ByteKind, 256> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const char c = static_cast<char>(i);
    if (is_lower(c)) kinds[i] = ByteKind::kSmall;
    if (is_upper(c)) kinds[i] = ByteKind::kCapital;
    if (is_digit(c)) kinds[i] = ByteKind::kDigit;
  }
  for (const char c : {'+', '/', '_', '-'}) kinds[static_cast<unsigned char>(c)] = ByteKind::kSign;
  return kinds;
}
constexpr std::array<ByteKind, 256> kByteKinds = make_kinds();

ByteKind kind_of(char c) {
  return kByteKinds[static_cast<unsigned char>(c)];
}

// Words of a name: "git_commit", "commitSha", "head-ref" → git commit sha head ref.
template <typename Visit>
void each_word(std::string_view name, Visit visit) {
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const ByteKind kind = i < name.size() ? kind_of(name[i]) : ByteKind::kNone;
    const bool is_inside =
        kind == ByteKind::kSmall || kind == ByteKind::kCapital || kind == ByteKind::kDigit;
    const bool begins =
        kind == ByteKind::kCapital && i > 0 && kind_of(name[i - 1]) == ByteKind::kSmall;
    if ((!is_inside || begins) && !word.empty()) {
      visit(std::string_view(word));
      word.clear();
    }
    if (is_inside) word += lower(name[i]);
  }
}

bool is_hash_word(std::string_view word) {
  // commits, hashes, digests.
  if (word.size() > 4 && word.ends_with('s')) word.remove_suffix(1);
  return std::ranges::find(kHashWords, word) != kHashWords.end();
}

// "commit 3f2a…", "sha256:3f2a…", "image@sha256:…", "sha512-…", "h1:…".
bool follows_hash_word(std::string_view text, std::size_t begin) {
  // Bytes: room for the word and what stands between.
  constexpr std::size_t kNear = 24;
  const std::string_view before =
      text.substr(begin < kNear ? 0 : begin - kNear, std::min(begin, kNear));
  if (before.ends_with("h1:")) return true;
  std::string last;
  each_word(before, [&](std::string_view word) { last = word; });
  return is_hash_word(last);
}

// "sha512-…", as lock files write it: the word is part of the run.
bool begins_with_hash_word(std::string_view run) {
  const std::size_t end = run.find_first_of("-_");
  return end != std::string_view::npos && is_hash_word(run.substr(0, end));
}

bool is_uuid(std::string_view run) {
  static constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return run.size() == kShape.size() && std::ranges::equal(run, kShape, [](char c, char shape) {
           return shape == 'x' ? is_hex_digit(c) : c == '-';
         });
}

// Whether `at` lies in a word that has "://" before it: a URL, up to its query.
bool is_in_url(std::string_view text, std::size_t at) {
  // Bytes. Longer URLs are not real ones, and looking back must not cost the square of the text.
  constexpr std::size_t kNear = 2048;
  std::string_view before = text.substr(0, at);
  if (at > kNear) before.remove_prefix(at - kNear);
  const std::size_t blank = before.find_last_of(" \t\r\n\"'<>");
  if (blank != std::string_view::npos) before.remove_prefix(blank + 1);
  return before.find("://") != std::string_view::npos || before.starts_with("data:");
}

// How a run is made up; `changes` counts neighbours of different kinds.
struct Profile {
  std::size_t small = 0;
  std::size_t capitals = 0;
  std::size_t digits = 0;
  std::size_t slashes = 0;
  std::size_t changes = 0;
  bool hex = true;
};

Profile profile_of(std::string_view run) {
  Profile profile;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const ByteKind kind = kind_of(run[i]);
    profile.small += kind == ByteKind::kSmall ? 1 : 0;
    profile.capitals += kind == ByteKind::kCapital ? 1 : 0;
    profile.digits += kind == ByteKind::kDigit ? 1 : 0;
    profile.slashes += run[i] == '/' ? 1 : 0;
    profile.changes += i > 0 && kind != kind_of(run[i - 1]) ? 1 : 0;
    profile.hex = profile.hex && is_hex_digit(run[i]);
  }
  return profile;
}

// SSH's public keys and certificates begin with the length of their type's name.
bool is_public_key(std::string_view run) {
  return run.starts_with("AAAAB3NzaC1") || run.starts_with("AAAAC3NzaC1") ||
         run.starts_with("AAAAE2VjZHNh");
}

// The kind of secret that the run may be; empty for none. The cheap tests come first.
std::string_view judge(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view run = text.substr(begin, end - begin);
  const Profile profile = profile_of(run);
  if (profile.hex) {
    const bool is_mixed = profile.digits > 0 && profile.digits < run.size();
    if (run.size() < kLeastHex || !is_mixed || entropy_of(run) < kHexBits) return {};
    return "random_hex";
  }
  // A random run nearly always has all three kinds; identifiers and words written together rarely
  // do.
  if (profile.small == 0 || profile.capitals == 0 || profile.digits == 0) return {};
  const double changes = static_cast<double>(profile.changes) / static_cast<double>(run.size() - 1);
  if (changes < kLeastChanges || is_uuid(run) || is_public_key(run) || begins_with_hash_word(run))
    return {};
  if (profile.slashes * 12 > run.size()) return {};  // more than base64 has: a path
  if (entropy_of(run) < kBase64Bits) return {};
  return "random_base64";
}

}  // namespace

// Of the distribution of bytes; the order does not count, which is what kLeastChanges is for.
double entropy_of(std::string_view text) {
  std::array<std::uint32_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  const auto size = static_cast<double>(text.size());
  for (const std::uint32_t count : counts) {
    if (count > 0) bits -= count * std::log2(count / size);
  }
  return text.empty() ? 0 : bits / size;
}

bool names_a_hash(std::string_view key) {
  bool found = false;
  each_word(key, [&](std::string_view word) { found = found || is_hash_word(word); });
  return found;
}

std::vector<RandomRun> find_random_runs(std::string_view text, std::string_view key) {
  std::vector<RandomRun> runs;
  if (text.size() < kLeastBase64) return runs;
  for (std::size_t at = 0; at < text.size();) {
    if (kind_of(text[at]) == ByteKind::kNone) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && kind_of(text[at]) != ByteKind::kNone) ++at;
    if (at - begin < kLeastBase64) continue;
    // Up to two = of base64's padding belong to it.
    const std::size_t padded = std::min(text.find_first_not_of('=', at), text.size());
    const std::string_view kind = judge(text, begin, at);
    if (kind.empty() || is_in_url(text, begin) || follows_hash_word(text, begin) ||
        names_a_hash(key))
      continue;
    runs.push_back({begin, std::min(padded, at + 2), kind});
  }
  return runs;
}

}  // namespace airlock

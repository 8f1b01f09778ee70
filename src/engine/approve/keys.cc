#include "engine/approve/keys.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"
#include "engine/approve/bundle.h"
#include "engine/approve/ed25519.h"
#include "engine/records/with_store.h"
#include "store/key_table.h"

namespace airlock {

namespace {

constexpr std::size_t kLongestKeyName = 64;
constexpr std::size_t kLongestReason = 500;
constexpr std::size_t kLeastFingerprint = 8;  // digits

bool is_meant(const KnownKey& key, std::string_view word) {
  return (!key.name.empty() && key.name == word) ||
         (word.size() >= kLeastFingerprint && fingerprint_of(key.public_key).starts_with(word));
}

std::unexpected<Error> unknown_key(const std::vector<KnownKey>& keys, std::string_view word) {
  std::string message = "there is no key '" + std::string(word) + "'";
  std::vector<std::string_view> names;
  for (const KnownKey& key : keys) {
    if (!key.name.empty()) names.push_back(key.name);
  }
  if (names.empty()) return bad_request(message + ": none is trusted here");
  message += did_you_mean(word, names) + " There are: ";
  for (std::size_t i = 0; i < names.size(); ++i)
    message += (i == 0 ? "" : ", ") + std::string(names[i]);
  return bad_request(message + " (airlock keys show)");
}

// A key that is trusted comes before one that was revoked under the same name.
Result<std::string> find_meant(const std::vector<KnownKey>& keys, std::string_view word) {
  std::vector<const KnownKey*> meant;
  for (const KnownKey& key : keys) {
    if (is_meant(key, word)) meant.push_back(&key);
  }
  if (std::ranges::any_of(meant, [](const KnownKey* key) { return !key->revoked; }))
    std::erase_if(meant, [](const KnownKey* key) { return key->revoked.has_value(); });
  if (meant.empty()) return unknown_key(keys, word);
  if (meant.size() > 1)
    return bad_request("'" + std::string(word) +
                       "' means more than one key: name one by its whole fingerprint (airlock keys "
                       "show)");
  return meant.front()->public_key;
}

Result<void> check_reason(std::string_view why) {
  if (why.size() <= kLongestReason) return {};
  return bad_request("--why has more than " + std::to_string(kLongestReason) + " bytes");
}

}  // namespace

std::string key_name_trouble(std::string_view name) {
  const bool is_fine = !name.empty() && name.size() <= kLongestKeyName && is_letter(name.front()) &&
                       std::ranges::all_of(name, [](char letter) {
                         return is_alnum(letter) || std::string_view("_-.@").contains(letter);
                       });
  if (!is_fine)
    return "A key's name begins with a letter from a to z, has only letters, digits, _, -, . and "
           "@, and at most " +
           std::to_string(kLongestKeyName) + " characters, such as anna@lab.";
  if (name == "own") return "'own' is the name of the key that is made here; choose another.";
  return {};
}

Result<std::vector<KnownKey>> list_keys(const UserDirs& user_dirs) {
  return with_table<store::Keys, std::vector<KnownKey>>(
      user_dirs, std::vector<KnownKey>{}, [](store::Keys& keys) { return keys.list(); });
}

Result<KnownKey> trust_key(const UserDirs& user_dirs, std::string_view word, std::string_view name,
                           std::string_view why) {
  const auto public_key = TRY(read_key_word(word));
  if (std::string trouble = key_name_trouble(name); !trouble.empty())
    return bad_request(std::move(trouble));
  TRY(check_reason(why));
  return with_own_store<KnownKey>(user_dirs, [&](store::Database& database) {
    return store::Keys(database, store::Clock())
        .trust({.public_key = public_key, .name = std::string(name), .why = std::string(why)});
  });
}

Result<RevokedKey> revoke_key(const UserDirs& user_dirs, std::string_view word,
                              std::string_view why) {
  TRY(check_reason(why));
  std::string public_key;
  if (word.starts_with("ed25519:")) {
    public_key = TRY(read_key_word(word));
  } else {
    const auto keys = TRY(list_keys(user_dirs));
    public_key = TRY(find_meant(keys, word));
  }
  return with_own_store<RevokedKey>(
      user_dirs, [&](store::Database& database) -> Result<RevokedKey> {
        auto revoked = TRY(store::Keys(database, store::Clock()).revoke(public_key, why));
        return RevokedKey{std::move(revoked.key), std::move(revoked.extractors)};
      });
}

}  // namespace airlock

// Whose bundles are taken, as the commands ask: by name, by fingerprint, by the key itself. A thin
// layer over store/. There is no trust on first use: a key is known because a person has said so,
// or because it was made here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/signing_key.h"
#include "model/user_dirs.h"

namespace airlock {

// Own ones first, then by name, revoked ones among them. Looking makes neither a store nor a key.
Result<std::vector<KnownKey>> list_keys(const UserDirs& user_dirs);

// `word`: the public key, as its owner sees it (ed25519:…). Never a fingerprint: whoever trusts a
// key has it from its owner.
Result<KnownKey> trust_key(const UserDirs& user_dirs, std::string_view word, std::string_view name,
                           std::string_view why);

struct RevokedKey {
  KnownKey key = {};
  std::vector<std::string> extractors = {};  // "sales@2": imported with it; they run no more
};
// For ever. `word`: a name, a fingerprint or a beginning of one (at least 8 digits, that only one
// key has), or the public key, which need not be known.
Result<RevokedKey> revoke_key(const UserDirs& user_dirs, std::string_view word,
                              std::string_view why);

// What a name of a key has to look like, in words, or nothing when this one is fine.
std::string key_name_trouble(std::string_view name);

}  // namespace airlock

// Whose bundles are taken: the keys that a person trusts, and those that were revoked. A revoked
// key stays in the table for ever, so that it can never be trusted again.
//
// One Keys for one thread; it borrows the database and the clock.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/signing_key.h"
#include "store/clock.h"
#include "store/database.h"
#include "store/signing_seed.h"

namespace airlock::store {

class Keys {
 public:
  Keys(Database& database, const Clock& clock) : database_(&database), clock_(&clock) {}

  // Own ones first, then by name.
  Result<std::vector<KnownKey>> list();
  // Nothing: it was neither trusted nor revoked.
  Result<std::optional<KnownKey>> find(std::string_view public_key);

  // With its time. An Error, and nothing changed: it was revoked, it is trusted under another name,
  // or another key has the name. Trusting it again under its name changes nothing.
  Result<KnownKey> trust(KnownKey key);

  // For ever; one that was never trusted can be revoked too. A private half of ours that belongs to
  // it goes. The first word counts: revoking again changes neither time nor reason.
  struct Revoked {
    KnownKey key = {};
    std::vector<std::string> extractors = {};  // "sales@2": what was imported with it
  };
  Result<Revoked> revoke(std::string_view public_key, std::string_view why);

  // The private half of this user's key, made with the first use, and known as own; `public_key_of`
  // computes the other half. An Error: it was revoked.
  using PublicKeyOf = std::string (*)(std::string_view seed);
  Result<Seed> own_seed(PublicKeyOf public_key_of);

 private:
  Result<void> put(const KnownKey& key);
  Result<std::vector<std::string>> imported_with(std::string_view public_key);

  Database* database_;
  const Clock* clock_;
};

}  // namespace airlock::store

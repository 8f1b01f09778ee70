#include "store/key_table.h"

#include "base/utc_time.h"

namespace airlock::store {

namespace {

constexpr std::string_view kSelectKeys =
    "SELECT public_key, name, why, is_own, trusted, revoked, revoked_why FROM signing_keys ";
constexpr std::string_view kOwnName = "own";

KnownKey read_key(const Statement& row) {
  KnownKey key{.public_key = row.text(0),
               .name = row.text(1),
               .why = row.text(2),
               .is_own = row.number(3) != 0,
               .trusted = row.number(4),
               .revoked = {},
               .revoked_why = row.text(6)};
  if (!row.is_null(5)) key.revoked = row.number(5);
  return key;
}

Result<std::vector<KnownKey>> read_keys(Statement& statement) {
  std::vector<KnownKey> keys;
  while (true) {
    const bool more = TRY(statement.step());
    if (!more) return keys;
    keys.push_back(read_key(statement));
  }
}

}  // namespace

Result<std::vector<KnownKey>> Keys::list() {
  auto statement =
      TRY(database_->prepare(std::string(kSelectKeys) + "ORDER BY is_own DESC, name, public_key"));
  return read_keys(statement);
}

Result<std::optional<KnownKey>> Keys::find(std::string_view public_key) {
  auto statement = TRY(database_->prepare(std::string(kSelectKeys) + "WHERE public_key = ?"));
  statement.bind(1, public_key);
  auto keys = TRY(read_keys(statement));
  if (keys.empty()) return std::nullopt;
  return std::move(keys.front());
}

Result<void> Keys::put(const KnownKey& key) {
  auto statement = TRY(database_->prepare(
      "INSERT INTO signing_keys (public_key, name, why, is_own, trusted, revoked, revoked_why)"
      " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (public_key) DO UPDATE SET"
      " revoked = excluded.revoked, revoked_why = excluded.revoked_why"));
  statement.bind(1, key.public_key).bind(2, key.name).bind(3, key.why);
  statement.bind(4, std::int64_t{key.is_own ? 1 : 0}).bind(5, key.trusted);
  key.revoked ? statement.bind(6, *key.revoked) : statement.bind_null(6);
  return statement.bind(7, key.revoked_why).run();
}

Result<KnownKey> Keys::trust(KnownKey key) {
  return database_->in_transaction([&]() -> Result<KnownKey> {
    const auto keys = TRY(list());
    for (const KnownKey& known : keys) {
      const bool is_same = known.public_key == key.public_key;
      if (is_same && known.revoked)
        return refused("the key was revoked on " + utc_minute(*known.revoked) +
                       (known.revoked_why.empty() ? "" : " (" + known.revoked_why + ")") +
                       ", and stays revoked. Ask its owner for a new one");
      if (is_same && (known.name == key.name || known.is_own)) return known;
      if (is_same) return bad_request("the key is trusted already, as '" + known.name + "'");
      if (known.name == key.name && !known.revoked)
        return bad_request("another key is trusted as '" + key.name +
                           "': choose another name, or revoke that one");
    }
    key.trusted = clock_->now();
    TRY(put(key));
    return key;
  });
}

Result<std::vector<std::string>> Keys::imported_with(std::string_view public_key) {
  auto statement = TRY(database_->prepare(
      "SELECT name, version FROM extractors WHERE signed_by = ? ORDER BY name, version"));
  statement.bind(1, public_key);
  std::vector<std::string> names;
  while (true) {
    const bool more = TRY(statement.step());
    if (!more) return names;
    names.push_back(statement.text(0) + "@" + std::to_string(statement.number(1)));
  }
}

Result<Keys::Revoked> Keys::revoke(std::string_view public_key, std::string_view why) {
  auto done = database_->in_transaction([&]() -> Result<Revoked> {
    Revoked revoked;
    revoked.key = TRY(find(public_key)).value_or(KnownKey{.public_key = std::string(public_key)});
    if (!revoked.key.revoked) {
      revoked.key.revoked = clock_->now();
      revoked.key.revoked_why = why;
      TRY(put(revoked.key));
    }
    revoked.extractors = TRY(imported_with(public_key));
    return revoked;
  });
  // After it is known as revoked: whatever happens in between, a file that is left signs nothing,
  // since own_seed() refuses it.
  if (done && done->key.is_own) TRY(remove_seed(*database_));
  return done;
}

Result<Seed> Keys::own_seed(PublicKeyOf public_key_of) {
  return database_->in_transaction([&]() -> Result<Seed> {
    auto seed = TRY(read_or_make_seed(*database_));
    const std::string public_key = public_key_of(seed.bytes());
    const auto known = TRY(find(public_key));
    if (known && known->revoked)
      return refused("the signing key " + seed_file(*database_) + " was revoked on " +
                     utc_minute(*known->revoked) +
                     ". Remove the file: the next export makes another key");
    if (!known)
      TRY(put({.public_key = public_key,
               .name = std::string(kOwnName),
               .why = "made here",
               .is_own = true,
               .trusted = clock_->now()}));
    return seed;
  });
}

}  // namespace airlock::store

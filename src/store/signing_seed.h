// airlock.key: the private half of the key that signs this user's bundles, in the state folder. 32
// bytes that nobody can foresee (the seed of RFC 8032), as hex behind a line that says what it is.
//
// It is made once, whole or not at all, 0600; never printed, logged or put into the database. A
// file that anybody else can read, that is a link, has a second name or belongs to another user is
// refused: what it signs might be anybody's.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace airlock::store {

// Bytes that are wiped when they are no longer needed. Moves, and is never copied.
class Seed {
 public:
  explicit Seed(std::string bytes) : bytes_(std::move(bytes)) {}
  Seed(Seed&&) noexcept = default;
  Seed& operator=(Seed&&) noexcept = default;
  Seed(const Seed&) = delete;
  Seed& operator=(const Seed&) = delete;
  ~Seed();

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// For messages.
std::string seed_file(const Database& database);

// Nothing: there is none yet.
Result<std::optional<Seed>> read_seed(const Database& database);
// Makes one when there is none. To be called inside of a transaction of the database, which lets
// one process at a time in here: two first exports make one key.
Result<Seed> read_or_make_seed(const Database& database);
// What is gone cannot sign any more. No Error when there was none.
Result<void> remove_seed(const Database& database);

}  // namespace airlock::store

// The store of this user, opened for one piece of work and closed again. Commands look without
// making one: only what keeps something creates it.
#pragma once

#include <utility>

#include "base/result.h"
#include "model/user_dirs.h"
#include "store/clock.h"
#include "store/database.h"
#include "store/state_folder.h"

namespace airlock {

// `work` with the store, or `nothing` when there is none: looking does not make one.
template <typename T, typename Work>
Result<T> with_store(const UserDirs& user_dirs, Result<T> nothing, Work work) {
  const auto folder = TRY(store::state_folder(user_dirs));
  const auto is_there = TRY(store::Database::is_there(folder));
  if (!is_there) return nothing;
  auto database = TRY(store::Database::open(folder));
  return work(database);
}

// The same with one table of it.
template <typename Table, typename T, typename Work>
Result<T> with_table(const UserDirs& user_dirs, Result<T> nothing, Work work) {
  return with_store<T>(user_dirs, std::move(nothing), [&](store::Database& database) -> Result<T> {
    const store::Clock clock;
    Table table(database, clock);
    return work(table);
  });
}

// `work` with the store, which is made when there is none.
template <typename T, typename Work>
Result<T> with_own_store(const UserDirs& user_dirs, Work work) {
  const auto folder = TRY(store::state_folder(user_dirs));
  auto database = TRY(store::Database::open(folder));
  return work(database);
}

}  // namespace airlock

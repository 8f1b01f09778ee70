#include "present/http/limits.h"

#include <algorithm>

namespace airlock::http {

namespace {

// Of all clients for whom there is no place of their own.
const std::string kEverybodyElse = "*";

bool is_power_of_ten(std::uint64_t count) {
  while (count >= 10 && count % 10 == 0) count /= 10;
  return count == 1;
}

}  // namespace

RateLimiter::Bucket& RateLimiter::bucket_of(const std::string& client, TimePoint now) {
  const auto found = buckets_.find(client);
  if (found != buckets_.end()) return found->second;
  if (buckets_.size() >= kMostClients) {
    // A bucket that is full again says nothing.
    std::erase_if(buckets_,
                  [&](const auto& one) { return now - one.second.seen > std::chrono::seconds(1); });
  }
  const std::string& name = buckets_.size() < kMostClients ? client : kEverybodyElse;
  return buckets_.try_emplace(name, Bucket{std::max(1.0, rate_), now}).first->second;
}

bool RateLimiter::allow(const std::string& client, TimePoint now) {
  Bucket& bucket = bucket_of(client, now);
  const std::chrono::duration<double> passed = now - bucket.seen;
  bucket.drops = std::min(std::max(1.0, rate_), bucket.drops + passed.count() * rate_);
  bucket.seen = now;
  if (bucket.drops < 1) return false;
  bucket.drops -= 1;
  return true;
}

WrongTokens::Mistake WrongTokens::note(const std::string& client, TimePoint now) {
  if (clients_.size() >= kMostClients && !clients_.contains(client)) {
    std::erase_if(clients_, [&](const auto& one) { return now - one.second.last > kMemory; });
  }
  const bool has_place = clients_.size() < kMostClients || clients_.contains(client);
  Client& known = clients_[has_place ? client : kEverybodyElse];
  if (now - known.last > kMemory) known = {};
  known.last = now;
  ++known.mistakes;
  Mistake mistake{
      .count = known.mistakes,
      .answer_at = now,
      .is_worth_a_line = known.mistakes >= kAnsweredAtOnce && is_power_of_ten(known.mistakes)};
  if (known.mistakes <= kAnsweredAtOnce) return mistake;
  const TimePoint at = std::max(known.answer_at + kPause, now + kPause);
  if (at > now + kLongestWait) {
    mistake.answer_at = std::nullopt;
  } else {
    known.answer_at = at;
    mistake.answer_at = at;
  }
  return mistake;
}

}  // namespace airlock::http

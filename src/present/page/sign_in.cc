#include "present/page/sign_in.h"

#include <algorithm>

#include "base/hex.h"
#include "os/random.h"

namespace airlock::page {

namespace {

constexpr std::size_t kSecretBytes = 32;

}  // namespace

std::string new_secret() {
  return hex_of(os::random_bytes(kSecretBytes));
}

bool is_same_secret(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  return difference == 0;
}

SignIns::SignIns() : link_key_(new_secret()) {}

std::string SignIns::link_key() const {
  const std::scoped_lock hold(lock_);
  return link_key_;
}

std::optional<std::string> SignIns::redeem(std::string_view key, std::int64_t now) {
  const std::scoped_lock hold(lock_);
  if (!is_same_secret(key, link_key_)) return std::nullopt;
  link_key_ = new_secret();
  std::erase_if(entries_, [&](const Entry& one) { return now - one.since >= kLifeMs; });
  if (entries_.size() >= kMost) entries_.erase(entries_.begin());
  entries_.push_back(
      {.cookie = new_secret(), .signed_in = {.form_token = new_secret()}, .since = now});
  return entries_.back().cookie;
}

std::optional<SignIns::SignedIn> SignIns::find(std::string_view cookie, std::int64_t now) const {
  const std::scoped_lock hold(lock_);
  for (const Entry& one : entries_) {
    if (is_same_secret(cookie, one.cookie) && now - one.since < kLifeMs) return one.signed_in;
  }
  return std::nullopt;
}

void SignIns::remember_name(std::string_view cookie, std::string_view name) {
  const std::scoped_lock hold(lock_);
  for (Entry& one : entries_) {
    if (is_same_secret(cookie, one.cookie)) one.signed_in.name = name;
  }
}

void SignIns::sign_out(std::string_view cookie) {
  const std::scoped_lock hold(lock_);
  std::erase_if(entries_, [&](const Entry& one) { return is_same_secret(cookie, one.cookie); });
}

}  // namespace airlock::page

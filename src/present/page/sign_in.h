// Who may look at the page, and decide: whoever has followed a link that the server has printed.
// A link works once; it is exchanged for a cookie, and the next link is made. With the cookie goes
// a second secret, which every form carries (CSRF): a page of somebody else's can make the browser
// send the cookie, but cannot know that.
//
// All of it lives in memory and ends with the server. Secrets have 256 bits and are compared in a
// time that says nothing about them. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::page {

class SignIns {
 public:
  static constexpr std::int64_t kLifeMs = std::int64_t{12} * 60 * 60 * 1000;
  // More at once push the oldest out.
  static constexpr std::size_t kMost = 32;

  struct SignedIn {
    std::string form_token = {};
    std::string name = {};  // as it was said the last time; empty: not yet
  };

  SignIns();

  // The one that works now.
  std::string link_key() const;
  // A cookie's value for the key of a link; nothing: it is not the one that works. `now`: ms since
  // 1970.
  std::optional<std::string> redeem(std::string_view key, std::int64_t now);
  // Nothing: the cookie is unknown, or too old.
  std::optional<SignedIn> find(std::string_view cookie, std::int64_t now) const;
  void remember_name(std::string_view cookie, std::string_view name);
  void sign_out(std::string_view cookie);

 private:
  struct Entry {
    std::string cookie;
    SignedIn signed_in;
    std::int64_t since = 0;
  };

  mutable std::mutex lock_;  // of what follows
  std::string link_key_;
  std::vector<Entry> entries_;  // the oldest first
};

// 64 hex digits that nobody can foresee.
std::string new_secret();
// In a time that depends on their lengths alone.
bool is_same_secret(std::string_view one, std::string_view other);

}  // namespace airlock::page

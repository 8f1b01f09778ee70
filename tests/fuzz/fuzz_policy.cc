// A policy file is the user's own, but a typo must not crash the program, and what is loaded must
// keep what policy.h promises:
// (1) an error says something, in UTF-8;
// (2) what is loaded is sorted where the vetter uses binary search;
// (3) it survives the wire.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "engine/policy/policy_file.h"
#include "require.h"
#include "wire/messages.h"

namespace {

template <typename List>
void require_sorted(const List& list) {
  airlock::fuzz::require(
      std::ranges::is_sorted(list, {}, [](const auto& one) { return one.name; }));
}

void check(const airlock::Policy& policy) {
  for (const auto* surfaces : {&policy.modules, &policy.packages, &policy.classes}) {
    require_sorted(*surfaces);
    for (const airlock::Surface& one : *surfaces) {
      airlock::fuzz::require(std::ranges::is_sorted(one.attributes));
      require_sorted(one.refused);
    }
  }
  require_sorted(policy.refused_modules);
  require_sorted(policy.builtins);
  require_sorted(policy.refused_builtins);
  const std::string message = airlock::wire::encode_hello(policy);
  const auto again = airlock::wire::decode_hello(message);
  airlock::fuzz::require(again.has_value());
  airlock::fuzz::require(airlock::wire::encode_hello(*again) == message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto policy = airlock::parse_policy(
      std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
  if (policy) {
    check(*policy);
  } else {
    airlock::fuzz::require(!policy.error().message.empty());
    airlock::fuzz::require(!airlock::find_invalid_utf8(policy.error().message));
  }
  return 0;
}

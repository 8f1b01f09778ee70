// What a fuzzer holds to be true; where it is not, the fuzzer ends there and says which line.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

namespace airlock::fuzz {

inline void require(bool holds, std::source_location at = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "what must hold on line %u does not\n", at.line());
  std::abort();
}

// What a decoder accepts is stable: encoding it, and decoding that, gives the same bytes again.
template <typename Decode, typename Encode>
void check_stable(std::string_view message, Decode&& decode, Encode&& encode) {
  const auto first = decode(message);
  if (!first) return;
  const std::string once = encode(*first);
  const auto second = decode(once);
  require(second.has_value());
  require(encode(*second) == once);
}

}  // namespace airlock::fuzz

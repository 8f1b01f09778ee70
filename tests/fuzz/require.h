// What a fuzzer holds to be true; where it is not, the fuzzer ends there and says which line.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace airlock::fuzz {

inline void require(bool holds, std::source_location at = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "what must hold on line %u does not\n", at.line());
  std::abort();
}

}  // namespace airlock::fuzz

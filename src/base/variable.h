// One variable of the environment, for what decides how things are shown and where they are kept.
// Settings and keys of models go through os/variables.h, which tests can replace.
#pragma once

#include <cstdlib>
#include <string>

namespace airlock {

// Empty when it is not set.
inline std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace airlock

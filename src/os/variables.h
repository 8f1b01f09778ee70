// The environment as a seam: settings and API keys are looked up through it, and tests hand in
// their own. Not for use once threads run: getenv() and unsetenv() are not safe beside each other.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::os {

class Variables {
 public:
  Variables() = default;
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  virtual ~Variables() = default;

  // Nothing when it is not set, or empty.
  virtual std::optional<std::string> get(const std::string& name) const {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
  }
  // The names of those that begin so.
  virtual std::vector<std::string> names_with(std::string_view beginning) const {
    std::vector<std::string> names;
    for (char** one = ::environ; one != nullptr && *one != nullptr; ++one) {
      const std::string_view pair(*one);
      if (pair.starts_with(beginning)) names.emplace_back(pair.substr(0, pair.find('=')));
    }
    return names;
  }
  // So that no child inherits it.
  virtual void forget(const std::string& name) { ::unsetenv(name.c_str()); }
};

}  // namespace airlock::os

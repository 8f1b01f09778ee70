// A key that is not left behind in memory. Copying it is deliberate: there is no copy.
#pragma once

#include <string.h>

#include <string>
#include <utility>

namespace airlock::llm {

class Secret {
 public:
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { wipe(text_); }

  const std::string& text() const { return text_; }

  static void wipe(std::string& text) { ::explicit_bzero(text.data(), text.size()); }

 private:
  std::string text_;
};

}  // namespace airlock::llm

// A key that is not left behind in memory: it is overwritten before its memory is freed. There is
// no copy; whoever needs the text elsewhere (a header) copies text() deliberately and calls wipe()
// when done. Shared as shared_ptr<const Secret>, so settings may be copied freely.
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

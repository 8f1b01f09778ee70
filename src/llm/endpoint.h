// Where a model answers: an http or https address, taken apart strictly. What this cannot read is
// refused here and never guessed by the library that connects: two readers that disagree about an
// address could send a key to the wrong host. Checked when settings are loaded and again when a
// model is made. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock::llm {

struct Endpoint {
  bool is_tls = false;
  std::string host;        // as it was written; IPv6 in its brackets
  std::uint16_t port = 0;  // 0: the scheme's own
  std::string path;        // "" or "/…" without a slash at its end
  bool is_loopback = false;

  std::string origin() const;  // "http://localhost:11434"
  std::string text() const { return origin() + path; }
};

// Refused: another scheme, a name or password (never repeated in the message), a query or
// fragment, blanks, control characters.
Result<Endpoint> parse_endpoint(std::string_view text);

}  // namespace airlock::llm

// What a judgement says about one place in the code: which rule, where, what, why, and how to fix
// it.
// The vetter makes findings, the wire carries them (the rule as its code), the presenters print
// them. Messages and items may quote the code that was judged: print them through
// base/printable.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace airlock {

// In the order in which they are run; a refusal in one of them ends the judgement.
enum class Stage : std::uint8_t { kSyntax, kSecurity, kSignature, kSandbox, kComplete };
enum class Severity : std::uint8_t { kError, kWarning, kNote };

std::string_view to_string(Stage stage);
std::string_view to_string(Severity severity);

// As CPython's ast counts: lines from 1, columns as UTF-8 byte offsets from 0, the end exclusive.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 0;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Rule;  // model/rule.h

// The suggestion that an import is missing: made by the vetter, and taken apart again by whoever
// puts the import there. A pair, so that the words stand once.
std::string suggest_import(std::string_view statement);  // "from os import path"
std::optional<std::string> suggested_import(std::string_view suggestion);

struct Finding {
  const Rule* rule = nullptr;  // never null; points into the one table of rules
  Severity severity = Severity::kError;
  Place place;             // in the cleaned code
  std::string item;        // the offending name, as short as it can be: "os", "Path.read_text"
  std::string message;     // what and why
  std::string suggestion;  // what to write instead; empty when there is nothing useful to say
};

}  // namespace airlock

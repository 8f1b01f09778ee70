#include "model/text_kind.h"

#include <algorithm>
#include <array>

namespace airlock {

namespace {

// What Python and its launchers take for a program; in any case, as file systems have it.
constexpr std::array<std::string_view, 2> kEndings = {".py", ".pyw"};

bool ends_with(std::string_view text, std::string_view lower_ending) {
  if (text.size() < lower_ending.size()) return false;
  return std::ranges::equal(
      text.substr(text.size() - lower_ending.size()), lower_ending,
      [](char one, char lower) { return (one >= 'A' && one <= 'Z' ? one + 32 : one) == lower; });
}

}  // namespace

TextKind text_kind_of(std::string_view file) {
  const auto fits = [&](std::string_view ending) { return ends_with(file, ending); };
  return std::ranges::any_of(kEndings, fits) ? TextKind::kProgram : TextKind::kAnswer;
}

}  // namespace airlock

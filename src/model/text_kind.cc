#include "model/text_kind.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace airlock {

namespace {

// What Python and its launchers take for a program; in any case, as file systems have it.
constexpr std::array<std::string_view, 2> kEndings = {".py", ".pyw"};

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         equal_ignoring_case(text.substr(text.size() - ending.size()), ending);
}

}  // namespace

TextKind text_kind_of(std::string_view file) {
  const auto fits = [&](std::string_view ending) { return ends_with(file, ending); };
  return std::ranges::any_of(kEndings, fits) ? TextKind::kProgram : TextKind::kAnswer;
}

}  // namespace airlock

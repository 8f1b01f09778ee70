#include "present/report/size_text.h"

#include <fmt/format.h>

#include <array>

namespace airlock::cli {

std::string size_text(std::int64_t bytes) {
  static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1023.95 && unit + 1 < kUnits.size()) {  // what would be printed as 1024.0
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

}  // namespace airlock::cli

#include "store/run_id.h"

namespace airlock::store {

namespace {

constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr int kTimeDigits = 10;  // 50 bits: enough for 35,000 years
constexpr std::size_t kRandomDigits = 16;

}  // namespace

std::string run_id(std::int64_t now_ms, std::string_view random) {
  std::string id;
  // Five bits a digit, the highest first.
  for (int digit = kTimeDigits - 1; digit >= 0; --digit)
    id += kDigits[static_cast<std::size_t>(now_ms >> (5 * digit)) & 31];
  for (const char byte : random.substr(0, kRandomDigits))
    id += kDigits[static_cast<unsigned char>(byte) & 31];
  return id;
}

}  // namespace airlock::store

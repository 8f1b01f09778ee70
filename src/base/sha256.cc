#include "base/sha256.h"

#include <sha2.h>

#include <array>

namespace airlock {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA2_CTX context{};
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  SHA256Final(digest.data(), &context);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace airlock

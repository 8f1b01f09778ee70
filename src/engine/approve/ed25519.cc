#include "engine/approve/ed25519.h"

#include <nettle/eddsa.h>

#include <array>
#include <cassert>
#include <cstdint>

#include "base/hex.h"
#include "base/sha256.h"

namespace airlock {

namespace {

using PublicBytes = std::array<std::uint8_t, ED25519_KEY_SIZE>;

const std::uint8_t* as_octets(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

template <std::size_t kSize>
std::string octets_as_hex(const std::array<std::uint8_t, kSize>& octets) {
  return hex_of({reinterpret_cast<const char*>(octets.data()), octets.size()});
}

PublicBytes public_bytes_of(std::string_view seed) {
  assert(seed.size() == ED25519_KEY_SIZE);
  PublicBytes key{};
  ed25519_sha512_public_key(key.data(), as_octets(seed));
  return key;
}

}  // namespace

std::string public_key_of(std::string_view seed) {
  return octets_as_hex(public_bytes_of(seed));
}

std::string signature_of(std::string_view seed, std::string_view message) {
  const PublicBytes key = public_bytes_of(seed);
  std::array<std::uint8_t, ED25519_SIGNATURE_SIZE> signature{};
  ed25519_sha512_sign(key.data(), as_octets(seed), message.size(), as_octets(message),
                      signature.data());
  return octets_as_hex(signature);
}

bool is_signed_by(std::string_view public_key, std::string_view message,
                  std::string_view signature) {
  const auto key = bytes_of_hex(public_key);
  const auto seal = bytes_of_hex(signature);
  return key && key->size() == ED25519_KEY_SIZE && seal && seal->size() == ED25519_SIGNATURE_SIZE &&
         ed25519_sha512_verify(as_octets(*key), message.size(), as_octets(message),
                               as_octets(*seal)) == 1;
}

std::string fingerprint_of(std::string_view public_key) {
  return sha256_hex(bytes_of_hex(public_key).value_or(std::string()));
}

}  // namespace airlock

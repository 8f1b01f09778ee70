// Signatures with Ed25519 (RFC 8032), from nettle. Keys and signatures are lower-case hex digits,
// as bundles and the store have them: 64 of a public key, 128 of a signature. Pure.
#pragma once

#include <string>
#include <string_view>

namespace airlock {

// `seed`: the 32 bytes of a private key.
std::string public_key_of(std::string_view seed);
std::string signature_of(std::string_view seed, std::string_view message);

// False also for what is no key or no signature at all.
bool is_signed_by(std::string_view public_key, std::string_view message,
                  std::string_view signature);

// What people compare: the SHA-256 of the public key's bytes. `public_key` must be one.
std::string fingerprint_of(std::string_view public_key);

}  // namespace airlock

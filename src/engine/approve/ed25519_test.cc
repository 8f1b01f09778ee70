#include "engine/approve/ed25519.h"

#include <gtest/gtest.h>

#include "base/hex.h"

namespace airlock {
namespace {

// RFC 8032, section 7.1: the seed, its public key, a message, its signature.
struct Vector {
  std::string_view seed, key, message, signature;
};
constexpr Vector kVectors[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
     "4"
     "6bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
     "d"
     "8c387b2eaeb4302aeeb00d291612bb0c00"},
};

TEST(Ed25519, SignsAsTheStandardSays) {
  for (const Vector& one : kVectors) {
    const std::string seed = *bytes_of_hex(one.seed);
    const std::string message = *bytes_of_hex(one.message);
    EXPECT_EQ(public_key_of(seed), one.key);
    EXPECT_EQ(signature_of(seed, message), one.signature);
    EXPECT_TRUE(is_signed_by(one.key, message, one.signature));
  }
}

TEST(Ed25519, EveryChangedByteIsSeen) {
  const Vector& one = kVectors[1];
  const std::string message = *bytes_of_hex(one.message);
  EXPECT_FALSE(is_signed_by(one.key, message + "x", one.signature));
  EXPECT_FALSE(is_signed_by(kVectors[0].key, message, one.signature));
  for (std::size_t i = 0; i < one.signature.size(); ++i) {
    std::string forged(one.signature);
    forged[i] = forged[i] == '0' ? '1' : '0';
    EXPECT_FALSE(is_signed_by(one.key, message, forged)) << i;
  }
}

TEST(Ed25519, WhatIsNoKeyOrSignatureSignsNothing) {
  for (const std::string_view text : {"", "00", "zz", "ED"}) {
    EXPECT_FALSE(is_signed_by(text, "", kVectors[0].signature));
    EXPECT_FALSE(is_signed_by(kVectors[0].key, "", text));
  }
}

}  // namespace
}  // namespace airlock

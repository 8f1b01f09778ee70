#include "engine/approve/bundle.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "engine/approve/ed25519.h"
#include "engine/approve/receipt.h"

namespace airlock {
namespace {

const std::string kSeed(32, 's');

Bundle example() {
  Bundle bundle{
      .extractor = {.name = "sales",
                    .version = 2,
                    .kind = OutputKind::kPython,
                    .text = "def extract(path: str) -> dict:\n    return {\"é\": 1}\t\r\n",
                    .policy = "extractor",
                    .approved = 1794800000000,
                    .answers = {sha256_hex("a"), sha256_hex("b")}},
      .sample_hashes = {sha256_hex("/a"), sha256_hex("/b")},
      .public_key = public_key_of(kSeed)};
  bundle.extractor.receipt = make_receipt(bundle.extractor, {sha256_hex("policy"), "CPython 3"});
  return bundle;
}

std::string reason_of(std::string_view bytes) {
  const auto read = read_bundle(bytes);
  if (read) return "it was read";
  EXPECT_EQ(read.error().kind, ErrorKind::kRefused);
  EXPECT_FALSE(find_invalid_utf8(read.error().message));
  return read.error().message;
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Bundle, WhatWasWrittenComesBack) {
  for (const bool is_rule : {false, true}) {
    Bundle bundle = example();
    if (is_rule) {
      bundle.extractor.kind = OutputKind::kYaml;
      bundle.extractor.policy = bundle.extractor.receipt.policy_sha256 = "";
      bundle.sample_hashes.clear();
      bundle.extractor.answers.clear();
    } else {
      bundle.extractor.policy = "mine.toml";
      bundle.policy_text = "name = \"mine\"\nextends = \"extractor\"\n";
    }
    const auto read = read_bundle(write_bundle(bundle, kSeed));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->extractor.text, bundle.extractor.text);
    EXPECT_EQ(full_name(read->extractor), "sales@2");
    EXPECT_EQ(read->extractor.policy, bundle.extractor.policy);
    EXPECT_EQ(read->policy_text, bundle.policy_text);
    EXPECT_EQ(read->sample_hashes, bundle.sample_hashes);
    EXPECT_EQ(read->extractor.answers, bundle.extractor.answers);
    EXPECT_EQ(read->extractor.receipt.sha256, bundle.extractor.receipt.sha256);
    EXPECT_EQ(read->extractor.approved, bundle.extractor.approved);
    EXPECT_EQ(read->public_key, bundle.public_key);
  }
}

TEST(Bundle, TheReceiptIsThatOfTheText) {
  Bundle bundle = example();
  EXPECT_TRUE(has_own_receipt(bundle.extractor));
  bundle.extractor.text += "#";
  EXPECT_FALSE(has_own_receipt(bundle.extractor));
  bundle = example();
  bundle.extractor.version = 3;
  EXPECT_FALSE(has_own_receipt(bundle.extractor));
}

TEST(Bundle, TheSignatureIsOfAllButTheLastTwoLines) {
  const std::string text = write_bundle(example(), kSeed);
  const std::size_t last = text.rfind("  \"signature\": \"");
  const std::string signature = text.substr(last + 16, 128);
  EXPECT_EQ(text.substr(last + 16 + 128), "\"\n}\n");
  EXPECT_TRUE(is_signed_by(public_key_of(kSeed), text.substr(0, last), signature));
}

// Whatever one byte becomes, and whichever byte is gone or there twice.
TEST(Bundle, NoByteCanBeChanged) {
  const std::string text = write_bundle(example(), kSeed);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char other : {'0', 'f', ' ', '\n', '"', '\0', '\x80'}) {
      if (text[i] == other) continue;
      std::string changed = text;
      changed[i] = other;
      EXPECT_FALSE(read_bundle(changed)) << i << " " << int{other};
    }
    EXPECT_FALSE(read_bundle(text.substr(0, i))) << i;
    std::string shorter = text;
    shorter.erase(i, 1);
    EXPECT_FALSE(read_bundle(shorter)) << i;
    std::string longer = text;
    longer.insert(i, 1, text[i]);
    EXPECT_FALSE(read_bundle(longer)) << i;
  }
  EXPECT_FALSE(read_bundle(text + text));
}

TEST(Bundle, EachReasonHasItsWords) {
  const std::string text = write_bundle(example(), kSeed);
  EXPECT_NE(reason_of("").find("this is no bundle"), std::string::npos);
  EXPECT_NE(reason_of("[]").find("this is no bundle"), std::string::npos);
  EXPECT_NE(reason_of(std::string(kMostBundleBytes + 1, ' ')).find("more than"), std::string::npos);
  EXPECT_NE(reason_of(std::string(100000, '[')).find("this is no bundle"), std::string::npos);
  EXPECT_NE(reason_of(with(text, "\"airlock_bundle\": 1", "\"airlock_bundle\": 2"))
                .find("does not know (it reads form 1)"),
            std::string::npos);
  EXPECT_NE(reason_of(with(text, "\"version\": 2", "\"version\": 3")).find("signature"),
            std::string::npos);
  EXPECT_NE(reason_of(with(text, "\"version\": 2", "\"version\": 2.0")).find("in line 4"),
            std::string::npos);
  EXPECT_NE(reason_of(with(text, "\"version\": 2", "\"version\":  2")).find("in line 4"),
            std::string::npos);
  EXPECT_NE(reason_of(with(text, "  \"version\": 2,\n", "  \"version\": 2,\n  \"more\": 2,\n"))
                .find("in line 5"),
            std::string::npos);
  EXPECT_NE(reason_of(with(text, "  \"version\": 2,\n", "  \"version\": 2,\n  \"version\": 2,\n"))
                .find("this is no bundle"),
            std::string::npos);
}

TEST(Bundle, ValuesThatNoExporterWritesAreRefusedByName) {
  const std::string text = write_bundle(example(), kSeed);
  const auto names = [&](std::string_view from, std::string_view to, std::string_view name) {
    const std::string reason = reason_of(with(text, from, to));
    EXPECT_NE(reason.find("'" + std::string(name) + "' is not"), std::string::npos) << reason;
  };
  names("\"sales\"", "\"../x\"", "name");
  names("\"sales\"", "7", "name");
  names("\"version\": 2", "\"version\": 0", "version");
  names("\"version\": 2", "\"version\": -1", "version");
  names("\"version\": 2", "\"version\": 1e300", "version");
  names("\"version\": 2", "\"version\": 2.5", "version");
  names("\"python\"", "\"ruby\"", "kind");
  names("\"extractor\"", "\"/etc/x.toml\"", "policy.name");
  names("\"name\": \"extractor\"", "\"name\": \"extractor\", \"text\": [\"a\"]", "policy.name");
  names(sha256_hex("/a"), "zz", "samples");
  names(key_word(public_key_of(kSeed)), "ed25519:00", "key");
}

TEST(Bundle, AnotherKeyCannotTakeTheSignatureOver) {
  Bundle bundle = example();
  const std::string other(32, 'o');
  bundle.public_key = public_key_of(other);
  EXPECT_NE(reason_of(write_bundle(bundle, kSeed)).find("signed with another key"),
            std::string::npos);
  // The fingerprint is computed, never taken from the file.
  const std::string text = write_bundle(example(), kSeed);
  EXPECT_NE(reason_of(with(text, fingerprint_of(public_key_of(kSeed)), sha256_hex("x")))
                .find("not as airlock writes one"),
            std::string::npos);
}

TEST(KeyWord, IsThePublicKeyAndNeverAFingerprint) {
  const std::string key = public_key_of(kSeed);
  EXPECT_EQ(read_key_word(key_word(key)).value(), key);
  EXPECT_NE(read_key_word(fingerprint_of(key)).error().message.find("fingerprint"),
            std::string::npos);
  for (const std::string& word : {std::string(), key + "0", key_word(key) + " ", "ED25519:" + key})
    EXPECT_FALSE(read_key_word(word)) << word;
}

}  // namespace
}  // namespace airlock

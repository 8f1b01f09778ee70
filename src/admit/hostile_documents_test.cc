// Documents that nobody would write, through the whole inner door. Whatever comes in: it is
// admitted or refused with a reason; what was admitted comes out of the sanitizer as strict JSON
// that is admitted again and does not change any more; and no word of a refusal is a value.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "admit/admit.h"
#include "admit/credentials.h"
#include "admit/sanitize.h"
#include "admit/strict_json.h"
#include "base/utf8.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

const std::string kFacts =
    R"({"schema_slice":{"files":[{"path":"/home/ann/r/a.c","lines":12},{"path":"b.c","lines":-1.5e3}],)"
    R"("name":"x \u00e9 \ud83d\ude00","ok":true,"none":null},"raw_artifacts":["a.txt"],)"
    R"("confidence":"high","duration_ms":17,"warnings":["w"],"errors":[]})";

// The door and the sanitizer, as every document meets them.
class Door {
 public:
  // The kept text, or nothing.
  std::optional<std::string> keep(const std::string& text, Form form) {
    auto admitted = admitter_.admit(text, form);
    if (!admitted) {
      last_ = admitted.error();
      EXPECT_FALSE(last_.errors.empty()) << "a refusal without a reason: " << text;
      return std::nullopt;
    }
    auto sanitized = sanitizer_.sanitize(*admitted);
    EXPECT_TRUE(sanitized) << "the second wall must not be stricter than the first: " << text;
    if (!sanitized) return std::nullopt;
    return std::string(sanitized->json());
  }
  const NotAdmitted& refusal() const { return last_; }

 private:
  Admitter admitter_;
  Sanitizer sanitizer_{{{"/srv/r"}, {}}};
  NotAdmitted last_;
};

// Everything that must hold for any text.
void expect_sound(Door& door, const std::string& text, Form form) {
  const auto kept = door.keep(text, form);
  if (!kept) {
    for (const AdmitError& error : door.refusal().errors) {
      EXPECT_FALSE(error.message.empty()) << text;
      EXPECT_FALSE(find_invalid_utf8(error.message)) << text;
      EXPECT_EQ(error.message.find('\x1b'), std::string::npos) << text;
      EXPECT_EQ(error.message.find('\n'), std::string::npos) << text;
    }
    return;
  }
  StrictJson strict(200);
  EXPECT_TRUE(strict.is_object(*kept)) << *kept;
  const auto again = door.keep(*kept, form);
  ASSERT_TRUE(again) << "kept once, refused the second time: " << *kept;
  EXPECT_EQ(*again, *kept) << "scrubbing what was scrubbed changes nothing";
}

void expect_sound(Door& door, const std::string& text) {
  expect_sound(door, text, Form::kBare);
  expect_sound(door, text, Form::kProbeOutput);
}

TEST(HostileDocuments, TheHonestOneIsKept) {
  Door door;
  ASSERT_TRUE(door.keep(kFacts, Form::kProbeOutput));
  expect_sound(door, kFacts);
}

TEST(HostileDocuments, OneThatIsCutAnywhereIsRefused) {
  Door door;
  for (std::size_t size = 0; size < kFacts.size(); ++size)
    EXPECT_FALSE(door.keep(kFacts.substr(0, size), Form::kProbeOutput)) << size;
}

TEST(HostileDocuments, OneThatIsLongerThanItselfIsRefused) {
  Door door;
  for (const char* more : {"x", "{}", "]", ",", "\"", "0"})
    EXPECT_FALSE(door.keep(kFacts + more, Form::kProbeOutput)) << more;
}

TEST(HostileDocuments, AnyByteChangedIsKeptSoundlyOrRefused) {
  Door door;
  for (std::size_t at = 0; at < kFacts.size(); ++at) {
    for (const int other :
         {0x00, 0x01, 0x0A, 0x1B, 0x22, 0x2C, 0x30, 0x5C, 0x5D, 0x7D, 0x80, 0xC3, 0xED, 0xFF}) {
      std::string text = kFacts;
      text[at] = static_cast<char>(other);
      expect_sound(door, text);
    }
  }
}

TEST(HostileDocuments, BytesDroppedDoubledAndSwappedAreKeptSoundlyOrRefused) {
  Door door;
  for (std::size_t at = 0; at + 1 < kFacts.size(); ++at) {
    std::string dropped = kFacts;
    dropped.erase(at, 1);
    std::string doubled = kFacts;
    doubled.insert(at, 1, kFacts[at]);
    std::string swapped = kFacts;
    std::swap(swapped[at], swapped[at + 1]);
    for (const std::string& text : {dropped, doubled, swapped}) expect_sound(door, text);
  }
}

TEST(HostileDocuments, PiecesInAnyOrderAreKeptSoundlyOrRefused) {
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           "\"a\"",
                                           "\"b\"",
                                           "\"\"",
                                           "1",
                                           "-0",
                                           "1.5e3",
                                           "true",
                                           "null",
                                           " ",
                                           "\n",
                                           "\"\\n\"",
                                           "\"\\u0000\"",
                                           "\"\\ud800\"",
                                           "\"\\u202e\"",
                                           "0",
                                           "e",
                                           "-",
                                           "\\",
                                           "\"",
                                           "\xC3\xA9",
                                           "NaN",
                                           "1e999",
                                           "//",
                                           "'",
                                           "b'x'",
                                           "\"token\"",
                                           "\"/home/ann/x\"",
                                           "\"C:\\\\Users\\\\ann\"",
                                           "\x1b[2J",
                                           "\xFF"};
  std::mt19937 random(5);  // the same documents every time
  Door door;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random() % 4 == 0 ? "" : "{\"k\":";
    for (auto count = random() % 9; count > 0; --count) text += pieces[random() % pieces.size()];
    if (random() % 4 != 0) text += "}";
    expect_sound(door, text, Form::kBare);
  }
}

TEST(HostileDocuments, RandomBytesAreRefusedWithAReason) {
  std::mt19937 random(6);
  Door door;
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 200, '\0');
    for (char& one : text) one = static_cast<char>(random());
    expect_sound(door, text, Form::kBare);
  }
}

// ---- limits, exactly

std::string with_value(const std::string& value) {
  return "{\"a\":" + value + "}";
}

TEST(HostileDocuments, ADocumentIsAsLargeAsItsLimitAndNoLarger) {
  AdmitLimits limits;
  limits.document_bytes = 1000;
  Admitter admitter(limits);
  const std::string fits =
      with_value("\"" + std::string(1000 - with_value("\"\"").size(), 'x') + "\"");
  ASSERT_EQ(fits.size(), 1000U);
  EXPECT_TRUE(admitter.admit(fits, Form::kBare));
  EXPECT_FALSE(admitter.admit(fits + " ", Form::kBare));
}

TEST(HostileDocuments, AStringIsMeasuredAsItReadsNotAsItIsWritten) {
  AdmitLimits limits;
  limits.string_bytes = 10;
  Admitter admitter(limits);
  EXPECT_TRUE(admitter.admit(with_value("\"1234567890\""), Form::kBare));
  EXPECT_TRUE(admitter.admit(with_value("\"\\u0031234567890\""), Form::kBare));
  EXPECT_FALSE(admitter.admit(with_value("\"12345678901\""), Form::kBare));
  EXPECT_FALSE(admitter.admit(with_value("\"123456789\\u00e9\""), Form::kBare));
}

TEST(HostileDocuments, AKeyIsAsLongAsItsLimitAndNoLonger) {
  AdmitLimits limits;
  limits.key_bytes = 5;
  Admitter admitter(limits);
  EXPECT_TRUE(admitter.admit("{\"abcde\":1}", Form::kBare));
  EXPECT_FALSE(admitter.admit("{\"abcdef\":1}", Form::kBare));
  EXPECT_FALSE(admitter.admit("{\"a\":{\"b\":[{\"abcdef\":1}]}}", Form::kBare));
}

TEST(HostileDocuments, DepthCountsListsAndObjectsAlike) {
  for (const std::size_t most : {1U, 2U, 5U, 128U}) {
    AdmitLimits limits;
    limits.depth = most;
    Admitter admitter(limits);
    for (const bool lists : {false, true}) {
      const auto nested = [&](std::size_t depth) {
        std::string text;
        for (std::size_t i = 1; i < depth; ++i) text += lists ? "[" : "{\"a\":";
        text += lists ? "" : "1";
        for (std::size_t i = 1; i < depth; ++i) text += lists ? "]" : "}";
        return with_value(depth == 1 ? "1" : text);
      };
      EXPECT_TRUE(admitter.admit(nested(most), Form::kBare)) << most;
      EXPECT_FALSE(admitter.admit(nested(most + 1), Form::kBare)) << most;
    }
  }
}

TEST(HostileDocuments, ErrorsAreListedUpToTheirLimitAndTheRestIsCounted) {
  for (const std::size_t most : {1U, 3U, 100U}) {
    AdmitLimits limits;
    limits.errors = most;
    std::string text = "{\"list\":[";
    for (int i = 0; i < 150; ++i) text += "{\"password\":1},";
    text += "0]}";
    const auto refused = Admitter(limits).admit(text, Form::kBare);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().errors.size(), most);
    EXPECT_EQ(refused.error().errors.size() + refused.error().more, 150U);
  }
}

// ---- many of one thing

TEST(HostileDocuments, AHundredThousandKeysOrItemsAreRead) {
  Door door;
  std::string keys = "{";
  std::string items = "{\"a\":[";
  for (int i = 0; i < 100'000; ++i) {
    keys += "\"n" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    items += "[],";
  }
  EXPECT_TRUE(door.keep(keys + "\"z\":0}", Form::kBare));
  EXPECT_FALSE(door.keep(keys + "\"n5\":0}", Form::kBare)) << "one of them comes twice";
  EXPECT_TRUE(door.keep(items + "0]}", Form::kBare));
}

TEST(HostileDocuments, KeysMadeToCollideAreReadInGoodTime) {
  // Equal but for their last byte, in one object: quadratic comparison would take minutes.
  std::string text = "{";
  const std::string long_start(400, 'k');
  for (int i = 0; i < 20'000; ++i) text += "\"" + long_start + std::to_string(i) + "\":1,";
  Door door;
  EXPECT_TRUE(door.keep(text + "\"z\":0}", Form::kBare));
}

TEST(HostileDocuments, EscapesWithoutEndAreRead) {
  Door door;
  std::string text = "{\"a\":\"";
  for (int i = 0; i < 200'000; ++i) text += "\\u0041 ";
  const auto kept = door.keep(text + "\"}", Form::kBare);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->size(), std::string("{\"a\":\"\"}").size() + 400'000);
}

// ---- names

TEST(HostileDocuments, NamesOfSecretsAreRefusedHoweverTheyAreDisguised) {
  Door door;
  for (const char* name :
       {"password", "PASSWORD", "db-password", "x.password", "passwordHash", "\\u0070assword",
        "api_key", "apiKey", "API-KEY", "access_token", "secret", "client_secret", "private_key",
        "to\\u200bken", "\\uff54\\uff4f\\uff4b\\uff45\\uff4e", "credential", "AUTH_TOKEN",
        "tokenizer"}) {
    EXPECT_FALSE(door.keep(std::string("{\"a\":[{\"") + name + "\":1}]}", Form::kBare)) << name;
    EXPECT_TRUE(std::ranges::any_of(door.refusal().errors, [](const AdmitError& error) {
      return error.type == AdmitErrorType::kSecretLikelyFieldName;
    })) << name;
  }
}

TEST(HostileDocuments, NamesOfFactsAreTaken) {
  Door door;
  for (const char* name : {"path", "files", "lines", "key", "author", "keyboard", "monkey",
                           "passed", "compass", "a b", "", "ü", "1", "references_secrets"})
    EXPECT_TRUE(door.keep(std::string("{\"") + name + "\":1}", Form::kBare)) << name;
}

// ---- secrets and paths in values

TEST(HostileDocuments, NoSecretOfAnyKindIsKeptWhereverItStands) {
  Door door;
  for (const CredentialKind& kind : all_credential_kinds()) {
    const std::string secret = make_example(kind.example, 31);
    if (secret.find_first_of("\"\\\n") != std::string::npos) continue;
    for (const std::string& text :
         {with_value("\"" + secret + "\""), with_value("[[\"x " + secret + " y\"]]"),
          "{\"" + secret + "\":1}", with_value("{\"b\":[1,\"" + secret + "\"]}")}) {
      const auto kept = door.keep(text, Form::kBare);
      if (!kept) continue;  // as a key it may look like a secret's name, or be too long
      const std::string middle = secret.substr(secret.size() / 4, secret.size() / 2);
      EXPECT_EQ(kept->find(secret), std::string::npos) << kind.name << " " << *kept << middle;
    }
  }
}

TEST(HostileDocuments, ASecretInPiecesOfEscapesIsFoundAllTheSame) {
  Door door;
  const std::string secret = make_example("ghp_{A36}", 3);
  std::string escaped;
  for (const char c : secret) {
    constexpr char kHex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    escaped += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
  }
  const auto kept = door.keep(with_value("\"" + escaped + "\""), Form::kBare);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->find(secret), std::string::npos);
  EXPECT_NE(kept->find("<REDACTED:fingerprint="), std::string::npos);
}

TEST(HostileDocuments, NoUsersFolderIsKeptWhereverItStands) {
  Door door;
  for (const char* path :
       {"/home/ann/x", "/Users/ann/x", "C:\\\\Users\\\\ann\\\\x", "file:///home/ann/x", "/srv/r/x",
        "%2Fhome%2Fann%2Fx", "see /home/ann/x and /Users/bob/y", "\\u002fhome\\u002fann\\u002fx"}) {
    const auto kept = door.keep(std::string("{\"a\":\"") + path + "\"}", Form::kBare);
    ASSERT_TRUE(kept) << path;
    for (const char* user : {"ann", "bob", "/srv/r"})
      EXPECT_EQ(kept->find(user), std::string::npos) << path << " → " << *kept;
  }
}

// ---- nothing of one document is in another's answer

TEST(HostileDocuments, ADoorRemembersNothing) {
  Door door;
  const std::string canary = "c4n4ry";
  ASSERT_TRUE(door.keep(with_value("\"" + canary + "\""), Form::kBare));
  EXPECT_FALSE(door.keep("{\"" + canary + "_token\":1}", Form::kBare));
  const auto kept = door.keep(kFacts, Form::kProbeOutput);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->find(canary), std::string::npos);
  EXPECT_FALSE(door.keep("{", Form::kBare));
  for (const AdmitError& error : door.refusal().errors)
    EXPECT_EQ(error.message.find(canary), std::string::npos);
}

}  // namespace
}  // namespace airlock

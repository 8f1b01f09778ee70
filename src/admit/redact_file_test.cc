// The files that a probe leaves: any bytes, kept as they are but for secrets and folders, wherever
// these stand. A file is searched in windows and in rounds; no border between two of them hides a
// secret, and none is found twice.
#include "admit/redact_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/sha256.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

std::string token(std::uint64_t number = 1) {
  return make_example("ghp_{A36}", number);
}

std::string mark_of(const std::string& secret) {
  return redaction_mark(sha256_hex(secret).substr(0, 8));
}

TEST(RedactFile, BytesWithoutSecretsAreKeptAsTheyAre) {
  FileRedactor redactor;
  const std::string bytes = std::string("line\n\0\xFF binary \x1b[2J", 19);
  const RedactedFile file = redactor.redact("a.bin", bytes);
  EXPECT_EQ(file.name(), "a.bin");
  EXPECT_EQ(file.bytes(), bytes);
}

TEST(RedactFile, SecretsAndFoldersGo) {
  FileRedactor redactor({{"/srv/r"}, {}});
  const RedactedFile file =
      redactor.redact("log", "in /srv/r/a.c by /home/ann/x: " + token() + "\n");
  EXPECT_EQ(file.bytes().find(token()), std::string::npos);
  EXPECT_EQ(file.bytes().find("ann"), std::string::npos);
  EXPECT_NE(file.bytes().find("<REDACTED:fingerprint="), std::string::npos);
}

TEST(RedactFile, AnEmptyFileIsOne) {
  FileRedactor redactor;
  EXPECT_EQ(redactor.redact("empty", "").bytes(), "");
}

// ---- borders

// Lines of a log: nothing in them is a secret.
std::string ordinary(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "12:00 worker finished its part\n";
  text.resize(size);
  return text;
}

TEST(RedactFile, ASecretIsFoundAcrossEveryBorder) {
  FileRedactor redactor;
  for (const std::size_t border : {64U, 4096U, 16'384U, 32'768U, 65'536U, 131'072U}) {
    for (const std::size_t before : {0U, 1U, 3U, 4U, 5U, 20U, 39U, 40U, 41U}) {
      const std::string head = ordinary(border - before - 1) + " ";
      const std::string text = head + token() + "\n" + ordinary(100);
      const RedactedFile file = redactor.redact("log", text);
      EXPECT_EQ(file.bytes(), head + mark_of(token()) + "\n" + ordinary(100))
          << border << " " << before;
    }
  }
}

TEST(RedactFile, AFolderIsFoundAcrossEveryBorder) {
  FileRedactor redactor;
  for (const std::size_t border : {64U, 4096U, 16'384U, 65'536U}) {
    for (const std::size_t before : {0U, 1U, 4U, 5U, 6U, 9U, 10U}) {
      const std::string head = ordinary(border - before - 1) + " ";
      const RedactedFile file = redactor.redact("log", head + "/home/ann/x\n");
      EXPECT_EQ(file.bytes(), head + "x\n") << border << " " << before;
    }
  }
}

TEST(RedactFile, ASecretAtEitherEndOfAFileIsFound) {
  FileRedactor redactor;
  const std::string middle = ordinary(70'000);
  const RedactedFile file = redactor.redact("log", token(1) + "\n" + middle + " " + token(2));
  EXPECT_EQ(file.bytes(), mark_of(token(1)) + "\n" + middle + " " + mark_of(token(2)));
  ASSERT_EQ(file.secrets().size(), 2U);
  EXPECT_EQ(file.secrets()[0].fingerprint, sha256_hex(token(1)).substr(0, 8));
}

TEST(RedactFile, ASecretBetweenBytesOfAnyValueIsFound) {
  FileRedactor redactor;
  for (int c = 0; c < 256; ++c) {
    const std::string byte(1, static_cast<char>(c));
    // Letters, digits and signs of its own alphabet would belong to it.
    const bool is_inside = is_alnum(static_cast<char>(c)) || std::string("+/_-=").contains(byte);
    if (is_inside) continue;
    EXPECT_EQ(redactor.redact("x", byte + token() + byte).bytes(), byte + mark_of(token()) + byte)
        << c;
  }
}

// ---- what is told

TEST(RedactFile, EachSecretIsToldWithTheFilesName) {
  FileRedactor redactor;
  const RedactedFile file = redactor.redact(
      "out/log.txt", token(1) + " " + make_example("AKIA{U16}", 2) + " " + token(1));
  ASSERT_EQ(file.secrets().size(), 3U);
  EXPECT_EQ(file.secrets()[0].kind, "github_personal_token");
  EXPECT_EQ(file.secrets()[1].kind, "aws_access_key_id");
  EXPECT_EQ(file.secrets()[2].fingerprint, file.secrets()[0].fingerprint);
  for (const SecretFinding& one : file.secrets()) {
    ASSERT_EQ(one.path.size(), 1U);
    EXPECT_EQ(std::get<std::string>(one.path[0]), "out/log.txt");
  }
}

TEST(RedactFile, AThousandSecretsAreListedAndEveryOneIsTakenOut) {
  FileRedactor redactor;
  for (const std::size_t count : {999U, 1000U, 1001U, 1500U}) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += token(1 + i % 3) + "\n";
    const RedactedFile file = redactor.redact("log", text);
    EXPECT_EQ(file.secrets().size(), std::min<std::size_t>(count, 1000)) << count;
    EXPECT_EQ(file.bytes().find("ghp_"), std::string_view::npos) << count;
    EXPECT_EQ(file.bytes().size(), count * (mark_of(token()).size() + 1)) << count;
  }
}

TEST(RedactFile, TheNameIsKeptWhateverItIs) {
  FileRedactor redactor;
  for (const std::string name : {"a", "a/b.txt", "/home/ann/x", "ghp_", "\xFF\x1b", ""})
    EXPECT_EQ(redactor.redact(name, "bytes").name(), name);
}

TEST(RedactFile, RedactingTwiceChangesNothing) {
  FileRedactor redactor({{"/srv/r"}, {}});
  for (const std::string& text :
       {ordinary(20'000) + token(), std::string("/srv/r/a /home/ann/b ") + token(),
        std::string("\0\xFF", 2) + token() + std::string("\0", 1),
        std::string("password=hunter2x")}) {
    const RedactedFile once = redactor.redact("x", text);
    const RedactedFile twice = redactor.redact("x", std::string(once.bytes()));
    EXPECT_EQ(twice.bytes(), once.bytes());
    EXPECT_TRUE(twice.secrets().empty());
  }
}

TEST(RedactFile, MegabytesAreReadInGoodTime) {
  FileRedactor redactor;
  const std::string large = ordinary(8U << 20);
  const RedactedFile file = redactor.redact("log", large + " " + token());
  EXPECT_EQ(file.bytes().size(), large.size() + 1 + mark_of(token()).size());
  const RedactedFile zeros = redactor.redact("zeros", std::string(8U << 20, '\0'));
  EXPECT_EQ(zeros.bytes().size(), 8U << 20);
  EXPECT_TRUE(zeros.secrets().empty());
}

}  // namespace
}  // namespace airlock

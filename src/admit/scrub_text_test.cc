// One text at a time: what is taken out, what stays, and that nothing is taken out twice.
#include "admit/scrub_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "admit/credentials.h"
#include "admit/secrets.h"
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

// ---- marks

TEST(ScrubText, AMarkSaysWhatItIs) {
  EXPECT_EQ(redaction_mark("1a2b3c4d"), "<REDACTED:fingerprint=1a2b3c4d>");
}

TEST(ScrubText, ATextWithoutAnythingStaysUntouched) {
  TextScrubber scrubber;
  for (const std::string text : {"", " ", "plain words", "12345", "a/b/c.txt", "../x", "ü€😀"}) {
    EXPECT_FALSE(scrubber.scrub(text)) << text;
    EXPECT_EQ(scrubber.scrubbed(text), text);
  }
}

TEST(ScrubText, TheSecretGoesAndItsSurroundingsStay) {
  TextScrubber scrubber;
  EXPECT_EQ(scrubber.scrubbed(token()), mark_of(token()));
  EXPECT_EQ(scrubber.scrubbed("before " + token() + " after"),
            "before " + mark_of(token()) + " after");
  EXPECT_EQ(scrubber.scrubbed("(" + token() + ")"), "(" + mark_of(token()) + ")");
  EXPECT_EQ(scrubber.scrubbed(token() + "\n" + token(2)),
            mark_of(token()) + "\n" + mark_of(token(2)));
}

TEST(ScrubText, EveryRedactionIsToldInOrder) {
  TextScrubber scrubber;
  const auto result = scrubber.scrub("a " + token(1) + " b " + make_example("AKIA{U16}", 2) + " c");
  ASSERT_TRUE(result);
  ASSERT_EQ(result->redactions.size(), 2U);
  EXPECT_EQ(result->redactions[0].kind, "github_personal_token");
  EXPECT_EQ(result->redactions[1].kind, "aws_access_key_id");
  EXPECT_FALSE(result->has_rewritten_paths);
}

TEST(ScrubText, PathsAndSecretsInOneTextBothGo) {
  TextScrubber scrubber({{"/srv/r"}, {}});
  const auto result = scrubber.scrub("/srv/r/a.c: " + token() + " in /home/ann/x");
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->has_rewritten_paths);
  EXPECT_EQ(result->text, "a.c: " + mark_of(token()) + " in x");
}

TEST(ScrubText, WithAKeyOfItsOwnerFingerprintsAreOthers) {
  TextScrubber plain;
  TextScrubber keyed({{}, "key"});
  TextScrubber other({{}, "other"});
  EXPECT_NE(plain.scrubbed(token()), keyed.scrubbed(token()));
  EXPECT_NE(keyed.scrubbed(token()), other.scrubbed(token()));
  EXPECT_EQ(keyed.scrubbed(token()), keyed.scrubbed(token()));
}

TEST(ScrubText, AHashUnderTheNameOfAHashStays) {
  TextScrubber scrubber;
  const std::string hash = sha256_hex("x");
  EXPECT_FALSE(scrubber.scrub(hash, "sha256"));
  EXPECT_FALSE(scrubber.scrub("sha256:" + hash));
  EXPECT_TRUE(scrubber.scrub(make_example("ghp_{A36}", 5), "sha256")) << "this is no hash";
}

// ---- any bytes

TEST(ScrubText, BytesOfAnyKindAreTakenAndWhatIsNoSecretStays) {
  TextScrubber scrubber;
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 300, '\0');
    for (char& one : text) one = static_cast<char>(random());
    const std::string once = scrubber.scrubbed(text);
    EXPECT_EQ(scrubber.scrubbed(once), once);
  }
}

TEST(ScrubText, ASecretAmongBytesThatAreNoTextIsFound) {
  TextScrubber scrubber;
  const std::string text = std::string("\0\xFF\xFE", 3) + token() + std::string("\0\xC0", 2);
  EXPECT_EQ(scrubber.scrubbed(text),
            std::string("\0\xFF\xFE", 3) + mark_of(token()) + std::string("\0\xC0", 2));
}

TEST(ScrubText, PiecesOfSecretsAndPathsInAnyOrderComeToRest) {
  const std::vector<std::string> pieces = {token(1),
                                           token(2),
                                           make_example("AKIA{U16}", 1),
                                           "/home/ann/",
                                           "/srv/r/",
                                           "/",
                                           "\\",
                                           "C:\\Users\\",
                                           "%2Fhome%2Fann%2F",
                                           "file://",
                                           "password=",
                                           "token: ",
                                           "Bearer ",
                                           "<REDACTED:fingerprint=",
                                           ">",
                                           "eyJ",
                                           ".",
                                           "=",
                                           "-----BEGIN RSA PRIVATE KEY-----",
                                           "\n",
                                           " ",
                                           "x",
                                           "://",
                                           "@",
                                           ":"};
  std::mt19937 random(4);
  TextScrubber scrubber({{"/srv/r"}, {}});
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (auto count = 1 + random() % 8; count > 0; --count)
      text += pieces[random() % pieces.size()];
    const std::string once = scrubber.scrubbed(text);
    ASSERT_EQ(scrubber.scrubbed(once), once) << text;
  }
}

TEST(ScrubText, LongTextsAreScrubbedToTheirEnd) {
  TextScrubber scrubber;
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "some ordinary words of a log line, number " + std::to_string(i) + "\n";
  const std::string at_the_end = text + token();
  EXPECT_EQ(scrubber.scrubbed(at_the_end), text + mark_of(token()));
  EXPECT_FALSE(scrubber.scrub(text));
}

TEST(ScrubText, AMarkIsNoSecret) {
  TextScrubber scrubber;
  for (const char* text :
       {"<REDACTED:fingerprint=1a2b3c4d>", "token=<REDACTED:fingerprint=1a2b3c4d>",
        "password: <REDACTED:fingerprint=00000000>"})
    EXPECT_FALSE(scrubber.scrub(text)) << text;
}

// ---- the finder: places

TEST(SecretFinder, PlacesAreInTheTextInOrderAndApart) {
  SecretFinder finder;
  const std::string text =
      "a " + token(1) + " " + token(2) + token(3) + " password=hunter2hunter2 x";
  std::size_t end = 0;
  for (const FoundSecret& found : finder.find(text, "")) {
    EXPECT_GE(found.begin, end);
    EXPECT_GT(found.end, found.begin);
    EXPECT_LE(found.end, text.size());
    EXPECT_FALSE(found.kind.empty());
    end = found.end;
  }
  EXPECT_GT(end, 0U);
}

TEST(SecretFinder, FindsNothingInNothing) {
  SecretFinder finder;
  EXPECT_TRUE(finder.find("", "").empty());
  EXPECT_TRUE(finder.find("", "sha256").empty());
}

TEST(SecretFinder, FindsTheSameOnEveryAsking) {
  SecretFinder finder;
  const std::string text = "x " + token() + " y";
  const auto first = finder.find(text, "");
  for (int i = 0; i < 5; ++i) {
    finder.find("something else " + std::to_string(i), "");
    const auto again = finder.find(text, "");
    ASSERT_EQ(again.size(), first.size());
    EXPECT_EQ(again[0].begin, first[0].begin);
    EXPECT_EQ(again[0].end, first[0].end);
  }
}

TEST(SecretFinder, EveryKindIsFoundBesideEveryEdge) {
  SecretFinder finder;
  for (const CredentialKind& kind : all_credential_kinds()) {
    const std::string secret = make_example(kind.example, 13);
    for (const char* before : {"", " ", "\n", "\"", "'", "(", "=", ","}) {
      const std::string text = before + secret;
      EXPECT_FALSE(finder.find(text, "").empty()) << kind.name << " behind '" << before << "'";
    }
  }
}

}  // namespace
}  // namespace airlock

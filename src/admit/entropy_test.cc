// Runs that are too random for words, in every alphabet, and what looks random and is no secret.
#include "admit/entropy.h"

#include <gtest/gtest.h>

#include "support/example_secrets.h"

namespace airlock {
namespace {

std::size_t runs_in(const std::string& text, std::string_view key = {}) {
  return find_random_runs(text, key).size();
}

TEST(Entropy, IsShannons) {
  EXPECT_DOUBLE_EQ(entropy_of(""), 0);
  EXPECT_DOUBLE_EQ(entropy_of("aaaa"), 0);
  EXPECT_DOUBLE_EQ(entropy_of("ab"), 1);
  EXPECT_DOUBLE_EQ(entropy_of("0123456789abcdef"), 4);
}

TEST(Entropy, RandomRunsAreFoundInEveryAlphabet) {
  for (std::uint64_t number = 1; number <= 50; ++number) {
    EXPECT_EQ(runs_in("value " + make_example("{x32}", number)), 1U) << number;
    EXPECT_EQ(runs_in(make_example("{x64}", number)), 1U) << number;
    EXPECT_EQ(runs_in(make_example("{A48}", number)), 1U) << number;
    EXPECT_EQ(runs_in("x=" + make_example("{w64}", number) + "=="), 1U) << number;
  }
}

TEST(Entropy, HashesUnderTheirNamesStay) {
  const std::string hex = make_example("{x64}", 1);
  for (const char* key : {"sha256", "git_commit", "commitSha", "digest", "etag", "checksums",
                          "tree", "HEAD", "file-hash"})
    EXPECT_EQ(runs_in(hex, key), 0U) << key;
  for (const char* key : {"", "value", "note", "shade", "hashed_by"})
    EXPECT_EQ(runs_in(hex, key), 1U) << key;
  EXPECT_EQ(runs_in("at commit " + hex), 0U);
  EXPECT_EQ(runs_in("image@sha256:" + hex), 0U);
  EXPECT_EQ(runs_in("sha512-" + make_example("{b86}", 2) + "=="), 0U);
  EXPECT_EQ(runs_in("golang.org/x/net v0.1.0 h1:" + make_example("{A43}", 2) + "="), 0U);
}

TEST(Entropy, PathsUrlsIdentifiersAndProseStay) {
  for (const char* text : {
           "src/components/Buttons/PrimaryButton2/index/IndexPage3",
           "https://example.org/a/b/Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MEFCQ0RFRkdI?x=1",
           "123e4567-e89b-12d3-a456-426614174000",
           "ThisIsAVeryLongCamelCaseIdentifierWithTwoDigits22InIt",
           "the_quick_brown_fox_jumps_over_the_lazy_dog_and_some_more_2024_01",
           "00000000000000000000000000000000",
           "12345678901234567890123456789012",
           "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
           "ABCDEFGHIJKLMNOPQRSTUVWXYZ_CONSTANT_NAME_42",
           "libfoo-1.2.3-4ubuntu5.6-amd64-linux-gnu-release-build",
       }) {
    EXPECT_EQ(runs_in(text), 0U) << text;
  }
}

}  // namespace
}  // namespace airlock

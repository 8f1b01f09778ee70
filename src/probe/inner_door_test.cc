#include "probe/inner_door.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/utf8.h"
#include "probe/artifacts.h"
#include "support/folder_test.h"

namespace airlock::probe {
namespace {

namespace fs = std::filesystem;

// Made up, in the form of a real one.
const std::string kToken = std::string("ghp_") + "Zk3vQ9xT7bLmN2pR8sWc5yJd4fHg6aKe1uXo";

class TheInnerDoor : public airlock::test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    opened_ = Fd(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  static std::string document(const std::string& slice, const std::string& artifacts = "[]") {
    return R"({"schema_slice":)" + slice + R"(,"raw_artifacts":)" + artifacts +
           R"(,"confidence":"high","duration_ms":1,"warnings":[],"errors":[]})";
  }
  Reasons refusal(const std::string& text) {
    auto passed = door_.pass(RawDocument(text), opened_);
    return passed ? Reasons{} : passed.error();
  }

  Fd opened_;
  InnerDoor door_{ScrubOptions{{"/repository"}, {}}};
};

TEST_F(TheInnerDoor, LetsFactsPassWithoutPathsAndSecrets) {
  const auto passed = door_.pass(
      RawDocument(document(R"({"a":"/repository/src/x.py","b":")" + kToken + R"("})")), opened_);
  ASSERT_TRUE(passed);
  const std::string json(passed->output.json());
  EXPECT_NE(json.find(R"("a":"src/x.py")"), std::string::npos);
  EXPECT_EQ(json.find(kToken), std::string::npos);
  ASSERT_EQ(passed->secrets.size(), 1U);
}

TEST_F(TheInnerDoor, NamesEveryReason) {
  EXPECT_EQ(
      refusal(document(R"({"a":[{"github_token":1}],"password":2})")),
      (Reasons{"SecretLikelyFieldNameError: github_token at (schema_slice, a, 0, github_token)",
               "SecretLikelyFieldNameError: password at (schema_slice, password)"}));
  EXPECT_FALSE(refusal("{").empty());
  EXPECT_FALSE(refusal(std::string("\xff")).empty());
}

TEST_F(TheInnerDoor, ReadsArtifactsAndRedactsThem) {
  write("deep/log.txt", "opened /repository/a.py with " + kToken + std::string("\0\xff", 2));
  const auto passed = door_.pass(RawDocument(document("{}", R"(["deep/log.txt"])")), opened_);
  ASSERT_TRUE(passed);
  ASSERT_EQ(passed->artifacts.size(), 1U);
  const RedactedFile& file = passed->artifacts[0];
  EXPECT_EQ(file.name(), "deep/log.txt");
  EXPECT_EQ(file.bytes().find(kToken), std::string_view::npos);
  EXPECT_TRUE(file.bytes().starts_with("opened a.py with <REDACTED:fingerprint="));
  EXPECT_TRUE(file.bytes().ends_with(std::string("\0\xff", 2)));
  EXPECT_EQ(passed->secrets.size(), 1U);
}

TEST_F(TheInnerDoor, ArtifactsAreRealFilesInTheFolder) {
  write("a", "x");
  fs::create_symlink("a", folder_ / "link");
  fs::create_directory(folder_ / "folder");
  const auto why = [&](const std::string& name) {
    return refusal(document("{}", "[\"" + name + "\"]"));
  };
  EXPECT_EQ(why("none"),
            Reasons{"ArtifactError: 'none': there is no such file in the output folder"});
  EXPECT_EQ(why("folder"), Reasons{"ArtifactError: 'folder': it is no file"});
  EXPECT_FALSE(why("link").empty());
  for (const char* name : {"/etc/passwd", "../a", "folder/../a", "", ".", "a/"})
    EXPECT_EQ(why(name), Reasons{std::string("ArtifactError: '") + name +
                                 "': it does not lie in the output folder"});
}

TEST_F(TheInnerDoor, HoldsArtifactsToALimitInAll) {
  write("a", "x");
  EXPECT_EQ(refusal(document("{}", R"(["a","a"])")),
            Reasons{"ArtifactError: 'a': it is named twice"});
  write("one", "");
  write("two", "");
  write("three", "");
  for (const char* name : {"one", "two", "three"}) fs::resize_file(folder_ / name, 50 << 20);
  EXPECT_EQ(refusal(document("{}", R"(["one","two","three"])")),
            Reasons{"ArtifactError: 'three': all artifacts together are larger than 128 MiB"});
}

TEST_F(TheInnerDoor, KeepsWhatNeedsNoScrubbing) {
  EXPECT_TRUE(door_.pass_unchanged(R"({"probe":{"name":"a"}})"));
  EXPECT_FALSE(door_.pass_unchanged(R"({"probe":{"name":"/home/ann/x"}})"));
  EXPECT_FALSE(door_.pass_unchanged(R"({"api_key":1})"));
  EXPECT_FALSE(door_.pass_unchanged("[]"));
}

TEST_F(TheInnerDoor, GivesAFailureAnOutputOfLowConfidence) {
  const Sanitized output =
      door_.failed({"ValueError: /repository/a.py " + kToken, std::string("\xff")}, -3);
  const std::string json(output.json());
  EXPECT_NE(json.find(R"("confidence":"low")"), std::string::npos);
  EXPECT_NE(json.find("ValueError: a.py <REDACTED"), std::string::npos);
  EXPECT_EQ(json.find(kToken), std::string::npos);
}

// Whatever a probe puts into an error, its failure has an output, and the text of it is safe.
TEST_F(TheInnerDoor, GivesAFailureOfAnyBytesAnOutput) {
  using namespace std::string_literals;
  const std::vector<std::string> texts = {"ValueError: a\0b"s,
                                          "\xff\xfe\xed\xa0\x80"s,
                                          "\x1b[2Jgone\x07"s,
                                          "\xe2\x80\xaeright to left"s,
                                          std::string(3'000'000, 'x'),
                                          std::string(5000, '\0'),
                                          ""s};
  for (const std::string& text : texts) {
    const Sanitized output = door_.failed({text}, 1);
    EXPECT_FALSE(find_invalid_utf8(output.json()));
    for (const char* obeyed : {"\\u0000", "\\u001b", "\x1b", "\xe2\x80\xae"})
      EXPECT_FALSE(output.json().contains(obeyed)) << output.json();
    EXPECT_LT(output.json().size(), 5000u);
  }
  EXPECT_TRUE(door_.failed({texts[0]}, 1).json().contains(R"(ValueError: a\\x00b)"))
      << door_.failed({texts[0]}, 1).json();
  EXPECT_TRUE(
      door_.failed(std::vector<std::string>(100'000, texts[0]), 1).json().contains("errors"));
}

TEST_F(TheInnerDoor, ArtifactsMustBeReadInTime) {
  write("a.txt", "x");
  const auto late = door_.pass(RawDocument(document("{}", R"(["a.txt"])")), opened_,
                               std::chrono::steady_clock::now() - std::chrono::hours(1));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().at(0), "TimeoutError: Its time was up while its artifacts were read");
}

TEST_F(TheInnerDoor, JudgesAgainWhatWasKept) {
  EXPECT_TRUE(door_.pass_again(document("{}", R"(["a"])"), {"bytes"}));
  EXPECT_FALSE(door_.pass_again(document("{}", R"(["a"])"), {}));
  EXPECT_FALSE(door_.pass_again(document("{}", R"(["../a"])"), {"bytes"}));
  EXPECT_FALSE(door_.pass_again(document(R"({"api_key":1})"), {}));
  EXPECT_FALSE(door_.pass_again("", {}));
}

}  // namespace
}  // namespace airlock::probe

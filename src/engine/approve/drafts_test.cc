#include "engine/approve/drafts.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/sha256.h"
#include "engine/approve/receipt.h"
#include "engine/policy/policy_file.h"
#include "engine/policy/policy_hash.h"

namespace airlock {
namespace {

const std::string kHost = std::string(AIRLOCK_BINARY_DIR) + "/airlock-host";

constexpr std::string_view kCode = R"(def extract(path):
    return {"name": path.rsplit("/", 1)[-1]}
)";

class ApprovalTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("approval_test_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    user_dirs_.airlock_home = folder_.native();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Draft keep(std::string text, OutputKind kind = OutputKind::kPython) {
    return keep_draft(
               user_dirs_,
               {.kind = kind, .text = std::move(text), .samples = {"/data/a.csv", "/data/b.csv"}})
        .value();
  }

  // As somebody sees it who looks at a draft of whose name nothing was approved.
  static SeenDraft seen(const Draft& draft) {
    const Policy policy = load_policy(draft.policy).value();
    return seen_draft(draft, &policy, nullptr);
  }

  std::filesystem::path folder_;
  UserDirs user_dirs_;
};

TEST_F(ApprovalTest, ADraftBecomesAnExtractorWithAReceiptThatHolds) {
  const Draft draft = keep(std::string(kCode));
  const auto done = approve_draft(user_dirs_, {draft.id.substr(0, 6), {"names"}, kHost});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->version, 1);
  EXPECT_EQ(done->policy, "extractor");
  const auto now = present_conditions(done->kind, done->policy, kHost).value();
  EXPECT_TRUE(check_receipt(*done, now).holds());
  EXPECT_TRUE(list_drafts(user_dirs_)->empty());
}

TEST_F(ApprovalTest, ARuleNeedsNoHost) {
  const Draft draft = keep(
      "version: 1\nrules:\n  - name: r\n    glob: \"**/*.csv\"\n"
      "    extract:\n      name: { from: filename }\n",
      OutputKind::kYaml);
  const auto done = approve_draft(user_dirs_, {draft.id, {"rule"}, ""});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->policy, "");
}

TEST_F(ApprovalTest, WhatIsNotValidAnyMoreStaysADraft) {
  for (const auto& [text, kind] :
       {std::pair{"import os\n" + std::string(kCode), OutputKind::kPython},
        std::pair{std::string("def extract(path):\n    return {}[path]\n"), OutputKind::kPython},
        std::pair{std::string("rules: 7\n"), OutputKind::kYaml},
        std::pair{std::string("version: 1\nrules:\n  - name: r\n    glob: \"*.txt\"\n"
                              "    extract:\n      name: { from: filename }\n"),
                  OutputKind::kYaml}}) {
    const Draft draft = keep(text, kind);
    const auto done = approve_draft(user_dirs_, {draft.id, {"bad"}, kHost});
    ASSERT_FALSE(done) << text;
    EXPECT_NE(done.error().message.find("is not valid any more"), std::string::npos)
        << done.error().message;
    EXPECT_TRUE(find_draft(user_dirs_, draft.id));
  }
}

TEST_F(ApprovalTest, LookingMakesNoStore) {
  EXPECT_TRUE(list_drafts(user_dirs_)->empty());
  EXPECT_FALSE(find_draft(user_dirs_, "0"));
  EXPECT_FALSE(approve_draft(user_dirs_, {"0", {"name"}, kHost}));
  EXPECT_EQ(delete_all_drafts(user_dirs_).value(), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(ApprovalTest, WhoApprovedIsOnTheReceiptAndTheSecondOneIsTold) {
  const Draft draft = keep(std::string(kCode));
  const ApproveRequest request{
      draft.id, {"names", {.by = "Ann Lee", .note = "seen on Q1"}}, kHost, seen(draft)};
  const auto done = approve_draft(user_dirs_, request);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->review, (ReviewNote{.by = "Ann Lee", .note = "seen on Q1"}));
  EXPECT_EQ(done->draft, draft.id);
  EXPECT_FALSE(check_row(*done).is_store_altered);
  EXPECT_FALSE(approve_draft(user_dirs_, request));
  const auto fate = fate_of_draft(user_dirs_, draft.id).value();
  ASSERT_TRUE(fate.approved);
  EXPECT_EQ(fate.approved->review.by, "Ann Lee");
  EXPECT_FALSE(fate.rejected);
}

// Each part by itself: a text, a policy, samples, and the version before.
TEST_F(ApprovalTest, WhatWasNotSeenIsNotApproved) {
  const Draft draft = keep(std::string(kCode));
  const auto refused_for = [&](SeenDraft seen) {
    const auto done = approve_draft(user_dirs_, {draft.id, {"names"}, kHost, std::move(seen)});
    EXPECT_FALSE(done);
    EXPECT_TRUE(find_draft(user_dirs_, draft.id));
    return done ? std::string() : done.error().message;
  };
  SeenDraft other = seen(draft);
  other.text_sha256 = sha256_hex("something else");
  EXPECT_NE(refused_for(other).find("was changed by somebody else"), std::string::npos);
  other = seen(draft);
  other.policy_sha256 = policy_hash(load_policy("node").value());
  EXPECT_NE(refused_for(other).find("its policy allows something else"), std::string::npos);
  other = seen(draft);
  other.samples_sha256 = samples_hash(std::vector<std::string>{"/data/a.csv"});
  EXPECT_NE(refused_for(other).find("its samples are others"), std::string::npos);
  other = seen(draft);
  other.before = "names@1";
  EXPECT_NE(refused_for(other).find("after nothing, and you saw it compared with names@1"),
            std::string::npos);
  EXPECT_TRUE(approve_draft(user_dirs_, {draft.id, {"names"}, kHost, seen(draft)}));
}

TEST_F(ApprovalTest, AVersionThatCameMeanwhileIsNotReplacedUnseen) {
  const Draft draft = keep(std::string(kCode));
  const SeenDraft looked = seen(draft);
  ASSERT_TRUE(approve_draft(user_dirs_, {keep(std::string(kCode) + "# 1\n").id, {"names"}, kHost}));
  const auto done = approve_draft(user_dirs_, {draft.id, {"names"}, kHost, looked});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("after names@1, and you saw it compared with nothing"),
            std::string::npos);
  // A name that is free is as new as the one that was looked at.
  EXPECT_TRUE(approve_draft(user_dirs_, {draft.id, {"others"}, kHost, looked}));
}

TEST_F(ApprovalTest, WhatIsStoppedApprovesNothing) {
  const Draft draft = keep(std::string(kCode));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(approve_draft(
      user_dirs_,
      {.draft = draft.id, .approval = {"names"}, .host_program = kHost, .stop = stop.get_token()}));
  EXPECT_TRUE(find_draft(user_dirs_, draft.id));
}

TEST(SeenDraftTest, IsAWordAndBack) {
  const SeenDraft seen{sha256_hex("text"), sha256_hex("policy"), sha256_hex("paths"), "a.b-c@12"};
  EXPECT_EQ(read_seen(to_word(seen)), seen);
  const SeenDraft rule{sha256_hex("text"), "", sha256_hex("paths"), ""};
  EXPECT_EQ(read_seen(to_word(rule)), rule);
  for (const char* word : {"", "...", "a.b.c.d", "x"}) EXPECT_FALSE(read_seen(word)) << word;
  EXPECT_FALSE(read_seen(sha256_hex("text")));
}

TEST_F(ApprovalTest, ARejectionNeedsAReasonAndIsToldAfterwards) {
  const Draft draft = keep(std::string(kCode));
  EXPECT_FALSE(reject_draft(user_dirs_, draft, {.by = "Ann"}));
  EXPECT_FALSE(reject_draft(user_dirs_, draft, {.by = "Ann", .note = " \n "}));
  EXPECT_FALSE(reject_draft(user_dirs_, draft, {.by = "A\nB", .note = "no"}));
  EXPECT_TRUE(find_draft(user_dirs_, draft.id));
  ASSERT_TRUE(reject_draft(user_dirs_, draft, {.by = "Ann", .note = "no"}));
  EXPECT_FALSE(find_draft(user_dirs_, draft.id));
  const auto fate = fate_of_draft(user_dirs_, draft.id).value();
  ASSERT_TRUE(fate.rejected);
  EXPECT_EQ(fate.rejected->review.note, "no");
  EXPECT_FALSE(reject_draft(user_dirs_, draft, {.note = "again"}));
}

TEST(ReviewNoteTest, IsATextOfBoundedLength) {
  EXPECT_EQ(review_trouble({}), "");
  EXPECT_EQ(review_trouble({.by = "Zo\xc3\xab O'Neil", .note = "two\nlines"}), "");
  for (const std::string& by : {std::string("a\nb"), std::string("a\0b", 3), std::string("\xff"),
                                std::string("\xe2\x80\xae"
                                            "ann"),
                                std::string(101, 'a'), std::string(" "), std::string("    ")})
    EXPECT_NE(review_trouble({.by = by}), "") << by;
  for (const std::string& note :
       {std::string("a\0b", 3), std::string("\xff"), std::string(4001, 'a')})
    EXPECT_NE(review_trouble({.note = note}), "");
}

TEST(NameTest, IsALettersAndDigitsAffair) {
  for (const char* fine : {"a", "sales_reports", "Sales-2.1", "x9", "pyramid", "a.python"})
    EXPECT_EQ(name_trouble(fine), "") << fine;
  EXPECT_EQ(name_trouble(std::string(64, 'a')), "");
  for (const char* bad : {"", "1a", "_a", "-a", ".a", "a b", "a/b", "a@1", "x.py", "x.YAML",
                          "x.yml", "a\n", "\xc3\xa4", "a.", "a\x1b"})
    EXPECT_NE(name_trouble(bad), "") << bad;
  EXPECT_NE(name_trouble(std::string(65, 'a')), "");
}

}  // namespace
}  // namespace airlock

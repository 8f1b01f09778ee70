#include "store/extractor_table.h"

#include <array>

#include "store/draft_table.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

ApprovedExtractor extractor(std::string name, std::string text) {
  return {.name = std::move(name),
          .kind = OutputKind::kYaml,
          .text = std::move(text),
          .samples = {"/a", "/b"},
          .hint = "h",
          .policy = "p",
          .answers = {"c", "d"},
          .receipt = {"r", "t", "p", "i", "s"}};
}

class ExtractorsTest : public test::TableTest<Extractors> {
 protected:
  std::int64_t add(const std::string& name, const std::string& text) {
    return table_->add(extractor(name, text), nullptr).value().version;
  }
  std::optional<ApprovedExtractor> find(const std::string& name,
                                        std::optional<std::int64_t> version = {}) {
    return table_->find(name, version).value();
  }
};

TEST_F(ExtractorsTest, WhatWasApprovedComesBackWhole) {
  add("sales", "text");
  const auto found = find("sales");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "text");
  EXPECT_EQ(found->samples, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(found->answers, (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(found->receipt.sha256, "r");
  EXPECT_EQ(found->receipt.interpreter, "i");
  EXPECT_NEAR(static_cast<double>(found->approved), static_cast<double>(clock_.now()), 60000);
  EXPECT_FALSE(found->is_disabled);
  EXPECT_FALSE(find("Sales"));
}

TEST_F(ExtractorsTest, TheSameNameAgainIsTheNextVersionAndHistoryStays) {
  EXPECT_EQ(add("sales", "one"), 1);
  EXPECT_EQ(add("sales", "two"), 2);
  EXPECT_EQ(add("other", "x"), 1);
  EXPECT_EQ(find("sales")->text, "two");
  EXPECT_EQ(find("sales", 1)->text, "one");
  EXPECT_FALSE(find("sales", 3));
  const auto history = table_->history("sales").value();
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history.front().version, 2);
  const auto list = table_->list().value();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "other");
  EXPECT_EQ(list[1].version, 2);
}

TEST_F(ExtractorsTest, ANumberIsNeverGivenTwice) {
  add("sales", "one");
  add("sales", "two");
  EXPECT_EQ(table_->remove("sales", 2).value(), 1u);
  EXPECT_EQ(find("sales")->version, 1);
  EXPECT_EQ(add("sales", "three"), 3);
  EXPECT_EQ(table_->remove("sales", {}).value(), 2u);
  EXPECT_FALSE(find("sales"));
  EXPECT_TRUE(table_->list()->empty());
  EXPECT_EQ(table_->remove("sales", {}).value(), 0u);
  EXPECT_EQ(add("sales", "four"), 4);
}

TEST_F(ExtractorsTest, DisabledIsAboutTheNameUntilItIsRemoved) {
  EXPECT_EQ(table_->set_disabled("sales", true).value(), 0u);
  add("sales", "one");
  EXPECT_FALSE(find("sales")->is_disabled);
  EXPECT_EQ(table_->set_disabled("sales", true).value(), 1u);
  EXPECT_TRUE(table_->add(extractor("sales", "two"), nullptr)->is_disabled);
  EXPECT_TRUE(find("sales", 1)->is_disabled);
  table_->remove("sales", {}).value();
  EXPECT_FALSE(table_->add(extractor("sales", "three"), nullptr)->is_disabled);
}

TEST_F(ExtractorsTest, ADraftBecomesOneExtractorAndNoMore) {
  Drafts drafts(*database_, clock_);
  const Draft draft = drafts.keep({.kind = OutputKind::kYaml, .text = "text"}).value();
  EXPECT_TRUE(table_->add(extractor("sales", "text"), &draft));
  EXPECT_TRUE(drafts.list()->empty());
  const auto again = table_->add(extractor("sales", "text"), &draft);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("nothing was approved"), std::string::npos);
  EXPECT_EQ(table_->history("sales")->size(), 1u);
}

TEST_F(ExtractorsTest, ADraftThatChangedOrExpiredMeanwhileIsNotApproved) {
  Drafts drafts(*database_, clock_);
  Draft draft = drafts.keep({.kind = OutputKind::kYaml, .text = "text"}).value();
  const Draft changed = drafts.change(draft, "another").value();
  EXPECT_FALSE(table_->add(extractor("sales", "text"), &draft));
  clock_.ahead = kDraftLifeMs + 1;
  EXPECT_FALSE(table_->add(extractor("sales", "text"), &changed));
  EXPECT_FALSE(find("sales"));
  clock_.ahead = 0;
  EXPECT_TRUE(drafts.find(draft.id));
}

TEST_F(ExtractorsTest, ManyProcessesAtOnceGetANumberEach) {
  constexpr int kProcesses = 4;
  constexpr int kEach = 10;
  std::array<pid_t, kProcesses> children{};
  for (pid_t& child : children) {
    child = ::fork();
    if (child != 0) continue;
    auto database = Database::open(folder_);
    if (!database) ::_exit(1);
    Extractors own(*database, clock_);
    for (int i = 0; i < kEach; ++i)
      if (!own.add(extractor("sales", "x"), nullptr)) ::_exit(2);
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto history = table_->history("sales").value();
  ASSERT_EQ(history.size(), static_cast<std::size_t>(kProcesses * kEach));
  EXPECT_EQ(history.front().version, kProcesses * kEach);
}

TEST_F(ExtractorsTest, RowsOfAnyKindAreRead) {
  ASSERT_TRUE(database_->run(
      "INSERT INTO extractor_names VALUES ('odd', -7, 'maybe');"
      "INSERT INTO extractors VALUES ('odd', 'one', 'cobol', zeroblob(3), x'ff', 1, 2.5, 'never',"
      " '', '', '', '', '', x'00fe', 3, x'ff', x'ff', 7, 1.5, x'00', 9)"));
  const auto list = table_->list().value();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list.front().approved, 0);
  EXPECT_FALSE(table_->add(extractor("odd", "x"), nullptr));  // its numbers make no sense
}

TEST_F(ExtractorsTest, AnotherNewestVersionThanTheOneThatWasSeenStopsIt) {
  const ApprovedExtractor one{.name = "sales", .text = "one"};
  EXPECT_FALSE(table_->add(one, nullptr, {}, 1));
  ASSERT_TRUE(table_->add(one, nullptr, {}, 0));
  EXPECT_FALSE(table_->add(one, nullptr, {}, 0));
  ASSERT_TRUE(table_->add(one, nullptr, {}, 1));
  EXPECT_EQ(table_->history("sales")->size(), 2u);
}

TEST_F(ExtractorsTest, WhoApprovedItAndWhatItWasCanBeAsked) {
  ApprovedExtractor one = extractor("sales", "text");
  one.review = {.by = "Ann", .note = "looked at Q1"};
  one.author = "model";
  one.model = "openai gpt";
  one.draft = "ab000001";
  ASSERT_TRUE(table_->add(std::move(one), nullptr));
  add("sales", "next");
  const auto found = table_->find_by_draft("ab000001").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version, 1);
  EXPECT_EQ(found->review, (ReviewNote{.by = "Ann", .note = "looked at Q1"}));
  EXPECT_EQ(found->author, "model");
  EXPECT_EQ(found->model, "openai gpt");
  EXPECT_FALSE(found->is_signer_revoked);
  EXPECT_FALSE(table_->find_by_draft("ab000002").value());
  EXPECT_FALSE(table_->find_by_draft("ab").value());
}

}  // namespace
}  // namespace airlock::store

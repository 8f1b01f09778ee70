#include "store/draft_table.h"

#include <algorithm>
#include <set>

#include "support/temporary_store.h"

namespace airlock::store {
namespace {

Draft python(std::string text) {
  return {.id = {},
          .kind = OutputKind::kPython,
          .name = "sales",
          .text = std::move(text),
          .samples = {"/data/a.csv", "/data/\xff b.csv"},
          .hint = "the quarter",
          .policy = "extractor"};
}

class DraftsTest : public test::TableTest<Drafts> {
 protected:
  Draft keep(const std::string& text) { return table_->keep(python(text)).value(); }
  std::vector<std::string> texts() {
    std::vector<std::string> found;
    const auto list = table_->list().value();
    for (const Draft& one : list) found.push_back(one.text);
    return found;
  }
  void expect_refused(const auto& result, std::string_view words) {
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  }
  void alter(const std::string& sql) { ASSERT_TRUE(database_->run(sql.c_str())); }
};

TEST_F(DraftsTest, WhatIsKeptComesBackWhole) {
  const Draft kept = keep("def extract(path): ...\n");
  EXPECT_EQ(kept.id.size(), 8u);
  EXPECT_EQ(kept.id.find_first_not_of("0123456789abcdef"), std::string::npos);
  const Draft found = table_->find(kept.id).value();
  EXPECT_EQ(found.text, kept.text);
  EXPECT_EQ(found.samples, kept.samples);
  EXPECT_EQ(found.kind, OutputKind::kPython);
  EXPECT_EQ((std::vector{found.name, found.hint, found.policy}),
            (std::vector<std::string>{"sales", "the quarter", "extractor"}));
  EXPECT_EQ(found.created, kept.created);
}

TEST_F(DraftsTest, ABeginningIsEnoughAsLongAsOnlyOneHasIt) {
  alter(
      "INSERT INTO drafts (id, kind, name, text, samples, hint, policy, created) VALUES"
      " ('ab000001', 'yaml', '', 'x', '', '', '', " +
      std::to_string(clock_.now()) +
      "),"
      " ('ab000002', 'yaml', 'second', 'y', '', '', '', " +
      std::to_string(clock_.now()) + ")");
  EXPECT_EQ(table_->find("AB000002").value().text, "y");
  expect_refused(table_->find("ab00"),
                 "more than one draft begins with 'ab00'. Give more of its id; they are: "
                 "ab000002 (second), ab000001");
  for (const char* slip : {"a", "ab", "AB0"}) {
    expect_refused(table_->find(slip), "an id is given with at least 4 of its characters");
    expect_refused(table_->find(slip), "With these begin: ab000002 (second), ab000001.");
  }
  expect_refused(table_->find("zz"), "there is no draft 'zz': an id is given with at least 4");
  expect_refused(table_->find(""), "there is no draft ''");
  expect_refused(table_->find("ab000003"), "did you mean ab00000");
  expect_refused(table_->find("zz"), "All of them: airlock drafts");
}

TEST_F(DraftsTest, ALetterNamesNoDraftEvenWhenOnlyOneHasIt) {
  const Draft kept = keep("x");
  for (std::size_t length = 1; length < 4; ++length)
    expect_refused(table_->find(kept.id.substr(0, length)), "With these begin: " + kept.id);
  EXPECT_EQ(table_->find(kept.id.substr(0, 4)).value().id, kept.id);
  EXPECT_FALSE(table_->remove({kept.id.substr(0, 1)}));
}

TEST_F(DraftsTest, TheEleventhDropsTheOldest) {
  for (int i = 0; i < 12; ++i) keep(std::to_string(i));
  const auto left = texts();
  EXPECT_EQ(left.size(), kMostDrafts);
  EXPECT_EQ(left.front(), "11");
  EXPECT_EQ(left.back(), "2");
}

TEST_F(DraftsTest, ADayLaterItHasExpired) {
  const Draft kept = keep("old");
  clock_.ahead = kDraftLifeMs - 60000;
  EXPECT_TRUE(table_->find(kept.id));
  clock_.ahead = kDraftLifeMs + 1;
  EXPECT_TRUE(table_->list()->empty());
  expect_refused(table_->find(kept.id), "has expired");
  expect_refused(table_->find(kept.id.substr(0, 4)), "there is no draft");
  keep("new");  // takes it away
  expect_refused(table_->find(kept.id), "there is no draft");
}

TEST_F(DraftsTest, TimesThatNobodyCanHaveCountAsExpired) {
  for (const std::int64_t created : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0},
                                     std::numeric_limits<std::int64_t>::max()})
    EXPECT_TRUE(has_expired(created, clock_.now())) << created;
  EXPECT_FALSE(has_expired(clock_.now() + 1000, clock_.now()));
}

TEST_F(DraftsTest, AChangeIsKeptOnlyWhenNobodyWasQuicker) {
  const Draft kept = keep("one");
  EXPECT_EQ(table_->change(kept, "two").value().text, "two");
  expect_refused(table_->change(kept, "three"), "changed by somebody else");
  EXPECT_EQ(table_->find(kept.id)->text, "two");
}

TEST_F(DraftsTest, AllAreRemovedOrNone) {
  const std::string a = keep("a").id;
  keep("b");
  EXPECT_FALSE(table_->remove({a, "nothing"}));
  EXPECT_EQ(texts().size(), 2u);
  EXPECT_TRUE(table_->remove({a}));
  EXPECT_EQ(texts(), std::vector<std::string>{"b"});
  EXPECT_EQ(table_->clear().value(), 1u);
  EXPECT_TRUE(texts().empty());
}

TEST_F(DraftsTest, SamplesAndTextsAreBounded) {
  Draft many = python("x");
  many.samples.assign(kMostSamples + 5, "/p");
  EXPECT_EQ(table_->keep(many)->samples.size(), kMostSamples);
  many.samples.assign(5, std::string(kMostSampleBytes / 4, 'p'));
  EXPECT_EQ(table_->keep(many)->samples.size(), 4u);
  many.text.assign(kLongestText + 1, 'x');
  expect_refused(table_->keep(many), "longer than 1 MiB");
}

TEST_F(DraftsTest, IdsAreNotGivenTwice) {
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(seen.insert(keep("x").id).second);
}

TEST_F(DraftsTest, RowsOfAnyKindAreRead) {
  const std::string now = std::to_string(clock_.now());
  alter(
      "INSERT INTO drafts (id, kind, name, text, samples, hint, policy, created) VALUES"
      " (x'00ff', 'cobol', x'1b5b', zeroblob(10), x'0000ff', 7, 3.5, " +
      now +
      "),"
      " ('', '', '', '', '', '', '', 'yesterday')");
  const auto list = table_->list();
  ASSERT_TRUE(list);
  EXPECT_EQ(list->size(), 1u);
  EXPECT_EQ(list->front().samples, (std::vector<std::string>{"", "", "\xff"}));
  EXPECT_FALSE(table_->find("\xff"));
}

TEST_F(DraftsTest, WhoWroteItIsKeptWithinBounds) {
  Draft draft = python("x");
  draft.written = {.author = "model",
                   .model = "openai gpt",
                   .prompt = std::string(kLongestPrompt + 5, 'p'),
                   .attempts = std::vector<std::string>(kMostAttempts + 5, std::string("a\0b", 3))};
  const Draft found = table_->find(table_->keep(std::move(draft)).value().id).value();
  EXPECT_EQ(found.written.author, "model");
  EXPECT_EQ(found.written.model, "openai gpt");
  EXPECT_EQ(found.written.prompt.size(), kLongestPrompt);
  EXPECT_EQ(found.written.attempts, std::vector<std::string>(kMostAttempts, "ab"));
  const Draft changed = table_->change(found, "y").value();
  EXPECT_EQ(table_->find(changed.id)->written.author, "model");
}

TEST_F(DraftsTest, ARejectedOneWaitsNoLongerAndKeepsItsReason) {
  const Draft kept = keep("x");
  const RejectedDraft gone =
      table_->reject(kept, {.by = "Ann", .note = "the year\nis wrong"}).value();
  EXPECT_EQ(gone.draft.id, kept.id);
  EXPECT_TRUE(texts().empty());
  const auto rejected = table_->rejected().value();
  ASSERT_EQ(rejected.size(), 1u);
  EXPECT_EQ(rejected.front().draft.text, "x");
  EXPECT_EQ(rejected.front().draft.samples, kept.samples);
  EXPECT_EQ(rejected.front().review, (ReviewNote{.by = "Ann", .note = "the year\nis wrong"}));
  EXPECT_GE(rejected.front().rejected, kept.created);
}

TEST_F(DraftsTest, OnlyWhatWasSeenIsRejected) {
  const Draft kept = keep("x");
  table_->change(kept, "y").value();
  expect_refused(table_->reject(kept, {.note = "no"}), "is gone or was changed");
  EXPECT_EQ(texts(), std::vector<std::string>{"y"});
  EXPECT_TRUE(table_->rejected()->empty());
}

TEST_F(DraftsTest, OfTheRejectedTheNewestStay) {
  for (std::size_t i = 0; i < kMostRejected + 3; ++i)
    table_->reject(keep(std::to_string(i)), {.note = "no"}).value();
  const auto rejected = table_->rejected().value();
  ASSERT_EQ(rejected.size(), kMostRejected);
  EXPECT_EQ(rejected.front().draft.text, std::to_string(kMostRejected + 2));
  EXPECT_EQ(rejected.back().draft.text, "3");
}

}  // namespace
}  // namespace airlock::store

// kill -9 at every write, and a disk that fails at every write, while a draft becomes an extractor:
// whatever the point, there is the draft or the extractor, never both and never neither.
#include <signal.h>

#include "store/draft_table.h"
#include "store/extractor_table.h"
#include "support/store_faults.h"
#include "support/temporary_store.h"

namespace airlock::store {
namespace {

using test::Fault;
using test::in_child;
using test::plan;

class ApprovalFaultsTest : public test::StoreTest {
 protected:
  // One draft that waits, and nothing else.
  void begin() {
    std::filesystem::remove_all(folder_);
    auto database = Database::open(folder_).value();
    draft_ = Drafts(database, clock_)
                 .keep({.kind = OutputKind::kYaml, .text = std::string(9000, 'x')})
                 .value();
  }

  // True when all of it was done.
  bool approve() {
    auto database = Database::open(folder_);
    if (!database) return false;
    return Extractors(*database, clock_)
        .add({.name = "sales", .kind = OutputKind::kYaml, .text = draft_.text}, &draft_)
        .has_value();
  }

  void expect_one_of_both(int nth, std::optional<bool> was_done) {
    auto database = Database::open(folder_);
    ASSERT_TRUE(database) << nth << ": " << database.error().message;
    ASSERT_TRUE(database->check()) << nth;
    const bool is_draft = Drafts(*database, clock_).find(draft_.id).has_value();
    const auto found = Extractors(*database, clock_).find("sales", {}).value();
    EXPECT_NE(is_draft, found.has_value()) << nth;
    if (found) {
      EXPECT_EQ(found->text, draft_.text) << nth;
      EXPECT_EQ(found->version, 1) << nth;
    }
    if (was_done) {
      EXPECT_EQ(*was_done, found.has_value()) << nth;
    }
    // And it goes on from here.
    EXPECT_TRUE(Extractors(*database, clock_).add({.name = "sales", .text = "y"}, nullptr)) << nth;
  }

  void fail_at_every_call(Fault fault) {
    for (int nth = 1;; ++nth) {
      begin();
      bool was_done = false;
      bool was_reached = false;
      {
        const test::SqliteFaults faults;
        plan() = {fault, nth, 0};
        was_done = approve();
        was_reached = plan().calls >= nth;
      }
      // Once the journal has it, a disk that fails afterwards (when it is tidied) takes nothing
      // back.
      expect_one_of_both(nth, was_done);
      if (HasFatalFailure()) return;
      if (was_reached) continue;
      EXPECT_TRUE(was_done);
      EXPECT_GT(nth, 3);
      return;
    }
  }

  Draft draft_;
};

TEST_F(ApprovalFaultsTest, ADiskThatIsFullAtAnyWriteLeavesTheDraft) {
  fail_at_every_call(Fault::kNoSpace);
}

TEST_F(ApprovalFaultsTest, ADiskThatFailsAtAnyWriteLeavesTheDraft) {
  fail_at_every_call(Fault::kBroken);
  fail_at_every_call(Fault::kBrokenForGood);
}

TEST_F(ApprovalFaultsTest, AProcessKilledAtAnyWriteLeavesOneOfBoth) {
  for (int nth = 1;; ++nth) {
    begin();
    const int status = in_child([&] {
      const test::SqliteFaults faults;
      plan() = {Fault::kKill, nth, 0};
      if (!approve()) ::_exit(1);
    });
    expect_one_of_both(nth, {});
    if (HasFatalFailure()) return;
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      EXPECT_GT(nth, 3);
      return;
    }
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
  }
}

TEST_F(ApprovalFaultsTest, ADraftIsThereWholeOrNotAtAll) {
  for (int nth = 1;; ++nth) {
    std::filesystem::remove_all(folder_);
    const int status = in_child([&] {
      const test::SqliteFaults faults;
      plan() = {Fault::kKill, nth, 0};
      auto database = Database::open(folder_);
      if (!database) ::_exit(1);
      Drafts drafts(*database, clock_);
      for (int i = 0; i < 12; ++i)
        if (!drafts.keep({.text = std::to_string(i) + std::string(5000, 'x')})) ::_exit(1);
    });
    auto database = Database::open(folder_);
    ASSERT_TRUE(database) << nth << ": " << database.error().message;
    const auto list = Drafts(*database, clock_).list();
    ASSERT_TRUE(list) << nth;
    EXPECT_LE(list->size(), kMostDrafts) << nth;
    for (const Draft& one : *list) EXPECT_GT(one.text.size(), 5000u) << nth;
    if (WIFEXITED(status)) {
      EXPECT_EQ(list->size(), kMostDrafts);
      return;
    }
  }
}

}  // namespace
}  // namespace airlock::store

#include "engine/approve/receipt.h"

#include <gtest/gtest.h>

#include "engine/policy/policy_file.h"
#include "engine/policy/policy_hash.h"

namespace airlock {
namespace {

const std::string kHost = std::string(AIRLOCK_BINARY_DIR) + "/airlock-host";

ApprovedExtractor approved() {
  ApprovedExtractor one{.name = "sales",
                        .version = 2,
                        .kind = OutputKind::kPython,
                        .text = "code",
                        .samples = {"/a", "/b"},
                        .policy = "extractor",
                        .approved = 1763215000000};
  one.receipt = make_receipt(one, {"policy", "CPython"});
  return one;
}

const Conditions kSame{"policy", "CPython"};

std::string changes(const ApprovedExtractor& one, const Conditions& now = kSame) {
  std::string all;
  for (const std::string& change : check_receipt(one, now).changes) all += change + "\n";
  return all;
}

TEST(ReceiptTest, HoldsWhenNothingHasChanged) {
  EXPECT_TRUE(check_receipt(approved(), kSame).holds());
  EXPECT_EQ(approved().receipt.sha256.size(), 64u);
}

TEST(ReceiptTest, SaysWhatOfTheRowWasAltered) {
  ApprovedExtractor text = approved();
  text.text += " ";
  EXPECT_NE(changes(text).find("the text in the store is not what was approved: sha256 "),
            std::string::npos);
  ApprovedExtractor samples = approved();
  samples.samples = {"/a/b"};
  EXPECT_NE(changes(samples).find("the samples in the store are not"), std::string::npos);
  ApprovedExtractor moved = approved();
  moved.samples = {"/a/", "b"};  // the same letters
  EXPECT_TRUE(check_row(moved).is_store_altered);
}

TEST(ReceiptTest, CoversEveryPartOfItself) {
  const auto altered = [](auto alter) {
    ApprovedExtractor one = approved();
    alter(one);
    return check_row(one).is_store_altered;
  };
  EXPECT_FALSE(altered([](ApprovedExtractor&) {}));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.policy = "node"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.kind = OutputKind::kYaml; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.name = "payroll"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.version = 3; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.receipt.sha256 = "0"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.receipt.policy_sha256 = "0"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.receipt.interpreter = "PyPy"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.receipt.samples_sha256 = "0"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) {
    one.text = "other";
    one.receipt.text_sha256 = make_receipt(one, kSame).text_sha256;
  }));
}

// The same program under two names has two receipts: neither fits in the other's place.
TEST(ReceiptTest, CoversThePeopleWhereTheyAreNamed) {
  ApprovedExtractor named = approved();
  named.review = {.by = "Ann", .note = "fine"};
  named.author = "model";
  named.model = "gpt";
  named.receipt = make_receipt(named, {"policy", "CPython"});
  EXPECT_TRUE(check_receipt(named, kSame).holds());
  EXPECT_NE(named.receipt.sha256, approved().receipt.sha256);
  const auto altered = [&](auto alter) {
    ApprovedExtractor one = named;
    alter(one);
    return check_row(one).is_store_altered;
  };
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.review.by = "Bob"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.review.note = ""; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.author = "person"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) { one.model = "other"; }));
  EXPECT_TRUE(altered([](ApprovedExtractor& one) {
    one.review = {};
    one.author.clear();
    one.model.clear();
  }));
}

TEST(ReceiptTest, OfNobodyIsAsItWasBeforePeopleWereNamed) {
  ApprovedExtractor nobody = approved();
  EXPECT_EQ(nobody.receipt.sha256,
            "fff7a165b16ef75094974536f2a995886f01f7cfeb0cc0ab48e5ebf7eb1a2dbf");
  nobody.review.by = "Ann";
  EXPECT_TRUE(check_row(nobody).is_store_altered);
}

TEST(ReceiptTest, IsForOneNameAndVersion) {
  ApprovedExtractor other = approved();
  other.name = "payroll";
  other.receipt = make_receipt(other, kSame);
  EXPECT_NE(other.receipt.sha256, approved().receipt.sha256);
  std::swap(other.name, other.hint);
  other.name = "sales";
  EXPECT_NE(changes(other).find("is not the one of sales@2"), std::string::npos) << changes(other);
  // Lengths keep the parts apart: "sales" 21 is not "sales2" 1.
  ApprovedExtractor one = approved();
  one.version = 21;
  one.receipt = make_receipt(one, kSame);
  one.name = "sales2";
  one.version = 1;
  EXPECT_TRUE(check_row(one).is_store_altered);
}

TEST(ReceiptTest, SaysWhatOfTheWorldHasChanged) {
  EXPECT_EQ(changes(approved(), {"another", "CPython"}),
            "the policy 'extractor' has changed since sales@2 was approved on 2025-11-15 13:56 "
            "UTC\n");
  EXPECT_EQ(changes(approved(), {"policy", "CPython 4"}),
            "the interpreter has changed since sales@2 was approved on 2025-11-15 13:56 UTC: it "
            "was CPython and is CPython 4\n");
  EXPECT_FALSE(check_receipt(approved(), {"another", "CPython 4"}).is_store_altered);
}

TEST(ReceiptTest, TheConditionsAreThoseOfTheHost) {
  const Conditions now = present_conditions(OutputKind::kPython, "extractor", kHost).value();
  EXPECT_TRUE(now.interpreter.starts_with("CPython 3.11.")) << now.interpreter;
  EXPECT_EQ(now.interpreter.find('\n'), std::string::npos);
  EXPECT_EQ(now.policy_sha256.size(), 64u);
  EXPECT_EQ(present_conditions(OutputKind::kYaml, "", "").value().policy_sha256, "");
  EXPECT_FALSE(present_conditions(OutputKind::kPython, "extractor", "/nowhere/airlock-host"));
  EXPECT_FALSE(present_conditions(OutputKind::kPython, "extractor", "/bin/false"));
  EXPECT_FALSE(present_conditions(OutputKind::kPython, "/nowhere/policy.toml", kHost));
}

TEST(PolicyHashTest, CountsWhatIsAllowedAndNotWhy) {
  const Policy policy = load_policy("extractor").value();
  const std::string before = policy_hash(policy);
  Policy worded = policy;
  worded.summary = "another";
  worded.modules.front().why = "another";
  worded.builtins.front().why = "another";
  std::swap(worded.builtins.front(), worded.builtins.back());
  worded.modules.front().groups.clear();
  EXPECT_EQ(policy_hash(worded), before);
  const auto differs = [&](auto alter) {
    Policy other = policy;
    alter(other);
    return policy_hash(other) != before;
  };
  EXPECT_TRUE(differs([](Policy& one) { one.modules.pop_back(); }));
  EXPECT_TRUE(differs([](Policy& one) { one.modules.front().attributes.emplace_back("more"); }));
  EXPECT_TRUE(differs([](Policy& one) { one.classes.front().attributes.clear(); }));
  EXPECT_TRUE(differs([](Policy& one) { one.builtins.push_back({"open", "why"}); }));
  EXPECT_TRUE(differs([](Policy& one) { one.introspection.clear(); }));
  EXPECT_TRUE(differs([](Policy& one) { one.grants.push_back({"any_python", "why"}); }));
  EXPECT_TRUE(differs([](Policy& one) { one.limits.tree_depth += 1; }));
  EXPECT_TRUE(differs([](Policy& one) { one.preloaded = {"numpy"}; }));
  EXPECT_NE(policy_hash(load_policy("node").value()), before);
}

}  // namespace
}  // namespace airlock

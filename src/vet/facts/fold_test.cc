// What constants add up to, seen through getattr: it says in its message what it folded.
#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

// The text that this expression folds to; "?" when it is not known.
std::string folded(std::string_view expression, std::string_view before = "") {
  const Verdict verdict =
      scan(std::string(before) + "\nx = getattr(1, " + std::string(expression) + ")\n");
  for (const Finding& one : verdict.findings) {
    if (one.rule->code != RuleCode::kDynamicAttribute) continue;
    constexpr std::string_view kBefore = "(it adds up to '";
    const std::size_t at = one.message.find(kBefore);
    if (at == std::string::npos) return "?";
    const std::size_t start = at + kBefore.size();
    return one.message.substr(start, one.message.find("')", start) - start);
  }
  return "no finding";
}

TEST(Fold, PiecesAreAdded) {
  EXPECT_EQ(folded("'ab' + 'cd' + 'ef'"), "abcdef");
  EXPECT_EQ(folded("('a' + 'b') * 3"), "ababab");
  EXPECT_EQ(folded("'a' * 0 + 'b'"), "b");
  EXPECT_EQ(folded("f'a{\"b\"}c'"), "abc");
  EXPECT_EQ(folded("''.join(['a', 'b'])"), "ab");
  EXPECT_EQ(folded("'-'.join(('a', 'b', 'c'))"), "a-b-c");
  EXPECT_EQ(folded("chr(97) + 'b'"), "ab");
  EXPECT_EQ(folded("'AB'.lower() + 'cd'.upper()"), "abCD");
}

TEST(Fold, SlicesCountAsPythonDoes) {
  EXPECT_EQ(folded("'abcdef'[::-1]"), "fedcba");
  EXPECT_EQ(folded("'abcdef'[1:3]"), "bc");
  EXPECT_EQ(folded("'abcdef'[-2:]"), "ef");
  EXPECT_EQ(folded("'abcdef'[:-4]"), "ab");
  EXPECT_EQ(folded("'abcdef'[::2]"), "ace");
  EXPECT_EQ(folded("'abcdef'[4:1:-1]"), "edc");
  EXPECT_EQ(folded("'abcdef'[10:]"), "");
  EXPECT_EQ(folded("'abcdef'[-100:2]"), "ab");
  EXPECT_EQ(folded("'é漢'[::-1]"), "漢é");
}

TEST(Fold, NamesBoundOnceAreFollowed) {
  EXPECT_EQ(folded("a + b", "a = 'x'\nb = 'y'"), "xy");
  EXPECT_EQ(folded("c + '!'", "a = 'x'\nb = a + a\nc = b + a"), "xxx!");
  EXPECT_EQ(folded("a + 'b'", "a = 'x'\na = 'y'"), "?");
  EXPECT_EQ(folded("a + 'b'", "for a in 'xy':\n    pass"), "?");
}

TEST(Fold, ANameInAClassThatTheModuleHasTooIsNotKnown) {
  const Verdict verdict =
      scan("t = str(1)\nclass C:\n    if len(''):\n        t = '{a}'\n    x = t.format(a=1)\n");
  EXPECT_TRUE(has(verdict, RuleCode::kFormatTemplate));
}

TEST(Fold, WhatIsNotConstantIsNotKnown) {
  for (const char* expression :
       {"str(1) + 'a'", "'a' + 1", "'a' % 1", "'a' * 65", "'a' * -1", "f'{1!r}'", "f'{\"a\":>3}'",
        "''.join(x)", "'a'[x:]", "'a'.join('bc')", "chr(-1)", "chr(99999999)", "b'a' + b'b'",
        "'abc'[0]"}) {
    EXPECT_EQ(folded(expression, "x = [1]"), "?") << expression;
  }
}

TEST(Fold, NothingGrowsWithoutEnd) {
  EXPECT_EQ(folded("'" + std::string(60, 'a') + "' * 64 * 64"), "?");
  std::string doubling = "a0 = 'xxxx'\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "a" + std::to_string(i - 1);
    doubling += "a" + std::to_string(i) + " = " + last + " + " + last + "\n";
  }
  EXPECT_EQ(folded("a39 + 'x'", doubling), "?");
  EXPECT_EQ(folded("a + 'x'", "a = b + 'y'\nb = a + 'z'"), "?");
}

TEST(Fold, StepsPastTheEndsDoNotOverflow) {
  EXPECT_EQ(folded("'abc'[1::9223372036854775807]"), "b");
  EXPECT_EQ(folded("'abc'[::-9223372036854775807]"), "c");
  EXPECT_EQ(folded("'abc'[-9223372036854775807::2]"), "ac");
  EXPECT_EQ(folded("'abc'[:9223372036854775807:9223372036854775807]"), "a");
  EXPECT_EQ(folded("'abc'[9223372036854775807::-9223372036854775807]"), "c");
}

TEST(Fold, AFunctionOfOnesOwnIsNotTheBuiltin) {
  EXPECT_EQ(folded("chr(97)", "def chr(n):\n    return 'x'"), "?");
  EXPECT_EQ(folded("__doc__ + 'a'", "if 0:\n    __doc__ = 'x'"), "?");
}

}  // namespace
}  // namespace airlock::vet::test

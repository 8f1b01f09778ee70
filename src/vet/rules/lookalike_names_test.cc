#include <gtest/gtest.h>

#include "support/vetting.h"
#include "vet/rules/judge.h"

namespace airlock::vet::test {

namespace {

std::string message_of(std::string_view code) {
  const Verdict verdict = scan(code);
  for (const Finding& one : verdict.findings) {
    if (one.rule->code == RuleCode::kLookAlike) return one.message;
  }
  return "";
}

}  // namespace

TEST(LookalikeNames, ANameThatMixesScriptsIsRefused) {
  expect_scanned({
      {"p\u0430th = 1\n", {"AL218 p\u0430th 1:0"}},              // Cyrillic a
      {"def f(x\u0430): return 1\n", {"AL218 x\u0430 1:6"}},     // a parameter
      {"class Ro\u0461: pass\n", {"AL218 Ro\u0461 1:0"}},        // Cyrillic omega
      {"d\u03B5lta = 1\n", {"AL218 d\u03B5lta 1:0"}},            // Greek epsilon
      {"\u03B1\u0430 = 1\n", {"AL218 \u03B1\u0430 1:0"}},        // Greek and Cyrillic
      {"\u0585ld = 1\n", {"AL218 \u0585ld 1:0"}},                // Armenian oh
      {"x = dict(k\u0435y=1)\n", {"AL218 k\u0435y 1:9"}},        // the name of an argument
      {"for i\u0442em in []: pass\n", {"AL218 i\u0442em 1:4"}},  // a loop
      {"x = f'{(n\u0430me := 1)}'\n", {"AL218 n\u0430me 1:8"}},  // inside of an f-string
  });
}

TEST(LookalikeNames, ANameOfOneScriptThatLooksLikeAnotherNameIsRefused) {
  expect_scanned({
      {"\u0435\u0445\u0435\u0441 = 1\n", {"AL218 \u0435\u0445\u0435\u0441 1:0"}},  // exec
      {"cop = 1\n\u0441\u043E\u0440 = 2\n", {"AL218 \u0441\u043E\u0440 2:0"}},     // cop
      {"\u0441\u043E\u0440 = 2\ncop = 1\n",
       {"AL218 \u0441\u043E\u0440 1:0"}},                                   // whichever is first
      {"\u03BF = 1\n\u043E = 2\n", {"AL218 \u043E 2:0"}},                   // Greek and Cyrillic o
      {"def f(o):\n    \u043E = 2\n    return o\n", {"AL218 \u043E 2:4"}},  // a parameter
      {"\u0131n = 1\nprint(\u0131n)\n", {"AL218 \u0131n 1:0"}},             // in, without its dot
      {"\u0251bs = 1\n", {"AL218 \u0251bs 1:0"}},                           // the builtin abs
      {"x = 1\nclass A:\n    \u0445 = 2\n", {"AL218 \u0445 3:4"}},          // an attribute
      {"match 1:\n    case [\u0430, a]: pass\n", {"AL218 \u0430 2:10"}},    // a capture
      {"\u0451 = 1\n\u00EB = 2\n", {"AL218 \u00EB 2:0"}},                   // with the same accent
  });
}

TEST(LookalikeNames, ANameThatReadsAsAKeywordIsRefused) {
  expect_scanned({
      {"\uFF49\uFF46 = 1\n", {"AL218 if 1:0"}},  // full-width letters
      {"x = {}\nx.\U0001D426 = 1\n", {}},        // a mathematical m: the name m
      {"def f(\U0001D4FB\U0001D4EE\U0001D4FD\U0001D4FE\U0001D4FB\U0001D4F7): return 1\n",
       {"AL218 return 1:6"}},      // script letters
      {"match = '\u00E9'\n", {}},  // a name as well
  });
}

TEST(LookalikeNames, BothNamesAreSpeltOut) {
  EXPECT_EQ(
      message_of("path = 1\np\u0430th = 2\n"),
      "The name 'p\u0430th' (p<U+0430>th) mixes Latin and Cyrillic letters and looks like the "
      "name 'path'");
  EXPECT_EQ(message_of("\u0435\u0445\u0435\u0441 = 1\n"),
            "The name '\u0435\u0445\u0435\u0441' (<U+0435><U+0445><U+0435><U+0441>), all in "
            "Cyrillic, looks like the builtin 'exec'");
  EXPECT_EQ(message_of("\u03BF = 1\n\u043E = 2\n"),
            "The name '\u043E' (<U+043E>), all in Cyrillic, looks like the name '\u03BF' "
            "(<U+03BF>)");
  EXPECT_EQ(message_of("\u0393x = 1\n"),
            "The name '\u0393x' (<U+0393>x) mixes Greek and Latin letters");
  EXPECT_EQ(message_of("\u0456f = 1\n"),
            "The name '\u0456f' (<U+0456>f) mixes Cyrillic and Latin letters and looks like the "
            "keyword 'if'");
}

TEST(LookalikeNames, NamesOfOneScriptAreFine) {
  expect_accepted({
      "\u0438\u043C\u044F_\u0444\u0430\u0439\u043B\u0430 = 1\n",  // Russian
      "\u03BB_1 = 1\n\u03BC = 2\n\u0394 = 3\n",                   // Greek
      "gr\u00F6\u00DFe = 1\nl\u00E6ngde = 2\nna\u00EFve = 3\n",   // Latin with accents
      "\u540D\u524D = 1\n",                                       // Han
      "\u30D5\u30A1\u30A4\u30EB\u306E\u540D\u524D = 1\n",         // Katakana, Hiragana and Han
      "\u30C7\u30FC\u30BF_csv = 1\n",                             // Japanese with Latin
      "\uD30C\uC77C\u540D = 1\n",                                 // Hangul and Han
      "\u05E9\u05DD = 1\n",                                       // Hebrew
      "\u0627\u0633\u0645 = 1\n",                                 // Arabic
      "\u0928\u093E\u092E = 1\n",                                 // Devanagari with a vowel sign
      "\u0E0A\u0E37\u0E48\u0E2D = 1\n",                           // Thai
      "x = '\u043F\u0443\u0442\u044C p\u0430th'  # p\u0430th\n",  // text is no name
  });
}

TEST(LookalikeNames, WhatPythonReadsAsOneNameIsOneName) {
  expect_accepted({
      "\uFF50\uFF41\uFF54\uFF48 = 1\nprint(path)\n",      // full-width: this is path
      "\U0001D429ath = 1\nprint(path)\n",                 // mathematical bold p
      "\u00B5 = 1\nprint(\u03BC)\n",                      // the micro sign is the Greek mu
      "l1 = 1\nlI = 2\nll = 3\nO0 = 4\nrn = 5\nm = 6\n",  // ASCII is nobody's business
      "l1 = 1\nlI = 2\nm = 6\nrn = 5\n\u540D = 7\n",
  });
}

TEST(LookalikeNames, EachNameIsToldOnce) {
  EXPECT_EQ(errors_of(scan("p\u0430th = 1\nprint(p\u0430th)\np\u0430th += 1\n")),
            std::vector<std::string>({"AL218 p\u0430th 1:0"}));
}

}  // namespace airlock::vet::test

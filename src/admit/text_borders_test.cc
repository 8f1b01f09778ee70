// Text at its borders, for both readers: each length of UTF-8 with its first and last character and
// the bytes just beside them, surrogates as bytes and as escapes in every pairing, byte-order
// marks, NUL, control characters, truncated sequences. Values and keys are judged alike.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "admit/admit.h"
#include "admit/sanitize.h"
#include "admit/strict_json.h"
#include "base/utf8.h"

namespace airlock {
namespace {

using Type = AdmitErrorType;

struct TextCase {
  const char* what;
  std::string bytes;  // as they stand between the quotes
  bool is_text;
};

const std::vector<TextCase>& text_cases() {
  static const std::vector<TextCase> cases = {
      {"the last of one byte", "\x7E", true},
      {"DEL", "\x7F", true},
      {"the first of two", "\xC2\x80", true},
      {"the last of two", "\xDF\xBF", true},
      {"the first of three", "\xE0\xA0\x80", true},
      {"the last before surrogates", "\xED\x9F\xBF", true},
      {"the first behind surrogates", "\xEE\x80\x80", true},
      {"a non-character", "\xEF\xBF\xBF", true},
      {"a byte-order mark inside", "\xEF\xBB\xBF", true},
      {"the first of four", "\xF0\x90\x80\x80", true},
      {"the last of all", "\xF4\x8F\xBF\xBF", true},
      {"two bytes for one, NUL", "\xC0\x80", false},
      {"two bytes for one, slash", "\xC0\xAF", false},
      {"two bytes for one, the last", "\xC1\xBF", false},
      {"three bytes for two", "\xE0\x9F\xBF", false},
      {"three bytes for one", "\xE0\x80\xAF", false},
      {"four bytes for three", "\xF0\x8F\xBF\xBF", false},
      {"four bytes for one", "\xF0\x80\x80\xAF", false},
      {"the first surrogate", "\xED\xA0\x80", false},
      {"the last high surrogate", "\xED\xAF\xBF", false},
      {"the first low surrogate", "\xED\xB0\x80", false},
      {"the last surrogate", "\xED\xBF\xBF", false},
      {"a pair of surrogates (CESU-8)", "\xED\xA0\xBD\xED\xB8\x80", false},
      {"the first beyond all", "\xF4\x90\x80\x80", false},
      {"a lead byte that is none", "\xF5\x80\x80\x80", false},
      {"five bytes", "\xF8\x88\x80\x80\x80", false},
      {"six bytes", "\xFC\x84\x80\x80\x80\x80", false},
      {"FE", "\xFE", false},
      {"FF", "\xFF", false},
      {"a byte that continues nothing", "\x80", false},
      {"another", "\xBF", false},
      {"two bytes, cut", "\xC3", false},
      {"three bytes, cut after two", "\xE2\x82", false},
      {"three bytes, cut after one", "\xE2", false},
      {"four bytes, cut after three", "\xF0\x9F\x98", false},
      {"a lead byte and a letter", "\xC3\x28", false},
      {"a good one and a bad one", "\xC3\xA9\xA9", false},
      {"Latin-1", "caf\xE9", false},
  };
  return cases;
}

// Where a text can stand.
const std::vector<std::function<std::string(const std::string&)>> kPlaces = {
    [](const std::string& text) { return "{\"a\":\"" + text + "\"}"; },
    [](const std::string& text) { return "{\"" + text + "\":1}"; },
    [](const std::string& text) { return "{\"a\":[[\"x" + text + "\"]]}"; },
    [](const std::string& text) { return "{\"a\":{\"x" + text + "x\":{}}}"; },
    // behind enough bytes that a reader of 64 at once meets it at the border of a block
    [](const std::string& text) { return "{\"a\":\"" + std::string(56, 'x') + text + "\"}"; },
    [](const std::string& text) { return "{\"a\":\"" + std::string(57, 'x') + text + "\"}"; },
};

TEST(TextBorders, BothReadersAgreeOnWhatUtf8Is) {
  Admitter admitter;
  StrictJson strict(5);
  for (const TextCase& one : text_cases()) {
    for (const auto& place : kPlaces) {
      const std::string text = place(one.bytes);
      EXPECT_EQ(strict.is_object(text), one.is_text) << one.what;
      const auto admitted = admitter.admit(text, Form::kBare);
      EXPECT_EQ(admitted.has_value(), one.is_text) << one.what;
      if (!admitted) {
        EXPECT_EQ(admitted.error().errors.at(0).type, Type::kEncoding) << one.what;
      }
    }
  }
}

TEST(TextBorders, WhatIsTextIsKeptAsItIs) {
  Admitter admitter;
  Sanitizer sanitizer;
  for (const TextCase& one : text_cases()) {
    if (!one.is_text) continue;
    const auto admitted = admitter.admit("{\"a\":\"<" + one.bytes + ">\"}", Form::kBare);
    ASSERT_TRUE(admitted) << one.what;
    const auto kept = sanitizer.sanitize(*admitted);
    ASSERT_TRUE(kept) << one.what;
    const auto again = admitter.admit(kept->json(), Form::kBare);
    ASSERT_TRUE(again) << one.what;
    EXPECT_EQ(again->document().member("a")->text(), "<" + one.bytes + ">") << one.what;
  }
}

TEST(TextBorders, ATextThatIsNoneIsNeverPartOfAMessage) {
  Admitter admitter;
  for (const TextCase& one : text_cases()) {
    for (const auto& place : kPlaces) {
      const auto admitted = admitter.admit(place("token" + one.bytes), Form::kBare);
      if (admitted) continue;
      for (const AdmitError& error : admitted.error().errors) {
        EXPECT_FALSE(find_invalid_utf8(error.message)) << one.what;
        EXPECT_FALSE(find_invalid_utf8(to_string(error.path))) << one.what;
      }
    }
  }
}

// ---- escapes

enum class Half { kNone, kHigh, kLow };

struct EscapeCase {
  const char* escape;
  Half half;
};

constexpr EscapeCase kUnits[] = {
    {"\\u0041", Half::kNone}, {"\\ud7ff", Half::kNone}, {"\\ud800", Half::kHigh},
    {"\\uDBFF", Half::kHigh}, {"\\udc00", Half::kLow},  {"\\uDFFF", Half::kLow},
    {"\\ue000", Half::kNone}, {"\\uFFFF", Half::kNone}, {"\\n", Half::kNone}};

// Of three units in a row: whether each half has the other right behind it.
bool is_whole(Half first, Half second, Half third) {
  if (first == Half::kLow) return false;
  if (first == Half::kHigh) return second == Half::kLow && third == Half::kNone;
  if (second == Half::kLow) return false;
  if (second == Half::kHigh) return third == Half::kLow;
  return third == Half::kNone;
}

TEST(TextBorders, HalvesOfPairsPassOnlyAsPairs) {
  Admitter admitter;
  StrictJson strict(5);
  for (const EscapeCase& first : kUnits) {
    for (const EscapeCase& second : kUnits) {
      for (const EscapeCase& third : kUnits) {
        const bool is_fine = is_whole(first.half, second.half, third.half);
        const std::string text = std::string(first.escape) + second.escape + third.escape;
        for (const std::string& document : {"{\"a\":\"" + text + "\"}", "{\"" + text + "\":1}"}) {
          EXPECT_EQ(strict.is_object(document), is_fine) << document;
          const auto admitted = admitter.admit(document, Form::kBare);
          EXPECT_EQ(admitted.has_value(), is_fine) << document;
          if (!admitted) {
            EXPECT_EQ(admitted.error().errors[0].type, Type::kEncoding) << document;
          }
        }
      }
    }
  }
}

TEST(TextBorders, AHalfIsNotCompletedByAnythingElse) {
  Admitter admitter;
  StrictJson strict(5);
  for (const char* text : {"\\ud83d", "\\ud83d ", "\\ud83d\\\\ude00", "\\ud83d\\n\\ude00",
                           "\\ud83dude00", "\\ud83d\\u", "\\ud83d\\ude0", "\\ud83d\xED\xB8\x80",
                           "\\ud83d\xF0\x9F\x98\x80", "\\ude00\\ud83d", "\\ud83d\\uDE0G"}) {
    const std::string document = std::string("{\"a\":\"") + text + "\"}";
    EXPECT_FALSE(strict.is_object(document)) << document;
    EXPECT_FALSE(admitter.admit(document, Form::kBare)) << document;
  }
}

TEST(TextBorders, AnEscapeHasOneLetterOrFourHexDigits) {
  Admitter admitter;
  StrictJson strict(5);
  for (int c = 1; c < 256; ++c) {
    const std::string document = std::string("{\"a\":\"\\") + static_cast<char>(c) + "\"}";
    const bool is_known = std::string("\"\\/bfnrt").find(static_cast<char>(c)) != std::string::npos;
    EXPECT_EQ(strict.is_object(document), is_known) << c;
    EXPECT_EQ(admitter.admit(document, Form::kBare).has_value(), is_known) << c;
  }
  for (int c = 1; c < 256; ++c) {
    const auto byte = static_cast<char>(c);
    const bool is_hex = std::string("0123456789abcdefABCDEF").find(byte) != std::string::npos;
    for (std::size_t at = 2; at < 6; ++at) {
      std::string escape = "\\u1111";
      escape[at] = byte;
      const std::string document = "{\"a\":\"" + escape + "\"}";
      EXPECT_EQ(strict.is_object(document), is_hex) << c << " at " << at;
      EXPECT_EQ(admitter.admit(document, Form::kBare).has_value(), is_hex) << c << " at " << at;
    }
  }
}

// ---- what stands outside of strings

TEST(TextBorders, AByteOrderMarkIsNamedWhereverItStands) {
  Admitter admitter;
  StrictJson strict(5);
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& text :
       {mark + "{}", mark + mark + "{}", mark, mark + " {}", " " + mark + "{}", "{" + mark + "}",
        "{}" + mark, "{\"a\":" + mark + "1}", "{\"a\"" + mark + ":1}"}) {
    EXPECT_FALSE(strict.is_object(text)) << text;
    const auto refused = admitter.admit(text, Form::kBare);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().errors[0].type, Type::kEncoding) << text;
    EXPECT_NE(refused.error().errors[0].message.find("byte-order mark"), std::string::npos)
        << refused.error().errors[0].message;
  }
}

TEST(TextBorders, OnlyFourCharactersAreBlanksBetweenValues) {
  Admitter admitter;
  StrictJson strict(5);
  for (int c = 0; c < 256; ++c) {
    const std::string blank(1, static_cast<char>(c));
    const std::string document = "{" + blank + "\"a\"" + blank + ":" + blank + "1" + blank + "}";
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    EXPECT_EQ(admitter.admit(document, Form::kBare).has_value(), is_blank) << c;
    // A cell answers on one line.
    EXPECT_EQ(strict.is_object(document), c == ' ' || c == '\t') << c;
  }
  for (const char* blank : {"\xC2\xA0", "\xE2\x80\xA8", "\xE3\x80\x80", "\xE2\x80\x8B", "\x0B"}) {
    EXPECT_FALSE(admitter.admit(std::string("{") + blank + "}", Form::kBare)) << blank;
    EXPECT_FALSE(strict.is_object(std::string("{") + blank + "}")) << blank;
  }
}

TEST(TextBorders, ANulIsRefusedAtEveryByteOfADocument) {
  Admitter admitter;
  StrictJson strict(5);
  const std::string whole = R"({"a":["b",1,true,null,-1.5,{}],"c":"\u00e9"})";
  ASSERT_TRUE(admitter.admit(whole, Form::kBare));
  for (std::size_t at = 0; at <= whole.size(); ++at) {
    std::string inserted = whole;
    inserted.insert(at, 1, '\0');
    EXPECT_FALSE(strict.is_object(inserted)) << at;
    const auto refused = admitter.admit(inserted, Form::kBare);
    ASSERT_FALSE(refused) << at;
    EXPECT_FALSE(refused.error().errors.empty()) << at;
    if (at == whole.size()) continue;
    std::string replaced = whole;
    replaced[at] = '\0';
    EXPECT_FALSE(strict.is_object(replaced)) << at;
    EXPECT_FALSE(admitter.admit(replaced, Form::kBare)) << at;
  }
}

// Nothing of a text is looked for behind its end: what follows in memory would complete it.
TEST(TextBorders, ATextEndsWhereItEnds) {
  Admitter admitter;
  StrictJson strict(5);
  const std::string whole = R"({"a":["\ud83d\ude00",18446744073709551615,true,false,null]})";
  const std::string_view view = whole;
  ASSERT_TRUE(strict.is_object(view));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(strict.is_object(view.substr(0, size))) << size;
    EXPECT_FALSE(admitter.admit(view.substr(0, size), Form::kBare)) << size;
  }
  for (std::size_t from = 1; from < whole.size(); ++from)
    EXPECT_FALSE(strict.is_object(view.substr(from))) << from;
}

}  // namespace
}  // namespace airlock

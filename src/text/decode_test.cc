#include <gtest/gtest.h>

#include "text/cleaning.h"

namespace airlock::text {
namespace {

using namespace std::literals;

Unrecoverable unrecoverable(std::string_view raw) {
  const Decoded out = decode(raw);
  EXPECT_EQ(out.unrecoverable.size(), 1u) << raw;
  EXPECT_TRUE(out.text.code.empty());
  return out.unrecoverable.empty() ? Unrecoverable{} : out.unrecoverable.front();
}

TEST(Decode, PlainTextIsItsOwnDecoding) {
  const Decoded out = decode("import re\nx = 1");
  EXPECT_EQ(out.text.code, "import re\nx = 1");
  EXPECT_TRUE(out.text.lines.lines.empty());
  EXPECT_TRUE(out.text.changes.empty());
}

TEST(Decode, AByteOrderMarkIsRemovedAndSaid) {
  const Decoded out = decode("\xEF\xBB\xBFx = 1\n");
  EXPECT_EQ(out.text.code, "x = 1\n");
  ASSERT_EQ(out.text.changes.size(), 1u);
  EXPECT_EQ(out.text.changes[0].rule, RuleCode::kByteOrderMarkRemoved);
}

TEST(Decode, LineEndsBecomeLineFeeds) {
  const Decoded out = decode("a\nb\r\nc\rd\r\r\n");
  EXPECT_EQ(out.text.code, "a\nb\nc\nd\n\n");
  ASSERT_EQ(out.text.changes.size(), 1u);
  EXPECT_EQ(out.text.changes[0].raw_line, 2u);
  EXPECT_EQ(out.text.changes[0].message,
            "Changed 2 CR LF line ends and 2 lone CR line ends to LF, from line 2 on");
}

TEST(Decode, FormFeedsAndTabsAreLeftAlone) {
  EXPECT_EQ(decode("\fx\t= 1\n").text.code, "\fx\t= 1\n");
}

TEST(Decode, NothingIsNoCode) {
  EXPECT_EQ(unrecoverable("").rule, RuleCode::kNoCode);
  EXPECT_EQ(unrecoverable(" \n\t\r\n").rule, RuleCode::kNoCode);
  EXPECT_EQ(unrecoverable("\xEF\xBB\xBF").rule, RuleCode::kNoCode);
}

TEST(Decode, Utf16IsNamedByItsMark) {
  const Unrecoverable out = unrecoverable("\xFF\xFEx\0"sv);
  EXPECT_EQ(out.rule, RuleCode::kNotUtf8);
  EXPECT_EQ(out.message, "The text is UTF-16 (little-endian), not UTF-8");
}

TEST(Decode, Utf32IsNotTakenForUtf16) {
  EXPECT_EQ(unrecoverable("\xFF\xFE\0\0x\0\0\0"sv).item, "UTF-32");
  EXPECT_EQ(unrecoverable("\0\0\xFE\xFF\0\0\0x"sv).item, "UTF-32");
}

TEST(Decode, Utf16WithoutAMarkIsKnownByItsNulBytes) {
  EXPECT_EQ(unrecoverable("i\0m\0p\0o\0r\0t\0"sv).message,
            "The text is UTF-16 (little-endian), not UTF-8");
  EXPECT_EQ(unrecoverable("\0i\0m\0p\0o\0r\0t"sv).message,
            "The text is UTF-16 (big-endian), not UTF-8");
}

TEST(Decode, ABadByteIsSaidWithItsPlace) {
  const Unrecoverable out = unrecoverable("x = 1\r\ny = '\xE9'\n");
  EXPECT_EQ(out.rule, RuleCode::kNotUtf8);
  EXPECT_EQ(out.item, "0xE9");
  EXPECT_EQ(out.raw_line, 2u);
  EXPECT_EQ(out.raw_column, 5u);
  EXPECT_EQ(out.message, "The byte 0xE9 on line 2, column 6 is not UTF-8");
}

TEST(Decode, ANulByteIsSaidWithItsPlace) {
  const Unrecoverable out = unrecoverable("import re\nx = '\0 and a longer tail'\n"sv);
  EXPECT_EQ(out.rule, RuleCode::kNulByte);
  EXPECT_EQ(out.raw_line, 2u);
  EXPECT_EQ(out.raw_column, 5u);
}

TEST(Decode, KnownFileFormatsAreCalledByName) {
  EXPECT_EQ(unrecoverable("\x7F"
                          "ELF\x02\x01\0\0"sv)
                .message,
            "This is an ELF program, not text");
  EXPECT_EQ(unrecoverable("\x89PNG\r\n\x1A\n"sv).message, "This is a PNG image, not text");
  EXPECT_EQ(unrecoverable("PK\x03\x04rest"sv).message, "This is a ZIP archive, not text");
  EXPECT_EQ(unrecoverable("\x1F\x8B\x08"sv).message, "This is gzip data, not text");
}

TEST(Decode, ManyControlBytesAreBinaryData) {
  EXPECT_EQ(unrecoverable("\x01\x02\x03 abc").rule, RuleCode::kNotUtf8);
  EXPECT_EQ(unrecoverable("\x01\x02\x03\0 abc"sv).rule, RuleCode::kNulByte);
}

TEST(Decode, AForeignEncodingDeclarationIsRefused) {
  const Unrecoverable out = unrecoverable("#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = 1\n");
  EXPECT_EQ(out.rule, RuleCode::kEncodingDeclaration);
  EXPECT_EQ(out.raw_line, 2u);
  EXPECT_EQ(out.item, "latin-1");
}

TEST(Decode, AHeadingIsNoEncodingDeclaration) {
  EXPECT_TRUE(decode("# Decoding: the plan\n\n```python\nx = 1\n```\n").unrecoverable.empty());
  EXPECT_TRUE(decode("# Coding: step-by-step\n\n```python\nx = 1\n```\n").unrecoverable.empty());
}

TEST(Decode, AFenceMakesNoHeadingOfAnEncodingDeclaration) {
  for (const char* name : {"latin-1", "cp1252", "utf-7", "UTF-16", "Shift_JIS",
                           "raw-unicode-escape", "mac.roman", "iso-8859-1-unix"}) {
    EXPECT_EQ(unrecoverable("# coding: "s + name + "\n'''\n```python\nx = 1\n```\n'''\n").rule,
              RuleCode::kEncodingDeclaration)
        << name;
  }
}

TEST(AsItStands, AByteOrderMarkAndLineEndsMakeNoDifference) {
  EXPECT_TRUE(is_as_it_stands("a\n", "a\n"));
  EXPECT_TRUE(
      is_as_it_stands("\xEF\xBB\xBF"
                      "a\r\nb\rc",
                      "a\nb\nc"));
  EXPECT_TRUE(is_as_it_stands("", ""));
  for (const char* code : {"a\n", "a", "a\nb ", " a\nb", "a\n\nb"})
    EXPECT_FALSE(is_as_it_stands("a\r\nb", code)) << code;
}

TEST(EncodingDeclaration, EveryWayToSayUtf8IsFine) {
  for (const char* name : {"utf-8", "UTF-8", "utf8", "utf_8", "u8", "utf-8-sig", "utf-8-unix"}) {
    EXPECT_FALSE(bad_encoding_declaration("# coding: "s + name + "\n")) << name;
  }
}

TEST(EncodingDeclaration, AsciiIsFineForAsciiText) {
  EXPECT_FALSE(bad_encoding_declaration("# coding=ascii\nx = 1\n"));
  EXPECT_TRUE(bad_encoding_declaration("# coding=ascii\nx = '\u00E9'\n"));
}

TEST(EncodingDeclaration, OtherCodecsAreNot) {
  for (const char* name :
       {"utf-7", "raw_unicode_escape", "latin-1", "cp1252", "utf-16", "utf-80"}) {
    EXPECT_TRUE(bad_encoding_declaration("# vim: set fileencoding="s + name + " :\n")) << name;
  }
}

TEST(EncodingDeclaration, OnlyTheFirstTwoLinesCount) {
  EXPECT_TRUE(bad_encoding_declaration("\n# coding: utf-7\n"));
  EXPECT_FALSE(bad_encoding_declaration("\n\n# coding: utf-7\n"));
  EXPECT_FALSE(bad_encoding_declaration("x = 1\n# coding: utf-7\n"));
  EXPECT_FALSE(bad_encoding_declaration("x = 1 # coding: utf-7\n"));
}

TEST(EncodingDeclaration, TheFirstLineThatDeclaresDecides) {
  EXPECT_FALSE(bad_encoding_declaration("# coding: utf-8\n# coding: utf-7\n"));
}

TEST(EncodingDeclaration, TheWordMustBeFollowedByASign) {
  EXPECT_FALSE(bad_encoding_declaration("# coding is fun\n"));
  EXPECT_TRUE(bad_encoding_declaration("# coding coding:\tkoi8-r\n"));
}

}  // namespace
}  // namespace airlock::text

// Which lines make a piece, with an answer made up for each question to the parser.
#include "present/prompt/piece_input.h"

#include <gtest/gtest.h>

#include "present/prompt/artifact_folder.h"
#include "present/prompt/questions.h"

namespace airlock::prompt {
namespace {

PieceInput::Ask always(Completeness answer) {
  return [answer](std::string_view) -> Result<Completeness> { return answer; };
}

bool add(PieceInput& piece, std::string_view line, Completeness answer,
         LineKind kind = LineKind::kTyped) {
  return piece.add(line, kind, always(answer)).value();
}

TEST(PieceInput, AStatementEndsWithItsLine) {
  PieceInput piece;
  EXPECT_TRUE(add(piece, "x = 1", Completeness::kWhole));
  EXPECT_EQ(piece.take(), "x = 1\n");
  EXPECT_TRUE(piece.is_empty());
}

TEST(PieceInput, ABlankLineIsNoPiece) {
  PieceInput piece;
  EXPECT_FALSE(add(piece, "  ", Completeness::kWhole));
  EXPECT_TRUE(piece.is_empty());
}

TEST(PieceInput, ABlockEndsWithAnEmptyLine) {
  for (const char* first : {"if x: pass", "for i in x: pass", "@decorated", "async def f(): pass",
                            "match x:", "class A: pass"}) {
    PieceInput piece;
    EXPECT_FALSE(add(piece, first, Completeness::kWhole)) << first;
    EXPECT_FALSE(add(piece, "    ", Completeness::kWhole)) << first;
    EXPECT_TRUE(add(piece, "", Completeness::kWhole)) << first;
  }
  for (const char* line : {"iffy()", "x = [1,", "match(x)", "forty = 1", "# if"}) {
    PieceInput piece;
    EXPECT_TRUE(add(piece, line, Completeness::kWhole)) << line;
  }
}

TEST(PieceInput, WhatIsOpenGoesOnOverEmptyLines) {
  PieceInput piece;
  EXPECT_FALSE(add(piece, "x = '''", Completeness::kOpen));
  EXPECT_FALSE(add(piece, "", Completeness::kOpen));
  EXPECT_TRUE(add(piece, "'''", Completeness::kWhole));
}

TEST(PieceInput, ABlockThatIsMissingIsToldAfterAnEmptyLine) {
  PieceInput piece;
  EXPECT_FALSE(add(piece, "if x:", Completeness::kBlock));
  EXPECT_TRUE(add(piece, "", Completeness::kBlock));
}

TEST(PieceInput, AMistakeIsToldAtOnce) {
  PieceInput piece;
  EXPECT_TRUE(add(piece, "def f(:", Completeness::kWrong));
}

TEST(PieceInput, APasteIsOnePiece) {
  PieceInput piece;
  for (const char* line : {"def f():", "    return 1", "", "f()"})
    EXPECT_FALSE(add(piece, line, Completeness::kWhole, LineKind::kPasted));
  EXPECT_TRUE(add(piece, "f()", Completeness::kWhole));
  EXPECT_FALSE(add(piece, "x = 1", Completeness::kWhole, LineKind::kPasted));
}

TEST(PieceInput, ALongTextIsAskedAboutWhenNothingMoreIsWaiting) {
  PieceInput piece;
  int asked = 0;
  const PieceInput::Ask count = [&](std::string_view) -> Result<Completeness> {
    ++asked;
    return Completeness::kOpen;
  };
  const std::string line(1000, 'x');
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(piece.add(line, LineKind::kFollowed, count).value());
  EXPECT_LT(asked, 70);
  EXPECT_FALSE(piece.add(line, LineKind::kTyped, count).value());
  EXPECT_LT(asked, 71);
}

TEST(SplitPieces, KnowTheirLines) {
  const auto pieces = split_pieces("a = 1\n\n# %% second\nb\n#%%\n\n# %%\n  \nc");
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].code, "a = 1\n\n");
  EXPECT_EQ(pieces[1].code, "# %% second\nb\n");
  EXPECT_EQ(pieces[1].line, 3U);
  EXPECT_EQ(pieces[3].line, 7U);
  EXPECT_TRUE(split_pieces(" \n\n").empty());
  EXPECT_EQ(split_pieces("x").front().code, "x");
}

TEST(ArtifactNames, OnlyPlainOnes) {
  for (const char* name : {"a", "a.png", "a/b.txt", ".hidden", "東京.csv", "a b"})
    EXPECT_TRUE(is_plain_artifact_name(name)) << name;
  for (const char* name :
       {"", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\nb", "a\x1b[2J", "a\xff", "a\u202eb"})
    EXPECT_FALSE(is_plain_artifact_name(name)) << name;
}

TEST(Questions, AreNamesWithAMarkBehindThem) {
  EXPECT_EQ(asked_name("x?"), "x");
  EXPECT_EQ(asked_name("a.b_c? "), "a.b_c");
  EXPECT_EQ(asked_name("größe?"), "größe");
  for (const char* line : {"?", "x", "f(1)?", "1?", ".a?", "a.?", "a b?", "'x'?", "x\\?"})
    EXPECT_FALSE(asked_name(line)) << line;
}

}  // namespace
}  // namespace airlock::prompt

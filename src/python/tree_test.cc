#include "python/tree.h"

#include <gtest/gtest.h>

#include <string>

#include "python/sequence.h"
#include "support/running_interpreter.h"

namespace airlock::python {
namespace {

// "SyntaxError 1:4-1:5 expected ':'", or "a tree".
std::string said(const std::string& code) {
  test::start_interpreter();
  const auto parsed = parse(code);
  const auto* problem = std::get_if<SyntaxProblem>(&parsed);
  if (problem == nullptr) return "a tree";
  const Place& place = problem->place;
  return problem->type + " " + std::to_string(place.line) + ":" + std::to_string(place.column) +
         "-" + std::to_string(place.end_line) + ":" + std::to_string(place.end_column) + " " +
         problem->message;
}

TEST(Tree, GoodCodeGivesATree) {
  EXPECT_EQ(said("x = 1\n"), "a tree");
  EXPECT_EQ(said(""), "a tree");
  EXPECT_EQ(said("x = 1"), "a tree") << "the last line need not end";
}

TEST(Tree, NodesSayWhereTheyStand) {
  test::start_interpreter();
  auto parsed = parse("x = 1\n\nif x:\n    y = 2\n");
  const auto& tree = std::get<Tree>(parsed);
  const auto body = items(tree.module()->v.Module.body);
  ASSERT_EQ(body.size(), 2u);
  EXPECT_EQ(place_of(body[1]), (Place{3, 0, 4, 9}));
}

TEST(Tree, ATreeOutlivesItsText) {
  test::start_interpreter();
  auto parsed = [] { return parse(std::string("naïve_name = 1\n")); }();
  Tree moved = std::move(std::get<Tree>(parsed));
  stmt_ty node = items(moved.module()->v.Module.body)[0];
  EXPECT_EQ(text_of(items(node->v.Assign.targets)[0]->v.Name.id), "naïve_name");
}

TEST(Tree, MistakesAreInTheParsersOwnWords) {
  EXPECT_EQ(said("def f()\n    pass\n"), "SyntaxError 1:7-1:8 expected ':'");
  EXPECT_EQ(said("x = (1\n"), "SyntaxError 1:4-1:5 '(' was never closed");
  EXPECT_EQ(said("x = 'a\n"),
            "SyntaxError 1:4-1:5 unterminated string literal (detected at line 1)");
  EXPECT_EQ(said("print 1\n"),
            "SyntaxError 1:0-1:7 Missing parentheses in call to 'print'. Did you mean print(...)?");
}

TEST(Tree, IndentationHasItsOwnTypes) {
  EXPECT_EQ(said("if x:\ny = 1\n"),
            "IndentationError 2:0-2:1 expected an indented block after 'if' statement on line 1");
  EXPECT_EQ(said("x = 1\n  y = 2\n"), "IndentationError 2:1-2:2 unexpected indent");
  EXPECT_TRUE(said("if x:\n\ty = 1\n        z = 2\n").starts_with("TabError 3:"));
}

TEST(Tree, ColumnsCountBytesAlsoBehindOtherLetters) {
  // Each é has two bytes: the bracket is character 10 and byte 13.
  EXPECT_EQ(said("ééé = 1 + (2\n").substr(0, 21), "SyntaxError 1:13-1:14");
  EXPECT_EQ(said("x = '😀' y\n").substr(0, 21), "SyntaxError 1:11-1:12");
  EXPECT_EQ(said("é\né = = 1\n").substr(0, 19), "SyntaxError 2:5-2:6");
}

TEST(Tree, AMistakeInALaterLineIsMeasuredInThatLine) {
  EXPECT_EQ(said("a = 1\nb = 2\nc = ?\n").substr(0, 19), "SyntaxError 3:4-3:5");
}

TEST(Tree, DeepNestingEndsTheParserNotTheProcess) {
  EXPECT_EQ(said("x = " + std::string(100000, '-') + "1\n"),
            "MemoryError 1:0-1:0 the expression is nested too deeply to be parsed");
  EXPECT_TRUE(said("x = " + std::string(5000, '(') + std::string(5000, ')') + "\n")
                  .starts_with("SyntaxError"));
  EXPECT_TRUE(said("x = " + std::string(3000, '[')).starts_with("SyntaxError"));
}

TEST(Tree, AfterAMistakeTheParserIsAsBefore) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_NE(said("x = = 1\n"), "a tree");
    EXPECT_EQ(said("x = 1\n"), "a tree");
  }
  EXPECT_EQ(PyErr_Occurred(), nullptr);
}

TEST(Tree, AnEncodingDeclarationIsIgnored) {
  EXPECT_EQ(said("# -*- coding: latin-1 -*-\nx = 'é'\n"), "a tree");
  EXPECT_EQ(said("# coding: no-such-codec\nx = 1\n"), "a tree");
}

TEST(Tree, AWarningIsNoMistake) {
  EXPECT_EQ(said("x = '\\d'\n"), "a tree");
  EXPECT_EQ(said("x = 1 is 1\n"), "a tree");
}

TEST(Tree, TextWithoutAUtf8FormIsEmpty) {
  test::start_interpreter();
  auto parsed = parse("'\\ud800'\n");
  stmt_ty node = items(std::get<Tree>(parsed).module()->v.Module.body)[0];
  EXPECT_EQ(text_of(node->v.Expr.value->v.Constant.value), "");
  EXPECT_EQ(PyErr_Occurred(), nullptr);
}

TEST(Tree, IdentifiersAreNormalised) {
  test::start_interpreter();
  auto parsed = parse("ｅｖａｌ\n");
  stmt_ty node = items(std::get<Tree>(parsed).module()->v.Module.body)[0];
  EXPECT_EQ(text_of(node->v.Expr.value->v.Name.id), "eval");
}

}  // namespace
}  // namespace airlock::python

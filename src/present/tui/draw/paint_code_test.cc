#include "present/tui/draw/paint_code.h"

#include <gtest/gtest.h>

#include <random>

namespace airlock::tui {
namespace {

// One letter an ink, under the text: k keyword, d definition, s string, n number, c comment.
std::string inks(std::string_view text, OutputKind kind) {
  std::string out;
  for (const Line& line : paint_code(text, kind)) {
    for (const InkSpan& span : line) {
      const char letter = span.ink == Ink::kKeyword      ? 'k'
                          : span.ink == Ink::kDefinition ? 'd'
                          : span.ink == Ink::kString     ? 's'
                          : span.ink == Ink::kNumber     ? 'n'
                          : span.ink == Ink::kComment    ? 'c'
                                                         : '.';
      out.append(span.text.size(), letter);
    }
    out += '\n';
  }
  return out;
}

std::string python(std::string_view text) {
  return inks(text, OutputKind::kPython);
}

std::string yaml(std::string_view text) {
  return inks(text, OutputKind::kYaml);
}

TEST(PythonColours, TellWhatIsWhat) {
  EXPECT_EQ(python("def f(x):"), "kkk.d....\n");
  EXPECT_EQ(python("return 3.5 # x"), "kkkkkk.nnn.ccc\n");
  EXPECT_EQ(python("a = rb'x#' + 'y'"), "....ssssss...sss\n");
  EXPECT_EQ(python("deft = classy"), ".............\n");
}

TEST(PythonColours, FollowStringsOverLines) {
  EXPECT_EQ(python("x = '''a\n# b\nc''' + 1"), "....ssss\nsss\nssss...n\n");
  EXPECT_EQ(python("'a\\'b' if"), "ssssss.kk\n");
  EXPECT_EQ(python("'open\nif"), "sssss\nkk\n");
  EXPECT_EQ(python("\"\"\"doc\"\"\"\nif"), "sssssssss\nkk\n");
  EXPECT_EQ(python("'''a\\'''\nb'''\nif"), "ssssssss\nssss\nkk\n");
}

TEST(YamlColours, TellWhatIsWhat) {
  EXPECT_EQ(yaml("version: 1"), "ddddddd..n\n");
  EXPECT_EQ(yaml("  - name: \"a: b\" # c"), "....dddd..ssssss.ccc\n");
  EXPECT_EQ(yaml("x: {from: true, a: b#c}"), "d...dddd..kkkk..d......\n");
  EXPECT_EQ(yaml("'it''s': x"), "sssssss...\n");
}

TEST(Colours, KeepEveryCharacterOfAnyText) {
  std::mt19937 random(11);  // the same texts every time
  const std::string alphabet = "ab1'\"\\#: -\n\t{}@\xff\xe6\x9d\xb1rf";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t left = random() % 40; left > 0; --left) {
      text += alphabet[random() % alphabet.size()];
    }
    for (const OutputKind kind : {OutputKind::kPython, OutputKind::kYaml}) {
      std::vector<std::string> lines;
      for (const Line& line : paint_code(text, kind)) {
        lines.emplace_back();
        for (const InkSpan& span : line) lines.back() += span.text;
      }
      EXPECT_EQ(lines, lines_of(text));
    }
  }
}

}  // namespace
}  // namespace airlock::tui

// Keys of a terminal as bytes, and what the line is afterwards.
#include "present/prompt/line_editor.h"

#include <gtest/gtest.h>

namespace airlock::prompt {
namespace {

// The text, with | where the cursor is.
std::string after(std::string_view keys) {
  LineEditor editor;
  const auto step = editor.feed(keys);
  EXPECT_EQ(step.taken, keys.size());
  std::string text = editor.text();
  return text.insert(editor.cursor(), "|");
}

TEST(LineEditor, TakesWhatIsTyped) {
  EXPECT_EQ(after("print(1)"), "print(1)|");
  EXPECT_EQ(after("東京é"), "東京é|");
  EXPECT_EQ(after("a\tb"), "a    b|");
}

TEST(LineEditor, MovesByCharactersNotBytes) {
  EXPECT_EQ(after("a東\x1b[D"), "a|東");
  EXPECT_EQ(after("a東\x1b[D\x1b[D\x1b[C"), "a|東");
  EXPECT_EQ(after("xe\u0301\x1bOD"), "x|e\u0301");
  EXPECT_EQ(after("a\xff\xfe\x02"), "a\xff|\xfe");
}

TEST(LineEditor, KnowsTheKeysOfAShell) {
  EXPECT_EQ(after("abc\x01x"), "x|abc");
  EXPECT_EQ(after("abc\x1b[Hx\x1b[Fy"), "xabcy|");
  EXPECT_EQ(after("abc\x1b[1~x\x1b[4~y"), "xabcy|");
  EXPECT_EQ(after("abc\x7f\x08"), "a|");
  EXPECT_EQ(after("abc\x01\x1b[3~"), "|bc");
  EXPECT_EQ(after("abc\x01\x04"), "|bc");
  EXPECT_EQ(after("ab cd\x02\x0b"), "ab c|");
  EXPECT_EQ(after("ab cd\x02\x15"), "|d");
  EXPECT_EQ(after("ab cd ef\x17\x17"), "ab |");
  EXPECT_EQ(after("ab cd\x15xy\x19"), "xyab cd|");
  EXPECT_EQ(after("ab cd\x1b[1;5D\x1b[1;5D"), "|ab cd");
  EXPECT_EQ(after("ab cd\x01\x1b"
                  "f"),
            "ab| cd");
}

TEST(LineEditor, NothingHappensAtTheEnds) {
  EXPECT_EQ(after("\x7f\x1b[D\x1b[C\x1b[A\x1b[B\x0b\x15\x17\x19"), "|");
}

TEST(LineEditor, AnUnknownSequenceIsNoText) {
  EXPECT_EQ(after("a\x1b[99;99zb\x1b[?1;2cc"), "abc|");
  EXPECT_EQ(after(std::string("a\x1b[") + std::string(100, '1') + "m"),
            after("a" + std::string(70, '1') + "m"));
}

TEST(LineEditor, SaysWhatIsAskedOfTheCaller) {
  LineEditor editor;
  EXPECT_EQ(editor.feed("\x04").event, LineEvent::kEnded);
  EXPECT_EQ(editor.feed("\x03").event, LineEvent::kInterrupted);
  EXPECT_EQ(editor.feed("\x1a").event, LineEvent::kSuspended);
  EXPECT_EQ(editor.feed("\x0c").event, LineEvent::kCleared);
  const auto step = editor.feed("ab\rcd");
  EXPECT_EQ(step.event, LineEvent::kEntered);
  EXPECT_EQ(step.taken, 3U);
  EXPECT_EQ(editor.take(), "ab");
  EXPECT_EQ(editor.text(), "");
}

TEST(LineEditor, HistoryKeepsTheNewLine) {
  LineEditor editor;
  for (const char* line : {"one\r", "two\r", "two\r", "  \r"}) {
    editor.feed(line);
    editor.take();
  }
  editor.feed("new\x1b[A");
  EXPECT_EQ(editor.text(), "two");
  editor.feed("\x1b[A\x1b[A\x1b[A");
  EXPECT_EQ(editor.text(), "one");
  editor.feed("\x0e\x0e\x0e");
  EXPECT_EQ(editor.text(), "new");
}

TEST(LineEditor, APasteIsTextWhateverIsInIt) {
  LineEditor editor;
  std::string_view bytes = "\x1b[200~a\tb\x03\x1b[A\r\nc\n\x1b[201~d";
  auto step = editor.feed(bytes);
  EXPECT_EQ(step.event, LineEvent::kPasted);
  EXPECT_EQ(editor.take(), "a\tb\x03\x1b[A");
  bytes.remove_prefix(step.taken);
  step = editor.feed(bytes);
  EXPECT_EQ(step.event, LineEvent::kPasted);
  EXPECT_EQ(editor.take(), "c");
  bytes.remove_prefix(step.taken);
  EXPECT_EQ(editor.feed(bytes).event, LineEvent::kNone);
  EXPECT_EQ(editor.text(), "d");
  EXPECT_EQ(editor.feed("\r").event, LineEvent::kEntered);
}

TEST(LineEditor, BytesMayComeOneByOne) {
  LineEditor editor;
  for (const char byte : std::string_view("東\x1b[D\x1b[200~x\x1b[201~y\xff"))
    EXPECT_EQ(editor.feed(std::string_view(&byte, 1)).event, LineEvent::kNone);
  EXPECT_EQ(editor.text(), "xy\xff東");
}

TEST(LineEditor, EverySequenceOfTwoBytesLeavesTheCursorInTheText) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      LineEditor editor;
      editor.feed("a東");
      const char bytes[] = {'\x1b', static_cast<char>(first), static_cast<char>(second), 'D',
                            '\x02'};
      for (std::string_view left(bytes, sizeof bytes); !left.empty();)
        left.remove_prefix(editor.feed(left).taken);
      ASSERT_LE(editor.cursor(), editor.text().size());
    }
  }
}

}  // namespace
}  // namespace airlock::prompt

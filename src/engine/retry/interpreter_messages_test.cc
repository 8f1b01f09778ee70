#include "engine/retry/interpreter_messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/ascii.h"
#include "engine/retry/message_table.h"

namespace airlock {
namespace {

constexpr std::string_view kCode =
    "import re\n"
    "class LayoutError(ValueError):\n    pass\n"
    "class  Reader :\n    def parse(self, path, strict): ...\n"
    "def extract(path):\n"
    "    year = MONTHS['jan'] + 1999\n"
    "    return {'start': re.search(r'Q(\\d)', path).group(1)}\n";
constexpr std::string_view kPath = "/data/CLIENT-ABC/2024/Q1/it's \xc3\xa9.csv";
constexpr KnownText kKnown{kCode, kPath};

std::string told(std::string_view message, std::string_view type = "ValueError") {
  return known_message(type, message, kKnown).value_or("(not told)");
}

TEST(KnownMessage, WithoutGapsIsToldAsItIs) {
  for (const char* message :
       {"list index out of range", "division by zero", "no such group",
        "Single '}' encountered in format string", "Single '{' encountered in format string",
        "month must be in 1..12", "Execution timed out after 5.0s"})
    EXPECT_EQ(told(message), message);
  for (const char* message : {"list index out of range!", "List index out of range", "", " ",
                              "list index out of range\nzebra", "xlist index out of range"})
    EXPECT_EQ(told(message), "(not told)") << message;
}

TEST(KnownMessage, IsFilledWithWhatStandsInThePathOrTheCode) {
  EXPECT_EQ(told("invalid literal for int() with base 10: 'Q1'"),
            "invalid literal for int() with base 10: 'Q1'");
  EXPECT_EQ(told("could not convert string to float: 'ABC'"),
            "could not convert string to float: 'ABC'");
  EXPECT_EQ(told("could not convert string to float: \"it's \xc3\xa9\""),
            "could not convert string to float: \"it's \xc3\xa9\"");
  EXPECT_EQ(told("could not convert string to float: 'it\\'s \\xe9'"),
            "could not convert string to float: 'it\\'s \\xe9'");
  EXPECT_EQ(told("could not convert string to float: ''"), "could not convert string to float: ''");
  EXPECT_EQ(told("time data 'Q1' does not match format '%Y'"),
            "time data 'Q1' does not match format …");
}

TEST(KnownMessage, LeavesOutWhatNobodyKnows) {
  for (const char* value : {"'zebra'", "'CBA'", "'414243'", "'65,66,67'", "'abc'", "'A'", "'ABC",
                            "ABC'x", "'ABC' zebra", "b'\\xff'", "('ABC', 1)", "4711", "-4711",
                            "47.11", "'\\", "'ABC\\'", "1e9", "2023"})
    EXPECT_EQ(told("could not convert string to float: " + std::string(value)),
              "could not convert string to float: …")
        << value;
}

TEST(KnownMessage, NumbersAreThoseThatStandThereOrAreSmall) {
  EXPECT_EQ(told("not enough values to unpack (expected 2, got 1)"),
            "not enough values to unpack (expected 2, got 1)");
  EXPECT_EQ(told("not enough values to unpack (expected 12, got 10)"),
            "not enough values to unpack (expected …, got …)");
  EXPECT_EQ(told("year 2024 is out of range"), "year 2024 is out of range");
  EXPECT_EQ(told("year 1999 is out of range"), "year 1999 is out of range");
  EXPECT_EQ(told("year 202 is out of range"), "year … is out of range");
  EXPECT_EQ(told("year 99 is out of range"), "year … is out of range");
  EXPECT_EQ(told("year zebra is out of range"), "year … is out of range");
}

TEST(KnownMessage, NamesAndTypesAreTheCodesOrTheInterpreters) {
  EXPECT_EQ(told("'NoneType' object has no attribute 'group'"),
            "'NoneType' object has no attribute 'group'");
  EXPECT_EQ(told("'Reader' object has no attribute 'groups'"),
            "'Reader' object has no attribute '…'");
  EXPECT_EQ(told("'zebra' object has no attribute 'search'"),
            "'…' object has no attribute 'search'");
  EXPECT_EQ(told("Reader.parse() missing 2 required positional arguments: 'path' and 'strict'"),
            "Reader.parse() missing 2 required positional arguments: 'path' and 'strict'");
  EXPECT_EQ(told("Reader.zebra() missing 1 required positional argument: 'zebra'"),
            "…() missing 1 required positional argument: …");
  EXPECT_EQ(told("unsupported operand type(s) for +: 'int' and 'datetime.date'"),
            "unsupported operand type(s) for +: 'int' and 'datetime.date'");
  EXPECT_EQ(told("unsupported operand type(s) for zebra: 'int' and 'str'"), "(not told)");
}

TEST(KnownMessage, AKeyIsToldWhenItIsKnown) {
  EXPECT_EQ(told("'jan'", "KeyError"), "'jan'");
  EXPECT_EQ(told("'CLIENT'", "KeyError"), "'CLIENT'");
  EXPECT_EQ(told("7", "KeyError"), "7");
  EXPECT_EQ(told("'zebra'", "KeyError"), "(not told)");
  EXPECT_EQ(told("'jan'", "ValueError"), "(not told)");
}

TEST(KnownMessage, PlacesInResultsAndSystemCalls) {
  EXPECT_EQ(told("Result['start'] is a set, which is not JSON", "TypeError"),
            "Result['start'] is a set, which is not JSON");
  EXPECT_EQ(told("Result['start'][3] is a Reader, which is not JSON", "TypeError"),
            "Result['start'][3] is a Reader, which is not JSON");
  EXPECT_EQ(told("Result['zebra'] is a set, which is not JSON", "TypeError"),
            "Result… is a set, which is not JSON");
  EXPECT_EQ(told("System call denied: openat at line 4, socket", "SandboxViolation"),
            "System call denied: openat at line 4, socket");
  EXPECT_EQ(told("System call denied: zebra at line 4", "SandboxViolation"),
            "System call denied: …");
  EXPECT_EQ(told("System call denied: openat at line 4711", "SandboxViolation"),
            "System call denied: …");
  EXPECT_EQ(told("System call denied: openat at line 4 (ValueError: zebra)", "SandboxViolation"),
            "System call denied: openat at line 4 (…)");
}

TEST(KnownType, IsTheInterpretersOrAClassOfTheCode) {
  for (const char* type : {"ValueError", "JSONDecodeError", "error", "LayoutError", "Reader",
                           "SandboxViolation", "TimeoutError"})
    EXPECT_EQ(known_type(type, kCode), type);
  for (const char* type :
       {"Zebra", "", "Layout", "LayoutErrorX", "extract", "ValueError\n", "class"})
    EXPECT_FALSE(known_type(type, kCode)) << type;
}

TEST(KnownFunction, IsOneThatTheCodeNames) {
  for (const char* name :
       {"extract", "parse", "Reader.parse", "<lambda>", "<module>", "extract.<locals>.parse"})
    EXPECT_EQ(known_function(name, kCode), name);
  for (const char* name : {"zebra", "", "<zebra>", "Reader.zebra", "extract.", "parse\n"})
    EXPECT_FALSE(known_function(name, kCode)) << name;
}

// Whatever fills a gap, only known text comes out: every sentence with a word that is nowhere.
TEST(KnownMessage, NoSentenceCarriesAWordThatNobodyKnows) {
  for (const std::string_view sentence : known_sentences()) {
    std::string message(sentence);
    for (std::size_t open = 0; (open = message.find('{', open)) != std::string::npos;) {
      const std::size_t close = message.find('}', open);
      const bool is_gap =
          close != std::string::npos && close > open + 1 && is_lower(message[open + 1]);
      if (!is_gap) {
        ++open;
        continue;
      }
      message.replace(open, close - open + 1, "Zebra4711");
    }
    const auto out = known_message("ValueError", message, kKnown);
    EXPECT_FALSE(out && out->contains("ebra47")) << sentence;
  }
}

TEST(KnownMessage, AnyBytesAreSurvived) {
  std::mt19937 random(7);
  const auto sentences = known_sentences();
  for (int round = 0; round < 20000; ++round) {
    std::string message(sentences[random() % sentences.size()]);
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = random() % (message.size() + 1);
      constexpr std::string_view kBytes = "'\"\\{}[]:.b0x\xff\xc3 \n";
      message.insert(at, 1, kBytes[random() % kBytes.size()]);
      if (!message.empty()) message.erase(random() % message.size(), random() % 3);
    }
    const auto out = known_message("KeyError", message, kKnown);
    EXPECT_TRUE(!out || out->size() < message.size() + 100);
  }
}

}  // namespace
}  // namespace airlock

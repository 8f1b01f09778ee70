// Every row of the table, with the words that the parser (or the binder, in the compiler's words)
// really says.
#include "vet/suggestions.h"

#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

// The first error: what was said, and what is suggested.
Finding first_error(std::string_view code) {
  const Verdict verdict = vet(code, {.security = true, .signature = false, .compile = true});
  for (const Finding& one : verdict.findings) {
    if (one.severity == Severity::kError) return one;
  }
  ADD_FAILURE() << "accepted: " << code;
  return {};
}

struct Row {
  std::string_view code;
  std::string_view said;       // a part of the message
  std::string_view suggested;  // the beginning of the suggestion
};

// A line after the mistake, so that it does not look like the end of an answer that was cut off.
constexpr std::string_view kRest = "\nz = 1\nz = 2\n";

void expect_rows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const Finding found = first_error(std::string(row.code) + std::string(kRest));
    EXPECT_NE(found.message.find(row.said), std::string::npos) << found.message << "\n" << row.code;
    EXPECT_TRUE(found.suggestion.starts_with(row.suggested)) << found.suggestion << "\n"
                                                             << row.code;
  }
}

TEST(Suggestions, Texts) {
  expect_rows({
      {"x = 'a", "unterminated string literal", "Add closing quote on line 1"},
      {"y = 1\nx = \"a", "unterminated string literal", "Add closing quote on line 2"},
      {"x = b'\xC3\xA9'", "bytes can only contain ASCII", "Use a str and encode it"},
      {"x = 'a' b'b'", "cannot mix bytes and nonbytes", "Use only str or only bytes"},
      {"x = 'C:\\Users'", "unicodeescape", "Write the string with an r in front"},
  });
}

TEST(Suggestions, FormattedTexts) {
  expect_rows({
      {"x = f'{a'", "f-string: expecting '}'",
       "Escape braces or simplify f-string: a '{' on line 1 has no '}'"},
      {"x = f'{}'", "f-string: empty expression",
       "Escape braces or simplify f-string: write {{}} for literal braces"},
      {"x = f'}'", "f-string: single '}'",
       "Escape braces or simplify f-string: write }} for a literal '}'"},
      {"x = f'{a\\n}'", "cannot include a backslash",
       "Escape braces or simplify f-string: compute the value with the backslash"},
      {"x = f'{a#}'", "cannot include '#'",
       "Escape braces or simplify f-string: compute the value with the '#'"},
      {"x = f'{\"a}'", "f-string: unterminated string",
       "Escape braces or simplify f-string: use the other kind of quotes"},
      {"x = f'{a!x}'", "f-string: invalid conversion", "Escape braces or simplify f-string"},
  });
}

TEST(Suggestions, Brackets) {
  expect_rows({
      {"x = (1", "'(' was never closed",
       "Missing closing bracket/parenthesis: add ')' for the one that opens on line 1"},
      {"x = [1", "'[' was never closed", "Missing closing bracket/parenthesis: add ']'"},
      {"x = {1", "'{' was never closed", "Missing closing bracket/parenthesis: add '}'"},
      {"x = (1]", "does not match opening parenthesis",
       "Missing closing bracket/parenthesis: close brackets in the order"},
      {"y = 1\nx = 1)", "unmatched ')'", "Remove the closing bracket on line 2"},
  });
}

TEST(Suggestions, Indentation) {
  expect_rows({
      {"if 1:\n\tx = 1\n        y = 2", "inconsistent use of tabs",
       "Check indentation on line 3 (use 4 spaces): tabs and spaces are mixed"},
      {"if 1:\n        x = 1\n    y = 2", "unindent does not match",
       "Check indentation on line 3 (use 4 spaces): it must equal"},
      {"y = 1\nif 1:\nx = 1", "expected an indented block after 'if' statement on line 2",
       "Check indentation on line 3 (use 4 spaces): the block that begins on line 2 is empty"},
      {"x = 1\n  y = 2", "unexpected indent",
       "Check indentation on line 2 (use 4 spaces): this line is deeper"},
  });
}

TEST(Suggestions, Statements) {
  expect_rows({
      {"def f()\n    pass", "expected ':'",
       "Add colon after function, class, if, for, or while on line 1"},
      {"if z\n    pass", "expected ':'", "Add colon"},
      {"print 'a'", "Missing parentheses in call to 'print'", "Write print(…) with parentheses"},
      {"exec 'a'", "Missing parentheses in call to 'exec'", "Write the call with parentheses"},
      {"try:\n    x = 1\ny = 2", "expected 'except' or 'finally' block",
       "Add an except or finally block"},
      {"try:\n    x = 1\nexcept A, B:\n    x = 2", "multiple exception types must be parenthesized",
       "Write except (A, B):"},
      {"try:\n    x = 1\nexcept:\n    x = 2\nexcept ValueError:\n    x = 3", "must be last",
       "Put the bare 'except:' after"},
      {"x = 1 \\ 2", "unexpected character after line continuation",
       "Nothing may follow a backslash"},
      {"if z = 1:\n    pass", "Maybe you meant '==' or ':='", "Use '==' to compare"},
      {"1 = z", "cannot assign to literal", "Only names, attributes and items can stand left"},
      {"del f()", "cannot delete function call", "Only names, attributes and items can be deleted"},
  });
}

TEST(Suggestions, Arguments) {
  expect_rows({
      {"f(a=1, 2)", "positional argument follows keyword argument",
       "Put the positional arguments before"},
      {"match z:\n    case A(b=1, 2):\n        pass", "positional patterns follow keyword patterns",
       "Put the positional patterns before"},
      {"def f(a=1, b):\n    pass", "non-default argument follows default argument",
       "Put parameters with defaults after"},
      {"print(a=1, a=2)", "keyword argument repeated", "Give each keyword argument once"},
      {"def f(a, a):\n    pass", "duplicate argument 'a'", "Give each parameter a different name"},
      {"f(x for x in z, 1)", "Generator expression must be parenthesized",
       "Put parentheses around the generator"},
      {"x = [a, b for a, b in z]", "did you forget parentheses around the comprehension target",
       "Put parentheses around the comprehension target"},
  });
}

TEST(Suggestions, NumbersAndCommas) {
  expect_rows({
      {"x = 012", "leading zeros in decimal integer literals", "Remove the leading zeros"},
      {"x = 1abc", "invalid decimal literal", "Names cannot begin with a digit"},
      {"x = 0xZ", "invalid hexadecimal literal", "Write hexadecimal numbers as 0x"},
      {"x = [1 2]", "Perhaps you forgot a comma", "Add a comma between the items on line 1"},
      {"y = 1\nx = = 1", "invalid syntax", "Check syntax near the indicated line"},
  });
}

TEST(Suggestions, PlacesThatOnlyTheCompilerRefuses) {
  expect_rows({
      {"x = 1\nreturn x", "'return' outside function",
       "Indent the return into its function on line 2"},
      {"x = 1\nyield x", "'yield' outside function", "Move it into a function"},
      {"x = 1\nbreak", "'break' outside loop", "Use it only inside a for or while loop"},
      {"x = 1\ncontinue", "'continue' not properly in loop",
       "Use it only inside a for or while loop"},
      {"x = 1\nnonlocal x", "nonlocal declaration not allowed", "Declare nonlocal only for"},
      {"def f():\n    x = 1\n    global x", "assigned to before global declaration",
       "Put the global statement before"},
      {"x = 1\nfrom __future__ import annotations", "must occur at the beginning",
       "Put 'from __future__ import …' on the first line"},
  });
}

TEST(Suggestions, DepthThatTheParserRefuses) {
  const Finding chain = first_error("x = " + std::string(20000, '-') + "1\n");
  EXPECT_EQ(chain.rule->code, RuleCode::kTooDeep);
  EXPECT_TRUE(chain.suggestion.starts_with("Use a loop")) << chain.suggestion;
  std::string steps;
  for (int i = 0; i < 101; ++i) steps += std::string(static_cast<std::size_t>(i), ' ') + "if 1:\n";
  const Finding levels = first_error(steps + std::string(101, ' ') + "x = 1\n");
  EXPECT_NE(levels.message.find("too many levels of indentation"), std::string::npos);
  EXPECT_TRUE(levels.suggestion.starts_with("Split the code into helper functions"))
      << levels.suggestion;
}

TEST(Suggestions, CharactersThatPythonDoesNotRead) {
  // The cleaning replaces what it can; asked directly, the table has words for the rest.
  const std::string code = "x = 1\n";
  EXPECT_TRUE(suggest({"SyntaxError", "invalid character '–' (U+2013)", {1, 0, 1, 1}}, code)
                  .starts_with("Replace the character on line 1 by its plain ASCII form"));
  EXPECT_TRUE(suggest({"SyntaxError", "invalid non-printable character U+00A0", {1, 0, 1, 1}}, code)
                  .starts_with("Replace the invisible character on line 1"));
}

TEST(Suggestions, AnAnswerThatIsCutOffIsSaidToBe) {
  constexpr std::string_view kCut = "The answer seems to be cut off there: send the whole code";
  for (const char* code :
       {"def extract(path):\n    return {'a': (1,\n", "def extract(path):\n    x = '''abc\n",
        "def extract(path):\n", "x = 1\ntry:\n    y = 2\n", "x = 1\ny = 'ab"}) {
    EXPECT_NE(first_error(code).suggestion.find(kCut), std::string::npos)
        << code << first_error(code).suggestion;
  }
  EXPECT_EQ(first_error("x = 'a\ny = 1\ny = 2\n").suggestion.find(kCut), std::string::npos);
}

TEST(Suggestions, TextThatWasEscapedForAPageIsSaidToBe) {
  EXPECT_TRUE(first_error("def f(a) -&gt; dict:\n    return {}\n")
                  .suggestion.starts_with("The text is HTML-escaped"));
}

TEST(Suggestions, ThereIsAlwaysOne) {
  EXPECT_EQ(suggest({"SyntaxError", "something that no version says", {3, 0, 3, 1}}, "x\n"),
            "Check syntax near the indicated line");
}

}  // namespace
}  // namespace airlock::vet::test

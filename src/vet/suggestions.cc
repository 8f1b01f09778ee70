// A table from what CPython 3.11 says to a suggestion. {N} is the line of the error, {D} the line
// that the message names
// ("detected at line 7", "on line 3"), {C} the closing bracket that is missing. The first row that
// fits is taken.
#include "vet/suggestions.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace airlock::vet {

namespace {

struct SuggestionRow {
  std::string_view part;  // of the message
  std::string_view suggestion;
};

constexpr std::array kRows = {
    SuggestionRow{"unterminated triple-quoted string literal",
                  "Close the triple quotes that open on line {N}"},
    SuggestionRow{"unterminated string literal", "Add closing quote on line {N}"},
    SuggestionRow{"f-string: expecting '}'",
                  "Escape braces or simplify f-string: a '{' on line {N} has no '}'"},
    SuggestionRow{
        "f-string: empty expression",
        "Escape braces or simplify f-string: write {{}} for literal braces, or put a value between "
        "them"},
    SuggestionRow{"f-string: single '}'",
                  "Escape braces or simplify f-string: write }} for a literal '}'"},
    SuggestionRow{
        "f-string expression part cannot include a backslash",
        "Escape braces or simplify f-string: compute the value with the backslash before the "
        "f-string"},
    SuggestionRow{
        "f-string expression part cannot include '#'",
        "Escape braces or simplify f-string: compute the value with the '#' before the f-string"},
    SuggestionRow{"f-string: unterminated string",
                  "Escape braces or simplify f-string: use the other kind of quotes inside it"},
    SuggestionRow{"f-string", "Escape braces or simplify f-string"},
    SuggestionRow{
        "was never closed",
        "Missing closing bracket/parenthesis: add '{C}' for the one that opens on line {N}"},
    SuggestionRow{
        "unexpected EOF",
        "Missing closing bracket/parenthesis, or the answer is cut off: send the whole code"},
    SuggestionRow{
        "does not match opening parenthesis",
        "Missing closing bracket/parenthesis: close brackets in the order in which they were "
        "opened"},
    SuggestionRow{"unmatched '",
                  "Remove the closing bracket on line {N}, or add the one that opens it"},
    SuggestionRow{"inconsistent use of tabs and spaces",
                  "Check indentation on line {N} (use 4 spaces): tabs and spaces are mixed"},
    SuggestionRow{
        "unindent does not match",
        "Check indentation on line {N} (use 4 spaces): it must equal that of an outer block"},
    SuggestionRow{
        "expected an indented block",
        "Check indentation on line {N} (use 4 spaces): the block that begins on line {D} is empty; "
        "indent its body or write 'pass'"},
    SuggestionRow{
        "unexpected indent",
        "Check indentation on line {N} (use 4 spaces): this line is deeper than the one before it"},
    SuggestionRow{"too many levels of indentation",
                  "Split the code into helper functions: it is nested too deeply"},
    SuggestionRow{"expected ':'", "Add colon after function, class, if, for, or while on line {N}"},
    SuggestionRow{"Missing parentheses in call to 'print'",
                  "Write print(…) with parentheses: this is Python 3"},
    SuggestionRow{"Missing parentheses in call to",
                  "Write the call with parentheses: this is Python 3"},
    SuggestionRow{"positional argument follows keyword argument",
                  "Put the positional arguments before the keyword arguments"},
    SuggestionRow{"positional patterns follow keyword patterns",
                  "Put the positional patterns before the keyword patterns"},
    SuggestionRow{"non-default argument follows default argument",
                  "Put parameters with defaults after those without"},
    SuggestionRow{"keyword argument repeated", "Give each keyword argument once"},
    SuggestionRow{"duplicate argument", "Give each parameter a different name"},
    SuggestionRow{"invalid non-printable character",
                  "Replace the invisible character on line {N} by a plain space, or remove it"},
    SuggestionRow{"invalid character", "Replace the character on line {N} by its plain ASCII form"},
    SuggestionRow{"Perhaps you forgot a comma", "Add a comma between the items on line {N}"},
    SuggestionRow{"Maybe you meant '==' or ':=' instead of '='",
                  "Use '==' to compare; '=' only assigns"},
    SuggestionRow{"unicodeescape",
                  "Write the string with an r in front (r\"…\"), or double its backslashes"},
    SuggestionRow{"leading zeros in decimal integer literals",
                  "Remove the leading zeros, or write the number as a string"},
    SuggestionRow{"invalid decimal literal",
                  "Names cannot begin with a digit; put quotes around text"},
    SuggestionRow{"invalid hexadecimal literal",
                  "Write hexadecimal numbers as 0x followed by 0-9 and a-f"},
    SuggestionRow{"expected 'except' or 'finally' block",
                  "Add an except or finally block to the try that begins above"},
    SuggestionRow{"multiple exception types must be parenthesized",
                  "Write except (A, B): with parentheses: this is Python 3"},
    SuggestionRow{"unexpected character after line continuation",
                  "Nothing may follow a backslash at the end of a line; use parentheses instead"},
    SuggestionRow{"cannot assign to", "Only names, attributes and items can stand left of '='"},
    SuggestionRow{"cannot delete", "Only names, attributes and items can be deleted"},
    SuggestionRow{"Generator expression must be parenthesized",
                  "Put parentheses around the generator expression"},
    SuggestionRow{"did you forget parentheses around the comprehension target",
                  "Put parentheses around the comprehension target"},
    SuggestionRow{"bytes can only contain ASCII", "Use a str and encode it: \"…\".encode()"},
    SuggestionRow{"cannot mix bytes and nonbytes",
                  "Use only str or only bytes literals side by side"},
    SuggestionRow{"starred expression", "Put the starred expression into a list, tuple or call"},
    SuggestionRow{"'return' outside function", "Indent the return into its function on line {N}"},
    SuggestionRow{"outside function", "Move it into a function"},
    SuggestionRow{"outside loop", "Use it only inside a for or while loop"},
    SuggestionRow{"not properly in loop", "Use it only inside a for or while loop"},
    SuggestionRow{"nonlocal", "Declare nonlocal only for a variable of an enclosing function"},
    SuggestionRow{"global declaration",
                  "Put the global statement before the first use of the name"},
    SuggestionRow{"__future__", "Put 'from __future__ import …' on the first line"},
    SuggestionRow{"future feature", "Remove it: this Python does not know the feature"},
    SuggestionRow{"must be last", "Put the bare 'except:' after the others"},
    SuggestionRow{"nested too deeply",
                  "Use a loop, a list or helper functions instead of one deep expression"},
    SuggestionRow{"too many nested",
                  "Use a loop, a list or helper functions instead of deep nesting"},
    SuggestionRow{"invalid syntax", "Check syntax near the indicated line"},
};

bool has_html_escapes(std::string_view code) {
  static constexpr std::string_view kEntities[] = {"&gt;",  "&lt;",  "&quot;",
                                                   "&amp;", "&#39;", "&#x27;"};
  return std::ranges::any_of(kEntities, [&](std::string_view entity) {
    return code.find(entity) != std::string_view::npos;
  });
}

std::string line_named_in(std::string_view message) {
  const std::size_t at = message.rfind("line ");
  if (at == std::string_view::npos) return {};
  std::size_t end = at + 5;
  while (end < message.size() && is_digit(message[end])) ++end;
  return std::string(message.substr(at + 5, end - at - 5));
}

// "'(' was never closed": the message begins with the opening one.
std::string closing_bracket(std::string_view message) {
  if (message.starts_with("'('")) return ")";
  if (message.starts_with("'['")) return "]";
  if (message.starts_with("'{'")) return "}";
  return ")";
}

void fill(std::string& text, std::string_view mark, std::string_view value) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + value.size())) {
    text.replace(at, mark.size(), value);
  }
}

// The answer ends where the error is: most likely it was cut off there.
bool is_at_the_end(const python::SyntaxProblem& problem, std::string_view code) {
  std::size_t end = code.size();
  while (end > 0 && (code[end - 1] == '\n' || code[end - 1] == ' ')) --end;
  std::uint32_t last = 1;
  for (const char c : code.substr(0, end)) last += c == '\n';
  return std::max(problem.place.line, problem.place.end_line) >= last;
}

bool looks_cut_off(const python::SyntaxProblem& problem, std::string_view code) {
  const std::string_view message = problem.message;
  const bool is_open = message.find("never closed") != std::string_view::npos ||
                       message.find("unterminated") != std::string_view::npos ||
                       message.find("expected an indented block") != std::string_view::npos ||
                       message.find("unexpected EOF") != std::string_view::npos ||
                       message.find("expected 'except'") != std::string_view::npos;
  return is_open && is_at_the_end(problem, code);
}

}  // namespace

// What the whole text tells comes first, the parser's message second.
std::string suggest(const python::SyntaxProblem& problem, std::string_view code) {
  // These two explain most errors in a text that has them, whatever the parser says.
  if (has_html_escapes(code)) {
    return "The text is HTML-escaped (&gt;, &lt;, &quot;, &amp;): send the code with the plain "
           "characters > < \" &";
  }
  if (code.find("```") != std::string_view::npos)
    return "Remove markdown code fences (```python ... ```)";
  std::string text = "Check syntax near the indicated line";
  for (const SuggestionRow& row : kRows) {
    if (problem.message.find(row.part) == std::string::npos) continue;
    text = row.suggestion;
    break;
  }
  if (problem.message == "invalid syntax" && problem.place.line == 1) {
    text += "; if there is text before the code, send only the code";
  }
  const std::string line = std::to_string(problem.place.line);
  const std::string named = line_named_in(problem.message);
  fill(text, "{N}", line);
  fill(text, "{D}", named.empty() ? line : named);
  fill(text, "{C}", closing_bracket(problem.message));
  if (looks_cut_off(problem, code))
    text += ". The answer seems to be cut off there: send the whole code";
  return text;
}

}  // namespace airlock::vet

// Telling lines of Python from lines written for people, by their shape alone. Both questions err
// towards "no": what is surely neither is left for the parser, since cutting away a line of code
// would change the program.
#pragma once

#include <string_view>
#include <vector>

#include "text/page.h"

namespace airlock::text {

// A line that is surely Python: import, from ... import, def, class, a decorator, a docstring, an
// assignment, `if ...:`. Indentation is ignored.
bool is_code_line(std::string_view line);

// A line that is surely not: words, a list item, a heading of Markdown, a lone tag, a shell prompt,
// a chat page's button. Many lines are neither (`improt re`): those are never cut away.
bool is_prose_line(std::string_view line);

// Nothing but prose: no line of code, and words are most of what is written.
bool is_prose(PageView page);

// The shell's prompt in front of every line that is written.
bool is_shell_session(PageView page);

// A copy button or a language name of a chat page, alone on its line: "python", "Copy code".
bool is_chat_button(std::string_view line);

// For code with text above or below it and no fence between them.
// The page without the prose around its code: first without the prose at both ends, then also cut
// off at the first prose below the definition of extract. Empty when there is no prose to cut, or
// no code.
std::vector<PageReading> cut_prose(const PageReading& reading);  // cut_prose.cc

}  // namespace airlock::text

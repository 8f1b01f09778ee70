// Marks in front of every line: quote marks, prompts, line numbers, indentation; and a chat page's
// buttons above the code. Each function takes one kind away and says so in the reading's changes;
// false when there was none.
#pragma once

#include "text/page.h"
#include "text/wrappers.h"

namespace airlock::text {

// `> ` in front of every line, or, in a whole answer, in front of the lines that hold the code.
bool remove_quote_marks(PageReading& reading, Where where);

// `>>> ` and `... `; lines without a prompt are what the interpreter printed, and go.
bool remove_prompts(PageReading& reading);

// `1 `, `12: `, ` 3 | ` in front of nearly every line, counting up.
bool remove_line_numbers(PageReading& reading);

// "python", "Copy code" above the first line of code.
bool remove_chat_buttons(PageReading& reading);

// The white space that every line starts with.
bool remove_indentation(PageReading& reading);

// All of these but the quote marks, in the order in which they can stand around each other.
void remove_decorations(PageReading& reading);

}  // namespace airlock::text

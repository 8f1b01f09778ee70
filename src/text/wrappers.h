// What stands around an answer's code besides Markdown: reasoning, tags, JSON. find_code.cc calls
// these in turn until none of them finds anything. Each is in a file of its own: thinking.cc,
// tags.cc, json_wrapper.cc.
#pragma once

#include "text/page.h"

namespace airlock::text {

// The whole answer may have prose around the wrapper; inside a fence the wrapper must be all there
// is, since a tag or a brace further down is the code's own.
enum class Where : std::uint8_t { kWholeAnswer, kInsideFence };

// Each takes one layer away and says so in the reading's changes; false when there was none.

// <think>...</think> and its like, outside fences. Everything in front of a lone </think> goes too;
// of an opening that nothing closes only the tag goes, with a warning.
bool remove_thinking(PageReading& reading);

// <answer>, <code>, <![CDATA[ and their like: keeps what stands inside the one that holds the code.
bool remove_tags(PageReading& reading, Where where);

// The page is one JSON value with the code in a string or a list of lines: keeps the string without
// its escapes. All its lines stand where the string starts.
bool remove_json(PageReading& reading, TextStore& store);

// One line with \n where its line ends should be, as inside a JSON string but without the quotes.
bool remove_escapes(PageReading& reading, TextStore& store);

}  // namespace airlock::text

// Answers that are something else than a Python file, told by how they start.
// Such an answer is refused with its own words (an Unrecoverable), which help a model more in a
// retry than a syntax error on line 1.
#pragma once

#include <optional>

#include "text/page.h"

namespace airlock::text {

// A unified diff, a patch, search-and-replace edits.
bool is_diff(PageView page);

// A page of HTML.
bool is_html(PageView page);

Unrecoverable a_diff(PageView page);
Unrecoverable an_html_page(PageView page);

// `what` says what there is instead: "the only code block is bash".
Unrecoverable no_code(std::uint32_t raw_line, std::string_view what = {});

}  // namespace airlock::text

// Text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace airlock::python {

// `text` is UTF-8. Control characters are escaped, and so is DEL, which a terminal might obey.
void append_json_string(std::string& out, std::string_view text);

}  // namespace airlock::python

// What Python calls an identifier (str.isidentifier), for text in UTF-8: asked of names that are
// about to be written into Python code or compared with it. Keywords are identifiers here, as they
// are for str.isidentifier.
#pragma once

#include <string_view>

namespace airlock {

bool is_identifier(std::string_view name);

}  // namespace airlock

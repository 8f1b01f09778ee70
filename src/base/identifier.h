// What Python calls an identifier (str.isidentifier), for text in UTF-8.
#pragma once

#include <string_view>

namespace airlock {

bool is_identifier(std::string_view name);

}  // namespace airlock

// Which language a file is written in, by its name alone: whole names first (Makefile), then
// endings. A table, so that a language is added by adding a row. Pure.
#pragma once

#include <string_view>

namespace airlock::probe {

// Empty for what is no source: pictures, archives, unknown endings.
std::string_view language_of(std::string_view file_name);

}  // namespace airlock::probe

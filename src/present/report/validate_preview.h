// A result on one line, for people: {client_id: "ABC", year: 2024}. Works on JSON as text, so that
// a long number keeps its digits and a large result is read only as far as it is shown. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace airlock::cli {

// `text` is JSON (checked before). Names stand without quotes where they need none, long strings
// are cut, and the whole has at most `columns` columns of a terminal. Nothing in it is obeyed by
// one.
std::string preview(std::string_view text, std::size_t columns);

// Foreign text on one line, at most `columns` wide, the cut marked with "…".
std::string fitted(std::string_view text, std::size_t columns);

}  // namespace airlock::cli

// What a browser sends with a request, decoded as hostile input: the fields of a form or a query
// (application/x-www-form-urlencoded), and cookies. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock::page {

inline constexpr std::size_t kMostFormBytes = std::size_t{64} * 1024;
inline constexpr std::size_t kMostFields = 32;

using Fields = std::map<std::string, std::string, std::less<>>;

// An Error: it is too long, has a field twice or an escape that is none. Values may hold any byte;
// line ends come as \r\n, and are \n here.
Result<Fields> read_form(std::string_view encoded);

// Empty where there is none of that name.
std::string field_of(const Fields& fields, std::string_view name);

// "a=1; b=2" → the value of `name`; empty: it is not there. The first one counts.
std::string_view cookie_of(std::string_view header, std::string_view name);

}  // namespace airlock::page

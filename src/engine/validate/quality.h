// Warnings about results that are allowed but probably not intended (for instance an address of an
// object in a text, or a field that has different types in different results). Each is reported
// once, with a sample that shows it, and their number is limited. Results are a guest's JSON,
// already checked by the reader in engine/load; they are still untrusted text and are escaped
// before they are shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/validation.h"

namespace airlock {

inline constexpr std::string_view kNotScanned =
    "The security stage was left out (--no-scan): only the chamber's walls stood between this code "
    "and the host";

// Looks at the results that were a success. Pure.
std::vector<std::string> quality_warnings(std::span<const SampleResult> results);

// The top-level fields in which two results (JSON objects) differ, in the order of the first.
std::vector<std::string> differing_fields(const std::string& one, const std::string& other);

// A name or path for a warning: on one line, safe to show, cut when it is long.
std::string in_quotes(std::string_view text, std::size_t limit = 80);

}  // namespace airlock

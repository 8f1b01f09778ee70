// Sample paths in one column: each with a NUL after it, which no path has. Whatever stands in the
// column can be read; what was altered is for the receipt to find.
// For the tables of drafts and of extractors; and for the hashes of answers, which have none
// either.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::store {

std::string join_samples(std::span<const std::string> samples);
std::vector<std::string> split_samples(std::string_view text);

}  // namespace airlock::store

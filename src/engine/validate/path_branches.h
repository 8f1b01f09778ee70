// Ways in which code tells paths apart: by extension, by depth, by a folder, by the word that a
// segment begins with. Each is a function from a path to the glob of those that are alike. Used to
// find one rule for each branch of a program (approve/distill). Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

// "" for a path that this way cannot tell from others.
using Branching = std::function<std::string(std::string_view path)>;

// The plainer first. `deepest`: how many segments from the end are looked at.
std::vector<Branching> branchings(std::size_t deepest);

}  // namespace airlock

// New paths made from the samples: segments missing and added, nothing
// at all, other separators, other extensions, numbers at their ends, scripts and lengths that code
// forgets. The same samples and the same seed give the same paths, so a warning can be had again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace airlock {

// At most `count`, each once and none of them a sample. Without samples there is nothing to mutate.
std::vector<std::string> mutated_paths(std::span<const std::string> samples, std::size_t count,
                                       std::uint64_t seed);

}  // namespace airlock

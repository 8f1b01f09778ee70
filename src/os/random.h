// Bytes that nobody can foresee: for names of temporary files, identifiers and tokens between
// processes.
#pragma once

#include <cstddef>
#include <string>

namespace airlock::os {

// `count` bytes, from the kernel. Never fails on a Linux that can run us: it waits.
std::string random_bytes(std::size_t count);

}  // namespace airlock::os

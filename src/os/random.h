// Bytes that nobody can foresee.
#pragma once

#include <cstddef>
#include <string>

namespace airlock::os {

// `count` bytes, from the kernel. Never fails on a Linux that can run us: it waits.
std::string random_bytes(std::size_t count);

}  // namespace airlock::os

// What keeps numerical libraries from starting a thread for each of the host's processors: they
// read these when they are loaded. Set behind the walls (jail/cell_jail.cc) and while packages are
// imported before them (python/warm_up.cc).
#pragma once

#include <array>

namespace airlock {

inline constexpr std::array kThreadVariables = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
                                                "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"};
inline constexpr const char* kOneThread = "1";

}  // namespace airlock

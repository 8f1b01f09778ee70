// Where the user's things are, as the environment says it. main reads it once.
// Handed down from there, so that nothing below reads the environment and tests can set all of it.
#pragma once

#include <string>

namespace airlock {

// A variable that is not set is empty.
struct UserDirs {
  std::string airlock_home = {};     // AIRLOCK_HOME
  std::string xdg_data_home = {};    // XDG_DATA_HOME
  std::string home = {};             // HOME
  std::string xdg_config_home = {};  // XDG_CONFIG_HOME
};

}  // namespace airlock

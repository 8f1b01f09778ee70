#include "store/state_folder.h"

#include <filesystem>
#include <system_error>

namespace airlock::store {

Result<std::string> state_folder(const UserDirs& user_dirs) {
  if (!user_dirs.airlock_home.empty()) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(user_dirs.airlock_home, error);
    if (error) return bad_request("find the folder AIRLOCK_HOME: " + error.message());
    return absolute.native();
  }
  if (user_dirs.xdg_data_home.starts_with('/')) return user_dirs.xdg_data_home + "/airlock";
  if (user_dirs.home.starts_with('/')) return user_dirs.home + "/.local/share/airlock";
  return bad_request(
      "find the folder for airlock's state: neither HOME nor AIRLOCK_HOME is set. Name a folder in "
      "AIRLOCK_HOME");
}

}  // namespace airlock::store

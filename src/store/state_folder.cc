#include "store/state_folder.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "os/private_folder.h"

namespace airlock::store {

namespace {

// What may lie in it.
constexpr std::array<std::string_view, 4> kOurs = {"airlock.", "cache", "config.toml", "policies"};

}  // namespace

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

Result<Fd> open_state_folder(const std::string& folder) {
  return os::open_private_folder(folder, kOurs);
}

}  // namespace airlock::store

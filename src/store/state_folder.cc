#include "store/state_folder.h"

#include <filesystem>
#include <system_error>

namespace airlock::store {

Result<std::string> state_folder(const Places& places) {
  if (!places.airlock_home.empty()) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(places.airlock_home, error);
    if (error) return fail("find the folder AIRLOCK_HOME: " + error.message());
    return absolute.native();
  }
  if (places.xdg_data_home.starts_with('/')) return places.xdg_data_home + "/airlock";
  if (places.home.starts_with('/')) return places.home + "/.local/share/airlock";
  return fail(
      "find the folder for airlock's state: neither HOME nor AIRLOCK_HOME is set. Name a folder in "
      "AIRLOCK_HOME");
}

}  // namespace airlock::store

#include "engine/records/state_file.h"

#include "os/replace_file.h"
#include "store/state_folder.h"

namespace airlock {

Result<std::string> place_state_file(const UserDirs& user_dirs, std::string_view name,
                                     std::string_view bytes) {
  const std::string folder = TRY(store::state_folder(user_dirs));
  const Fd opened = TRY(store::open_state_folder(folder));
  const std::string file = "airlock." + std::string(name);
  TRY(os::place_file_beneath(opened, file, bytes));
  return folder + "/" + file;
}

}  // namespace airlock

#include "engine/records/write_page.h"

#include "os/replace_file.h"

namespace airlock {

Result<void> write_page(const std::string& file, std::string_view page) {
  return os::replace_file(file, page);
}

Result<void> write_private_page(const std::string& file, std::string_view page) {
  return os::replace_file(file, page, os::ReadableBy::kOwner);
}

}  // namespace airlock

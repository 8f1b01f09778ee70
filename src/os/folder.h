// A folder of the host as it is seen from inside a root of one's own.
#pragma once

#include <string>

namespace airlock::os {

struct Folder {
  std::string source;  // absolute, on the host
  std::string place;   // absolute, inside
  bool is_writable = false;
  bool may_hold_code = false;  // files in it can be mapped as code
};

}  // namespace airlock::os

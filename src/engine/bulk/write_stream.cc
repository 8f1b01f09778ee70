#include "engine/bulk/write_stream.h"

#include "os/write_all.h"

namespace airlock {

int write_stream(int descriptor, std::string_view bytes) {
  return os::write_all(descriptor, bytes);
}

}  // namespace airlock

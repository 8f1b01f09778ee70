#include "engine/load/require_loadable.h"

#include <algorithm>

#include "engine/policy/library_names.h"
#include "run/chamber.h"

namespace airlock {

Result<void> require_loadable(const Policy& policy, const std::string& host_program) {
  if (is_sure_to_load(policy)) return {};
  auto chamber = run::Chamber::start(host_program, policy);
  auto ready = chamber ? (*chamber)->await_ready() : Result<void>();
  if (!ready && ready.error().kind == ErrorKind::kRequest) return ready;
  return {};
}

}  // namespace airlock

#include "present/serve/pipelines.h"

namespace airlock::serve {

Result<std::string> perform_pipeline(const Request& request, Resident& resident) {
  static_cast<void>(resident);
  return bad_request("there is no request '" + request.what + "'");
}

}  // namespace airlock::serve

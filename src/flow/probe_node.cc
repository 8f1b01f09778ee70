#include "flow/probe_node.h"

namespace airlock::flow {

Result<Step> run_probe_node(const Node& node) {
  return failed_step(
      node.id, "NotAvailableError",
      message("node type 'probe' is not available in this version", "",
              {"Run the probes apart from the flow, and hand their report over with --shared"}));
}

}  // namespace airlock::flow

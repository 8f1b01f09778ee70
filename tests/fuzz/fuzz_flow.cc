// Documents of flows: JSON or YAML by the first byte, then everything that is said before a run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "flow/check_templates.h"
#include "flow/make_flow.h"
#include "flow/read_document.h"
#include "flow/schedule.h"
#include "flow/value_text.h"

namespace {

// What is handed on is what was read: no text is taken for a number, no key for another.
void hand_on(const airlock::flow::Json& document) {
  using namespace airlock::flow;
  if (!is_finite(document)) return;
  const std::string text = json_text(document);
  const auto again = read_json(text);
  if (!again || json_text(*again) != text) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace airlock::flow;
  if (size == 0 || size > 1 << 16) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto document = data[0] == 'Y' ? read_yaml(text) : read_json(text);
  if (!document) return 0;
  if (!airlock::find_invalid_utf8(text)) hand_on(*document);
  const auto flow = make_flow(*document);
  if (!flow) {
    if (flow.error().empty()) __builtin_trap();  // a refusal has a reason
    return 0;
  }
  static_cast<void>(check_templates(*flow, Json::object()));
  // Whatever the edges are, the next node is one that there is.
  Schedule schedule(*flow);
  for (int steps = 0; steps < 100; ++steps) {
    const auto next = schedule.next();
    if (!next) break;
    if (*next >= flow->nodes.size()) __builtin_trap();
    schedule.follow_action(*next, steps % 3 == 0 ? "error" : "default");
  }
  return 0;
}

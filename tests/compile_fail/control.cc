// Compiles: what the other files do wrong, done right.
#include "admit/admit.h"
#include "admit/cell_door.h"
#include "admit/sanitize.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

std::string kept(std::string_view bytes) {
  auto admitted = airlock::Admitter().admit(bytes, airlock::Form::kBare);
  if (!admitted) return {};
  auto sanitized = airlock::Sanitizer().sanitize(*admitted);
  return sanitized ? std::string(sanitized->json()) : std::string();
}

std::string judged(const airlock::CellAnswer& answer) {
  const auto admitted = airlock::Admitter().admit(answer.document, airlock::Form::kProbeOutput);
  return admitted ? std::string() : answer.value;
}

std::string answered(airlock::run::VetterClient& vetter, airlock::run::Cell& cell,
                     std::string_view text) {
  const airlock::RunLimits limits;
  const auto screened = vetter.screen(text, airlock::run::Screening::of_extractors(),
                                      airlock::TextKind::kProgram, std::chrono::seconds(1));
  if (!screened || !screened->code) return {};
  airlock::CellDoor door(limits);
  if (!door.judge(cell.load(*screened->code, limits), airlock::Wanted::kNothing).success) return {};
  return door.judge(cell.call("/a"), airlock::Wanted::kObject).value;
}

#include "engine/load/supply.h"

#include "engine/load/vet_source.h"

namespace airlock {

Result<Verdict> ColdSupply::vet(const Policy& policy, std::string_view raw, Stages stages,
                                TextKind kind) {
  return vet_source(host_program_, policy, raw, stages, kind);
}

Result<run::Screened> ColdSupply::screen(const Policy& policy, std::string_view raw,
                                         run::Screening screening, TextKind kind) {
  return screen_source(host_program_, policy, raw, screening, kind);
}

Result<std::shared_ptr<run::Chamber>> ColdSupply::chamber(
    const Policy& policy, const std::optional<RunLimits>& first_cell, HashOrder order) {
  std::shared_ptr<run::Chamber> chamber = TRY(run::Chamber::start(host_program_, policy, order));
  if (first_cell) chamber->request_spare_cell(*first_cell);
  return chamber;
}

}  // namespace airlock

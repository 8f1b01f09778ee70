// Where a pipeline gets its processes from. A command starts its own and ends them (ColdSupply); a
// resident engine lends warm ones to many pipelines at once (engine/resident/rooms.h). Pipelines do
// not know which it is: the verdicts are the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace airlock {

class Supply {
 public:
  virtual ~Supply() = default;

  // Judged by a vetter of the policy. A vetter that dies on the text gives a refusal that says so
  // (AL110). An Error: no vetter can be had on this host.
  virtual Result<Verdict> vet(const Policy& policy, std::string_view raw, Stages stages,
                              TextKind kind) = 0;
  // The same for code that a cell is to load.
  virtual Result<run::Screened> screen(const Policy& policy, std::string_view raw,
                                       run::Screening screening, TextKind kind) = 0;

  // A chamber of the policy, which may still be warming up. A first cell is made ready meanwhile,
  // with these limits; nothing: none is.
  virtual Result<std::shared_ptr<run::Chamber>> chamber(const Policy& policy,
                                                        const std::optional<RunLimits>& first_cell,
                                                        HashOrder order) = 0;
  // It gave trouble: nobody is to get it again.
  virtual void drop_chamber(const Policy& policy, HashOrder order,
                            const std::shared_ptr<run::Chamber>& lost) = 0;
  // A cell with these limits was taken from it. Returns at once.
  virtual void replace_taken_cell(const std::shared_ptr<run::Chamber>& chamber,
                                  const RunLimits& limits) = 0;

  // Chambers are warm already: there is nothing to be gained by loading less than the policy.
  virtual bool is_warm() const = 0;
};

// Starts what is asked for, each time, on the thread that asks; that thread must outlive it.
class ColdSupply final : public Supply {
 public:
  // `host_program` is airlock-host.
  explicit ColdSupply(std::string host_program) : host_program_(std::move(host_program)) {}

  Result<Verdict> vet(const Policy& policy, std::string_view raw, Stages stages,
                      TextKind kind) override;
  Result<run::Screened> screen(const Policy& policy, std::string_view raw, run::Screening screening,
                               TextKind kind) override;
  Result<std::shared_ptr<run::Chamber>> chamber(const Policy& policy,
                                                const std::optional<RunLimits>& first_cell,
                                                HashOrder order) override;
  void drop_chamber(const Policy&, HashOrder, const std::shared_ptr<run::Chamber>&) override {}
  void replace_taken_cell(const std::shared_ptr<run::Chamber>&, const RunLimits&) override {}
  bool is_warm() const override { return false; }

 private:
  std::string host_program_;
};

}  // namespace airlock

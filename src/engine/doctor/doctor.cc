// (1) Each crime gets a cell of its own: a cell that was attacked proves nothing afterwards. (2) A
// wall that the cell did not report is not tried: it is missing, and the report says what to
// change. (3) An answer that is neither a refusal we know nor a success is "unclear": shown, and
// never counted as held.
#include "engine/doctor/doctor.h"

#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/doctor/installation.h"
#include "jail/crimes.h"
#include "jail/walls.h"
#include "os/landlock.h"
#include "run/chamber.h"

namespace airlock {

namespace {

// Long enough for one second of processor time on a busy host.
constexpr std::uint32_t kAttemptTimeoutMs = 20000;
constexpr std::uint32_t kShortDeadlineMs = 200;

// Bait: a segment that a cell must not be able to find. Exists as long as the examination. Without
// System V shared memory in the kernel there is none, and then there is nothing to find.
class SystemVSegment {
 public:
  SystemVSegment() : id_(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666)) {}
  SystemVSegment(const SystemVSegment&) = delete;
  SystemVSegment& operator=(const SystemVSegment&) = delete;
  ~SystemVSegment() {
    if (id_ >= 0) ::shmctl(id_, IPC_RMID, nullptr);
  }
  int id() const { return id_; }

 private:
  int id_;
};

std::string describe_errno(std::uint32_t number) {
  const auto value = static_cast<int>(number);
  if (value == 0) return "granted";
  if (value == ENODATA) return "nothing to be found";
  const char* name = ::strerrorname_np(value);
  return (name != nullptr ? std::string(name) : "error " + std::to_string(value)) + " (" +
         std::generic_category().message(value) + ")";
}

struct AttackOutcome {
  std::string answer;
  Attack result;
};

// `outcome`: the errno of the attempt (0: it succeeded), or how the cell ended. Only the outcome
// that the crime's own row names as proof counts as held.
AttackOutcome judge(const jail::Crime& crime, const std::expected<std::uint32_t, Ending>& outcome) {
  if (outcome) {
    const bool held =
        crime.proof == jail::Proof::kErrno && jail::is_proof(crime, static_cast<int>(*outcome));
    if (*outcome == 0 && crime.reach == jail::HeldUsers::kOrdinaryUsers) {
      return {"granted: the kernel does not hold root to it, the filter alone does",
              Attack::kLeftToFilter};
    }
    const Attack otherwise = *outcome == 0 ? Attack::kBreached : Attack::kUnclear;
    return {describe_errno(*outcome), held ? Attack::kHeld : otherwise};
  }
  struct AttackJudge {
    const jail::Crime& crime;
    AttackOutcome operator()(const TimedOut&) const {
      return {"ended by airlock at the deadline",
              crime.proof == jail::Proof::kDeadline ? Attack::kHeld : Attack::kBreached};
    }
    AttackOutcome operator()(const Crashed& crash) const {
      const auto signal = static_cast<int>(crash.signal);
      const bool held = crime.proof == jail::Proof::kSignal && jail::is_proof(crime, signal);
      return {"ended by " + os::ExitStatus{true, signal}.describe(),
              held ? Attack::kHeld : Attack::kUnclear};
    }
    AttackOutcome operator()(const Exited& exited) const {
      return {"it left with code " + std::to_string(exited.code), Attack::kUnclear};
    }
    AttackOutcome operator()(const Garbled&) const {
      return {"what it said was not understood", Attack::kUnclear};
    }
    AttackOutcome operator()(const Flooded&) const {
      return {"ended for its many denied calls", Attack::kUnclear};
    }
    AttackOutcome operator()(const Cancelled&) const { return {"cancelled", Attack::kUnclear}; }
  };
  return std::visit(AttackJudge{crime}, outcome.error());
}

class Examination {
 public:
  Examination(run::Chamber& chamber, const wire::CrimeRequest& bait)
      : chamber_(chamber), bait_(bait) {}

  Result<Tried> attempt(const jail::Crime& crime) {
    auto cell = TRY(chamber_.make_cell());
    wire::CrimeRequest attempt = bait_;
    attempt.crime = crime.name;
    const bool is_about_time = crime.proof == jail::Proof::kDeadline;
    const auto outcome = cell->commit(run::grant::OurOwnProgram(), attempt,
                                      is_about_time ? kShortDeadlineMs : kAttemptTimeoutMs);
    if (cell->trouble()) return std::unexpected(*cell->trouble());
    if (crime.filter == jail::Filter::kUp) standing_ = cell->walls();
    AttackOutcome judged = judge(crime, outcome);
    return Tried{std::string(crime.name), std::string(crime.what),
                 crime.filter == jail::Filter::kUp, std::move(judged.answer), judged.result};
  }

  // The names of the walls of a complete cell; after the first attempt with the filter up.
  const std::vector<std::string>& standing() const { return standing_; }

 private:
  run::Chamber& chamber_;
  const wire::CrimeRequest& bait_;
  std::vector<std::string> standing_;
};

// The last one: the zygote does not survive it.
Result<Tried> try_to_outlive_zygote(run::Chamber& chamber) {
  auto cell = TRY(chamber.make_cell());
  const bool ended = chamber.cell_dies_with_zygote(*cell);
  return Tried{"orphan", "outlive the zygote", true,
               ended ? "ended by the kernel" : "still there after 2 s",
               ended ? Attack::kHeld : Attack::kBreached};
}

// Native code could forge the cell's own notes and leave a denied call out. The supervisor counts
// denials itself; this tries whether it does. Nothing: this host offers no chamber for native code,
// and the missing walls say why.
std::optional<Tried> try_to_hide_denial(const std::string& host_program) {
  Tried tried{"hide-a-denial", "keep a denied call of native code out of the count", true, "",
              Attack::kUnclear};
  const Policy* policy = find_builtin_policy("node");
  auto chamber = run::Chamber::start(host_program, *policy);
  Result<void> ready = chamber ? (*chamber)->await_ready() : std::unexpected(chamber.error());
  auto cell = ready ? (*chamber)->make_cell()
                    : Result<std::unique_ptr<run::Cell>>(std::unexpected(ready.error()));
  if (!cell) return std::nullopt;
  wire::CrimeRequest attempt;
  attempt.crime = "open-socket";
  const auto outcome = (*cell)->commit(run::grant::OurOwnProgram(), attempt, kAttemptTimeoutMs);
  if ((*cell)->trouble()) {
    tried.answer = "not tried: " + (*cell)->trouble()->message;
  } else {
    const bool is_counted = outcome && (*cell)->denied() > 0;
    tried.answer = is_counted ? "counted by airlock, and refused" : "nobody counted it";
    tried.result = is_counted ? Attack::kHeld : Attack::kBreached;
  }
  return tried;
}

WallReport describe_wall(const jail::Wall& wall, std::span<const std::string> standing) {
  WallReport report;
  report.name = wall.name;
  report.why = wall.why;
  report.is_needed = wall.need == jail::Need::kAlways;
  report.stands = std::ranges::find(standing, wall.name) != standing.end();
  if (!report.stands) report.remedy = wall.remedy;
  return report;
}

Result<void> attack_all(run::Chamber& chamber, const std::string& host_program,
                        const wire::CrimeRequest& bait, Diagnosis& diagnosis) {
  TRY(chamber.await_ready());
  Examination examination(chamber, bait);
  std::vector<std::pair<jail::WallId, Tried>> all;
  for (const jail::Crime& crime : jail::all_crimes()) {
    auto tried = TRY(examination.attempt(crime));
    all.emplace_back(crime.wall, std::move(tried));
  }
  auto orphan = TRY(try_to_outlive_zygote(chamber));
  all.emplace_back(jail::WallId::kDieWithParent, std::move(orphan));
  if (auto hidden = try_to_hide_denial(host_program))
    all.emplace_back(jail::WallId::kSeccomp, std::move(*hidden));

  diagnosis.walls.clear();
  for (const jail::Wall& wall : jail::all_walls()) {
    WallReport report = describe_wall(wall, examination.standing());
    for (auto& [attacked, tried] : all) {
      if (report.stands && attacked == wall.id) report.tried.push_back(std::move(tried));
    }
    diagnosis.walls.push_back(std::move(report));
  }
  const jail::Tier tier = jail::tier_of(examination.standing());
  diagnosis.tier = to_string(tier);
  diagnosis.tier_meaning = describe(tier);
  diagnosis.is_acceptable = tier != jail::Tier::kNone;
  return {};
}

bool was_breached(const WallReport& wall) {
  return std::ranges::any_of(wall.tried,
                             [](const Tried& tried) { return tried.result == Attack::kBreached; });
}

}  // namespace

Diagnosis examine_host(const std::string& host_program, const Policy& policy) {
  Diagnosis diagnosis;
  utsname names{};
  if (::uname(&names) == 0) diagnosis.kernel = std::string(names.sysname) + " " + names.release;
  diagnosis.landlock_version = os::landlock_version();
  diagnosis.is_root = ::geteuid() == 0;
  diagnosis.tier = to_string(jail::Tier::kNone);
  diagnosis.tier_meaning = describe(jail::Tier::kNone);
  for (const jail::Wall& wall : jail::all_walls())
    diagnosis.walls.push_back(describe_wall(wall, {}));

  const SystemVSegment memory;
  const wire::CrimeRequest bait{"", static_cast<std::uint32_t>(::getpid()),
                                static_cast<std::uint32_t>(memory.id()), names.nodename,
                                jail::kBaitFile};
  auto chamber = run::Chamber::start(host_program, policy);
  const Result<void> done = chamber ? attack_all(**chamber, host_program, bait, diagnosis)
                                    : std::unexpected(std::move(chamber).error());
  if (!done) {
    diagnosis.trouble = done.error().message;
    diagnosis.is_acceptable = false;
    // The likeliest causes first: a limit of this process, then an incomplete installation. Only
    // then is the kernel to blame.
    if (const auto low = limits_trouble(diagnosis.trouble)) {
      diagnosis.trouble += ". " + *low;
      return diagnosis;
    }
    if (auto incomplete = installation_trouble(host_program)) {
      diagnosis.trouble = std::move(*incomplete);
      diagnosis.tier_meaning = "nothing of this host could be tried: no guest code is run";
      diagnosis.walls.clear();
    }
  }
  if (std::ranges::any_of(diagnosis.walls, was_breached)) diagnosis.is_acceptable = false;
  return diagnosis;
}

}  // namespace airlock

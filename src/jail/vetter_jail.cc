// Lock-down is the one list of steps below. A step either raises its wall, or says that this kernel
// does not have it (only Landlock may be missing), or fails, and then nothing is read.
#include "jail/vetter_jail.h"

#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "jail/seccomp_filter.h"
#include "jail/steps.h"
#include "jail/walls.h"
#include "os/landlock.h"

namespace airlock::jail {

namespace {

enum class Raised { kStands, kNotOnThisKernel };

// What is found out and made before the first wall: later, nothing can be read, and there is no
// descriptor left to make a filter with.
struct LockDownInputs {
  Mapped mapped;
  const SeccompFilter& filter;
};

struct LockDownStep {
  WallId wall{};
  Result<Raised> (*raise)(const LockDownInputs& before) = nullptr;
};

// 0, 1, 2 and the socket; poll() refuses to wait for more descriptors than the limit, so it cannot
// be 0.
constexpr rlim_t kDescriptors = 4;
// What parsing may add to what is already mapped.
constexpr rlim_t kMemory = 512UL * 1024 * 1024;

Result<Raised> stands(Result<void> done) {
  TRY(std::move(done));
  return Raised::kStands;
}

Result<Raised> raise_parent_death(const LockDownInputs&) {
  return stands(die_with_parent());
}
Result<Raised> raise_no_new_privileges(const LockDownInputs&) {
  return stands(forbid_new_privileges());
}
Result<Raised> raise_no_dump(const LockDownInputs&) {
  return stands(forbid_dumps());
}
Result<Raised> raise_no_capabilities(const LockDownInputs&) {
  return stands(drop_all_capabilities());
}

Result<Raised> raise_limits(const LockDownInputs& before) {
  TRY(limit(RLIMIT_CORE, 0, "forbid core files"));
  TRY(limit(RLIMIT_FSIZE, 0, "forbid writing files"));
  TRY(limit(RLIMIT_NOFILE, kDescriptors, "forbid new descriptors"));
  TRY(limit(RLIMIT_NPROC, 0, "forbid new processes"));
  TRY(limit(RLIMIT_MEMLOCK, 0, "forbid locked memory"));
  TRY(limit(RLIMIT_MSGQUEUE, 0, "forbid message queues"));
  TRY(limit_at_most(RLIMIT_DATA, before.mapped.data + kMemory, "limit memory"));
  return Raised::kStands;
}

Result<Raised> landlock(const LockDownInputs&) {
  if (os::landlock_version() == 0) return Raised::kNotOnThisKernel;
  TRY(os::landlock_deny_all_but({}));
  return Raised::kStands;
}

// All that is left. Everything else kills the process on the spot.
constexpr std::array kVetterAllowed = {
    Call{SCMP_SYS(read), "the socket"},
    Call{SCMP_SYS(write), "the socket"},
    Call{SCMP_SYS(recvmsg), "the socket"},
    Call{SCMP_SYS(sendmsg), "the socket"},
    Call{SCMP_SYS(poll), "waiting for the socket"},
    Call{SCMP_SYS(ppoll), "waiting for the socket"},
    Call{SCMP_SYS(brk), "memory"},
    Call{SCMP_SYS(munmap), "memory"},
    Call{SCMP_SYS(mremap), "memory"},
    Call{SCMP_SYS(madvise), "memory"},
    Call{SCMP_SYS(futex), "locks of the C library and the interpreter"},
    Call{SCMP_SYS(clock_gettime), "where the clock needs a call"},
    Call{SCMP_SYS(getrandom), "hash seeds of the C++ library"},
    Call{SCMP_SYS(rt_sigreturn), "returning from a signal"},
    Call{SCMP_SYS(rt_sigprocmask), "abort()"},
    Call{SCMP_SYS(close), "ending: the socket"},
    Call{SCMP_SYS(exit), "ending"},
    Call{SCMP_SYS(exit_group), "ending"},
};

// CPython's parser wants to quote the line of an error from a file of the name we gave it; it takes
// "no" for an answer.
constexpr std::array kRefusedWithErrno = {SCMP_SYS(openat), SCMP_SYS(open), SCMP_SYS(newfstatat),
                                          SCMP_SYS(fstat), SCMP_SYS(ioctl)};

Result<SeccompFilter> make_filter() {
  auto filter = TRY(FilterBuilder::begin(SCMP_ACT_KILL_PROCESS));
  TRY(filter.allow(kVetterAllowed));
  TRY(filter.allow_plain_memory());
  for (const int number : kRefusedWithErrno) TRY(filter.answer(SCMP_ACT_ERRNO(EACCES), number));
  return filter.finish();
}

Result<Raised> seccomp(const LockDownInputs& before) {
  TRY(load_filter(before.filter));
  return Raised::kStands;
}

constexpr std::array kSteps = {
    LockDownStep{WallId::kDieWithParent, raise_parent_death},
    LockDownStep{WallId::kNoNewPrivileges, raise_no_new_privileges},
    LockDownStep{WallId::kNoDump, raise_no_dump},
    LockDownStep{WallId::kNoCapabilities, raise_no_capabilities},
    LockDownStep{WallId::kLandlock, landlock},
    LockDownStep{WallId::kLimits, raise_limits},
    LockDownStep{WallId::kSeccomp, seccomp},
};

}  // namespace

Result<std::vector<std::string>> lock_down_vetter() {
  std::vector<std::string> standing;
  const auto raising = [](WallId wall) {
    return "raise the wall '" + std::string(name_of(wall)) + "'";
  };
  auto filter = make_filter();
  if (!filter) return std::unexpected(std::move(filter).error().within(raising(WallId::kSeccomp)));
  const LockDownInputs before{mapped_now(), *filter};
  for (const LockDownStep& step : kSteps) {
    auto wall = step.raise(before);
    if (!wall) return std::unexpected(std::move(wall).error().within(raising(step.wall)));
    if (*wall == Raised::kStands) standing.emplace_back(name_of(step.wall));
  }
  return standing;
}

std::vector<std::string> vetter_walls() {
  std::vector<std::string> names;
  for (const LockDownStep& step : kSteps) names.emplace_back(name_of(step.wall));
  return names;
}

}  // namespace airlock::jail

// Lock-down is the one list of steps below. A step either raises its wall, or says that this kernel
// does not have it (only Landlock may be missing), or fails, and then nothing is read.
#include "jail/vetter_jail.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>

#include "jail/steps.h"
#include "os/landlock.h"

namespace airlock::jail {

namespace {

enum class Wall { kStands, kNotOnThisKernel };

// `before`: what was mapped before the first wall. Later, nobody can read it.
struct Step {
  std::string_view name;
  Result<Wall> (*raise)(const Mapped& before);
};

// 0, 1, 2 and the socket; poll() refuses to wait for more descriptors than the limit, so it cannot
// be 0.
constexpr rlim_t kDescriptors = 4;
// What parsing may add to what is already mapped.
constexpr rlim_t kMemory = 512UL * 1024 * 1024;

Result<Wall> stands(Result<void> done) {
  if (!done) return std::unexpected(std::move(done).error());
  return Wall::kStands;
}

Result<Wall> raise_parent_death(const Mapped&) {
  return stands(die_with_parent());
}
Result<Wall> raise_no_new_privileges(const Mapped&) {
  return stands(forbid_new_privileges());
}
Result<Wall> raise_no_dump(const Mapped&) {
  return stands(forbid_dumps());
}
Result<Wall> raise_no_capabilities(const Mapped&) {
  return stands(drop_all_capabilities());
}

Result<Wall> raise_limits(const Mapped& before) {
  TRY(limit(RLIMIT_CORE, 0, "forbid core files"));
  TRY(limit(RLIMIT_FSIZE, 0, "forbid writing files"));
  TRY(limit(RLIMIT_NOFILE, kDescriptors, "forbid new descriptors"));
  TRY(limit(RLIMIT_NPROC, 0, "forbid new processes"));
  TRY(limit(RLIMIT_MEMLOCK, 0, "forbid locked memory"));
  TRY(limit(RLIMIT_MSGQUEUE, 0, "forbid message queues"));
  TRY(limit_at_most(RLIMIT_DATA, before.data + kMemory, "limit memory"));
  return Wall::kStands;
}

Result<Wall> landlock(const Mapped&) {
  if (os::landlock_version() == 0) return Wall::kNotOnThisKernel;
  TRY(os::landlock_deny_all_but({}));
  return Wall::kStands;
}

struct Call {
  int number;
  std::string_view why;
};

// All that is left. Everything else kills the process on the spot.
constexpr std::array kAllowed = {
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
constexpr std::array kRefusedPolitely = {SCMP_SYS(openat), SCMP_SYS(open), SCMP_SYS(newfstatat),
                                         SCMP_SYS(fstat), SCMP_SYS(ioctl)};

Result<void> seccomp_result(int result, std::string_view doing) {
  if (result == 0) return {};
  return fail(std::string(doing) + ": " + std::generic_category().message(-result));
}

Result<Wall> seccomp(const Mapped&) {
  const std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_KILL_PROCESS),
                                                      &seccomp_release);
  if (filter == nullptr)
    return fail(
        "make a seccomp filter: this kernel has no system-call filters, or the container forbids "
        "them");
  for (const Call& call : kAllowed) {
    TRY(seccomp_result(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call.number, 0),
                       "allow a system call"));
  }
  for (const int number : kRefusedPolitely) {
    TRY(seccomp_result(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), number, 0),
                       "refuse a system call"));
  }
  // Memory, but never memory that can be executed.
  TRY(seccomp_result(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                      SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)),
                     "allow memory without code"));
  // RLIMIT_DATA counts neither shared memory nor what grows like a stack.
  TRY(seccomp_result(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
                                      SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                      SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0)),
                     "allow memory that is counted"));
  TRY(seccomp_result(seccomp_load(filter.get()), "load the seccomp filter"));
  return Wall::kStands;
}

constexpr std::array kSteps = {
    Step{"die-with-parent", raise_parent_death},
    Step{"no-new-privileges", raise_no_new_privileges},
    Step{"no-dump", raise_no_dump},
    Step{"no-capabilities", raise_no_capabilities},
    Step{"landlock", landlock},
    Step{"limits", raise_limits},
    Step{"seccomp", seccomp},
};

}  // namespace

Result<std::vector<std::string>> lock_down_vetter() {
  std::vector<std::string> standing;
  const Mapped before = mapped_now();
  for (const Step& step : kSteps) {
    auto wall = step.raise(before);
    if (!wall)
      return std::unexpected(
          std::move(wall).error().within("raise the wall '" + std::string(step.name) + "'"));
    if (*wall == Wall::kStands) standing.emplace_back(step.name);
  }
  return standing;
}

std::vector<std::string> vetter_walls() {
  std::vector<std::string> names;
  for (const Step& step : kSteps) names.emplace_back(step.name);
  return names;
}

}  // namespace airlock::jail

#include "jail/cell_jail.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

#include "base/fd.h"
#include "jail/steps.h"
#include "os/landlock.h"
#include "os/world.h"

namespace airlock::jail {

namespace {

struct Call {
  int number;
  std::string_view why;
};

// Allowed with any arguments.
constexpr std::array kAllowed = {
    Call{SCMP_SYS(brk), "memory"},
    Call{SCMP_SYS(munmap), "memory"},
    Call{SCMP_SYS(mremap), "memory"},
    Call{SCMP_SYS(madvise), "memory"},
    Call{SCMP_SYS(futex), "locks of the interpreter"},
    Call{SCMP_SYS(clock_gettime), "the clock, where it needs a call"},
    Call{SCMP_SYS(clock_getres), "the clock"},
    Call{SCMP_SYS(gettimeofday), "the clock"},
    Call{SCMP_SYS(clock_nanosleep), "sleeping; the deadline holds all the same"},
    Call{SCMP_SYS(nanosleep), "sleeping"},
    Call{SCMP_SYS(getrandom), "random identifiers"},
    Call{SCMP_SYS(sched_yield), "handing over the processor"},
    Call{SCMP_SYS(rt_sigreturn), "returning from the handler that notes denials"},
    Call{SCMP_SYS(exit), "ending"},
    Call{SCMP_SYS(exit_group), "ending"},
};

// Allowed on the cell's own socket, descriptor 0, and nothing else.
constexpr std::array kOnSocket = {
    Call{SCMP_SYS(recvmsg), "the socket"},
    Call{SCMP_SYS(sendmsg), "the socket"},
};

// As large as it commonly is; a host without a limit gets one.
constexpr std::uint64_t kStack = 8UL * 1024 * 1024;
// What the C library maps without it being data: guard pages, alignment of its heaps. So the limit
// that gives a MemoryError in good order is reached first.
constexpr std::uint64_t kSlack = 64UL * 1024 * 1024;

Result<void> check(int result, std::string_view doing) {
  if (result == 0) return {};
  return fail("make a seccomp filter: " + std::string(doing) + ": " +
              std::generic_category().message(-result));
}

Result<std::vector<sock_filter>> export_program(scmp_filter_ctx filter) {
  const Fd file(::memfd_create("filter", MFD_CLOEXEC));
  if (!file.is_open()) return fail_errno("make room for the seccomp filter");
  TRY(check(seccomp_export_bpf(filter, file.get()), "write the seccomp filter"));
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size)
    return fail_errno("read the seccomp filter");
  return program;
}

}  // namespace

Result<os::World> leave_the_host() {
  auto world = os::leave_the_host();
  if (!world) return std::unexpected(std::move(world).error().within("leave the host"));
  return world;
}

Result<std::vector<std::string>> close_the_door(const os::World& world) {
  std::vector<std::string> walls;
  if (::clearenv() != 0) return fail("empty the environment");
  // Without this variable the C library asks the file about the zone again at every mktime(). With
  // it, it keeps what it read, and it reads it here, while there are files.
  if (::setenv(kZoneVariable, kZone, 1) != 0) return fail_errno("keep the time zone");
  ::tzset();
  walls.emplace_back("empty-environment");
  if (world.own_users) walls.emplace_back("user-namespace");
  if (world.own_processes) walls.emplace_back("pid-namespace");
  if (world.own_network) walls.emplace_back("net-namespace");
  if (world.own_ipc) walls.emplace_back("ipc-namespace");
  if (world.own_names) walls.emplace_back("uts-namespace");
  if (world.own_mounts) {
    if (auto emptied = os::empty_the_root(); !emptied)
      return std::unexpected(std::move(emptied).error().within("empty the root"));
    walls.emplace_back("empty-root");
  }
  TRY(drop_all_capabilities());
  walls.emplace_back("no-capabilities");
  // Late: the kernel forgets it when a process changes its user or its powers.
  TRY(die_with_parent());
  walls.emplace_back("die-with-parent");
  TRY(forbid_new_privileges());
  walls.emplace_back("no-new-privileges");
  TRY(forbid_dumps());
  walls.emplace_back("no-dump");
  if (os::landlock_version() > 0) {
    TRY(os::landlock_deny_all());
    walls.emplace_back("landlock");
  }
  return walls;
}

Result<CellFilter> make_cell_filter() {
  const std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_TRAP),
                                                      &seccomp_release);
  if (filter == nullptr)
    return fail(
        "make a seccomp filter: this kernel has no system-call filters, or the container forbids "
        "them");
  // Another architecture's calls have other numbers: there is no honest reason to make one.
  TRY(check(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
            "refuse other architectures"));
  for (const Call& call : kAllowed) {
    TRY(check(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call.number, 0),
              "allow a system call"));
  }
  for (const Call& call : kOnSocket) {
    TRY(check(
        seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call.number, 1, SCMP_A0(SCMP_CMP_EQ, 0)),
        "allow the socket"));
  }
  // poll() takes a pointer, which a filter cannot look behind; one descriptor only is as close as
  // it gets.
  TRY(check(
      seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(poll), 1, SCMP_A1(SCMP_CMP_EQ, 1)),
      "allow waiting"));
  TRY(check(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                             SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)),
            "allow memory without code"));
  // RLIMIT_DATA counts neither shared memory nor what grows like a stack.
  TRY(check(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
                             SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                             SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0)),
            "allow memory that is counted"));
  auto program = export_program(filter.get());
  if (!program) return std::unexpected(std::move(program).error());
  return CellFilter{std::move(*program)};
}

CellLimits limits_for(const Mapped& mapped, std::uint64_t memory_bytes, std::uint32_t cpu_seconds) {
  return {mapped.data + memory_bytes, mapped.all + memory_bytes + kStack + kSlack, cpu_seconds};
}

Result<std::vector<std::string>> lock_down_cell(grant::OnlyOurCode, const CellLimits& limits,
                                                std::vector<std::string> walls) {
  TRY(die_with_parent());
  TRY(limit(RLIMIT_CORE, 0, "forbid core files"));
  TRY(limit(RLIMIT_FSIZE, 0, "forbid writing files"));
  TRY(limit(RLIMIT_NOFILE, 3, "forbid new descriptors"));
  TRY(limit(RLIMIT_NPROC, 0, "forbid new processes"));
  TRY(limit(RLIMIT_MEMLOCK, 0, "forbid locked memory"));
  TRY(limit(RLIMIT_MSGQUEUE, 0, "forbid message queues"));
  TRY(limit_at_most(RLIMIT_STACK, kStack, "limit the stack"));
  TRY(limit_at_most(RLIMIT_CPU, limits.cpu_seconds, "limit processor time"));
  TRY(limit_at_most(RLIMIT_AS, limits.address_bytes, "limit mapped memory"));
  TRY(limit_at_most(RLIMIT_DATA, limits.data_bytes, "limit memory"));
  for (const char* wall : {"own-process", "own-descriptors", "deadline", "limits"})
    walls.emplace_back(wall);
  return walls;
}

Result<std::vector<std::string>> lock_down_cell(const CellFilter& filter, const CellLimits& limits,
                                                std::vector<std::string> walls) {
  auto standing = lock_down_cell(grant::OnlyOurCode(), limits, std::move(walls));
  if (!standing) return standing;
  sock_fprog program{static_cast<unsigned short>(filter.program.size()),
                     const_cast<sock_filter*>(filter.program.data())};
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    return fail_errno("load the seccomp filter");
  standing->emplace_back("seccomp");
  return standing;
}

std::string call_name(std::uint32_t number) {
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number)), &std::free);
  return name != nullptr ? std::string(name.get()) : "call " + std::to_string(number);
}

}  // namespace airlock::jail

// The filters' programs, read call by call: an interpreter of the kernel's filter language, small
// enough to be seen through, says what becomes of any number with any arguments. No process is
// needed, so every call of the table and every number beside it can be asked about. That the kernel
// says the same is shown by real children in cell_jail_test.cc.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "jail/cell_filter.h"
#include "jail/seccomp_filter.h"

namespace airlock::jail {
namespace {

using Arguments = std::array<std::uint64_t, 6>;

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// ---- the interpreter: loads, jumps and returns are all that filters are made of

std::uint32_t load_word(const seccomp_data& data, std::uint32_t at) {
  std::uint32_t word = 0;
  if (at + sizeof word <= sizeof data)
    std::memcpy(&word, reinterpret_cast<const char*>(&data) + at, sizeof word);
  return word;
}

bool is_taken(const sock_filter& line, std::uint32_t value) {
  switch (BPF_OP(line.code)) {
    case BPF_JEQ:
      return value == line.k;
    case BPF_JGT:
      return value > line.k;
    case BPF_JGE:
      return value >= line.k;
    case BPF_JSET:
      return (value & line.k) != 0;
    default:
      ADD_FAILURE() << "an unknown jump";
      return false;
  }
}

std::uint32_t run(const SeccompFilter& filter, const seccomp_data& data) {
  std::uint32_t value = 0;
  for (std::size_t at = 0; at < filter.program.size(); ++at) {
    const sock_filter& line = filter.program[at];
    switch (BPF_CLASS(line.code)) {
      case BPF_LD:
        value = load_word(data, line.k);
        break;
      case BPF_ALU:
        EXPECT_EQ(BPF_OP(line.code), BPF_AND) << "masks are the only arithmetic";
        value &= line.k;
        break;
      case BPF_JMP:
        if (BPF_OP(line.code) == BPF_JA) {
          at += line.k;
        } else {
          at += is_taken(line, value) ? line.jt : line.jf;
        }
        break;
      case BPF_RET:
        return line.k;
      default:
        ADD_FAILURE() << "an unknown instruction";
        return SECCOMP_RET_ALLOW;
    }
  }
  ADD_FAILURE() << "the program has no end";
  return SECCOMP_RET_ALLOW;
}

std::uint32_t answer(const SeccompFilter& filter, long call, const Arguments& arguments = {},
                     std::uint32_t architecture = kArchitecture) {
  seccomp_data data{};
  data.nr = static_cast<int>(call);
  data.arch = architecture;
  for (std::size_t i = 0; i < arguments.size(); ++i) data.args[i] = arguments[i];
  return run(filter, data);
}

bool is_allowed(const SeccompFilter& filter, long call, const Arguments& arguments = {}) {
  return answer(filter, call, arguments) == SECCOMP_RET_ALLOW;
}

const SeccompFilter& filter_of(Calls calls) {
  static const SeccompFilter text = make_cell_filter(Calls::kPureText).value();
  static const SeccompFilter program = make_cell_filter(Calls::kProgram).value();
  static const SeccompFilter probe = make_cell_filter(Calls::kProbe).value();
  if (calls == Calls::kPureText) return text;
  return calls == Calls::kProgram ? program : probe;
}

constexpr std::array kAll = {Calls::kPureText, Calls::kProgram, Calls::kProbe};
constexpr std::array kNative = {Calls::kProgram, Calls::kProbe};

// What becomes of calls without a rule.
std::uint32_t refusal_of(Calls calls) {
  return calls == Calls::kPureText ? SECCOMP_RET_TRAP : SECCOMP_RET_USER_NOTIF;
}

constexpr std::uint64_t kHigh = 0x100000000U;  // a bit that an int does not have

// ---- every number

// Those that a filter lets through whatever their arguments are: all six zero, and all of them one.
std::set<std::string> always_allowed(Calls calls) {
  std::set<std::string> names;
  const Arguments ones = {~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL};
  for (std::uint32_t number = 0; number < 600; ++number) {
    if (is_allowed(filter_of(calls), number) && is_allowed(filter_of(calls), number, ones))
      names.insert(call_name(number));
  }
  return names;
}

TEST(FilterProgram, OfPureTextAllowsTheseCallsAndNoOthersWithAnyArguments) {
#if defined(__x86_64__)
  EXPECT_EQ(
      always_allowed(Calls::kPureText),
      (std::set<std::string>{"brk", "munmap", "mremap", "madvise", "futex", "clock_gettime",
                             "clock_getres", "gettimeofday", "clock_nanosleep", "nanosleep",
                             "getrandom", "sched_yield", "rt_sigreturn", "exit", "exit_group"}));
#endif
}

TEST(FilterProgram, OfMoreRightsAllowsWhatTheLesserOneAllows) {
  const auto text = always_allowed(Calls::kPureText);
  const auto program = always_allowed(Calls::kProgram);
  const auto probe = always_allowed(Calls::kProbe);
  EXPECT_TRUE(std::ranges::includes(program, text));
  EXPECT_TRUE(std::ranges::includes(probe, program));
  EXPECT_LT(program.size(), probe.size());
}

TEST(FilterProgram, NeverAllowsWhatMakesProcessesConnectionsOrPowers) {
  const std::array kNever = {SYS_clone,
                             SYS_execve,
                             SYS_execveat,
                             SYS_ptrace,
                             SYS_kill,
                             SYS_tkill,
                             SYS_tgkill,
                             SYS_socket,
                             SYS_connect,
                             SYS_bind,
                             SYS_listen,
                             SYS_accept4,
                             SYS_mount,
                             SYS_umount2,
                             SYS_pivot_root,
                             SYS_chroot,
                             SYS_unshare,
                             SYS_setns,
                             SYS_bpf,
                             SYS_perf_event_open,
                             SYS_keyctl,
                             SYS_add_key,
                             SYS_io_uring_setup,
                             SYS_userfaultfd,
                             SYS_seccomp,
                             SYS_prctl,
                             SYS_capset,
                             SYS_setuid,
                             SYS_setgid,
                             SYS_setrlimit,
                             SYS_memfd_create,
                             SYS_shmget,
                             SYS_shmat,
                             SYS_msgget,
                             SYS_semget,
                             SYS_process_vm_readv,
                             SYS_process_vm_writev,
                             SYS_pidfd_open,
                             SYS_pidfd_send_signal,
                             SYS_init_module,
                             SYS_finit_module,
                             SYS_delete_module,
                             SYS_reboot,
                             SYS_syslog,
                             SYS_sethostname,
                             SYS_personality,
                             SYS_mknodat,
                             SYS_open_by_handle_at,
                             SYS_openat2,
                             SYS_dup3,
                             SYS_sched_setaffinity,
                             SYS_setpriority,
                             SYS_timer_create,
                             SYS_clone3,
                             SYS_name_to_handle_at,
                             SYS_landlock_restrict_self,
                             SYS_move_pages,
                             SYS_kcmp,
                             SYS_acct,
                             SYS_swapon,
                             SYS_quotactl,
                             SYS_lookup_dcookie,
                             SYS_inotify_init1,
                             SYS_fanotify_init};
  for (const Calls calls : kAll) {
    for (const long call : kNever) {
      for (const Arguments& arguments :
           {Arguments{}, Arguments{1, 1, 1, 1, 1, 1}, Arguments{3, 0, 0x10000, 0, 0, 0}}) {
        EXPECT_FALSE(is_allowed(filter_of(calls), call, arguments))
            << call_name(static_cast<std::uint32_t>(call));
      }
    }
  }
}

TEST(FilterProgram, RefusesEveryNumberThatNobodyKnows) {
  for (const Calls calls : kAll) {
    for (const long number : {600L, 999L, 4096L, 0x3FFFFFFFL}) {
      EXPECT_EQ(answer(filter_of(calls), number), refusal_of(calls)) << number;
    }
  }
}

TEST(FilterProgram, OfNativeCodeHasAListenerAndThatOfTextHasNone) {
  EXPECT_FALSE(filter_of(Calls::kPureText).has_listener);
  for (const Calls calls : kNative) EXPECT_TRUE(filter_of(calls).has_listener);
}

TEST(FilterProgram, FitsIntoTheKernel) {
  for (const Calls calls : kAll) {
    EXPECT_GT(filter_of(calls).program.size(), 20U);
    EXPECT_LE(filter_of(calls).program.size(), std::size_t{BPF_MAXINSNS});
  }
}

// ---- other architectures

TEST(FilterProgram, EndsTheProcessForEveryOtherArchitecture) {
  for (const Calls calls : kAll) {
    for (const std::uint32_t other : {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_ARM},
                                      std::uint32_t{AUDIT_ARCH_MIPS}, 0U, 0xFFFFFFFFU}) {
      for (const long call : {SYS_brk, SYS_exit_group, SYS_clock_gettime})
        EXPECT_EQ(answer(filter_of(calls), call, {}, other), SECCOMP_RET_KILL_PROCESS) << other;
    }
  }
}

#if defined(__x86_64__)
TEST(FilterProgram, EndsTheProcessForTheNumbersOfX32) {
  for (const Calls calls : kAll) {
    for (const long call : {SYS_brk, SYS_exit_group, SYS_getpid, SYS_openat})
      EXPECT_EQ(answer(filter_of(calls), 0x40000000L + call), SECCOMP_RET_KILL_PROCESS) << call;
  }
}
#endif

// ---- the cell's socket

Arguments message(std::uint64_t descriptor, std::uint64_t flags) {
  return {descriptor, 0x1000, flags, 0, 0, 0};
}

TEST(FilterProgram, AllowsMessagesOnTheCellsSocketWithTheUsualFlagsAlone) {
  constexpr std::uint64_t kReceive = MSG_DONTWAIT | MSG_CMSG_CLOEXEC;
  constexpr std::uint64_t kSend = MSG_DONTWAIT | MSG_NOSIGNAL;
  for (const Calls calls : kAll) {
    const SeccompFilter& filter = filter_of(calls);
    EXPECT_TRUE(is_allowed(filter, SYS_recvmsg, message(0, kReceive)));
    EXPECT_TRUE(is_allowed(filter, SYS_sendmsg, message(0, kSend)));
    for (int bit = 0; bit < 32; ++bit) {
      const std::uint64_t flag = std::uint64_t{1} << bit;
      EXPECT_FALSE(is_allowed(filter, SYS_recvmsg, message(0, kReceive ^ flag))) << bit;
      EXPECT_FALSE(is_allowed(filter, SYS_sendmsg, message(0, kSend ^ flag))) << bit;
    }
  }
}

TEST(FilterProgram, AllowsMessagesOnNoOtherDescriptor) {
  constexpr std::uint64_t kSend = MSG_DONTWAIT | MSG_NOSIGNAL;
  for (const Calls calls : kAll) {
    for (const std::uint64_t descriptor : {1UL, 2UL, 3UL, 63UL, 0xFFFFFFFFUL, kHigh + 0UL})
      EXPECT_FALSE(is_allowed(filter_of(calls), SYS_sendmsg, message(descriptor, kSend)))
          << descriptor;
  }
}

TEST(FilterProgram, PollsOneDescriptorAtATimeWhereCodeIsText) {
  const SeccompFilter& filter = filter_of(Calls::kPureText);
  EXPECT_TRUE(is_allowed(filter, SYS_poll, {0x1000, 1, 0, 0, 0, 0}));
  for (const std::uint64_t count : {0UL, 2UL, 1024UL, kHigh + 1UL})
    EXPECT_FALSE(is_allowed(filter, SYS_poll, {0x1000, count, 0, 0, 0, 0})) << count;
}

// ---- memory

Arguments mapping(std::uint64_t protection, std::uint64_t flags) {
  return {0, 4096, protection, flags, ~0UL, 0};
}

TEST(FilterProgram, AllowsPlainMemoryAndNoneThatCanBeExecuted) {
  constexpr std::uint64_t kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;
  for (const Calls calls : kAll) {
    const SeccompFilter& filter = filter_of(calls);
    EXPECT_TRUE(is_allowed(filter, SYS_mmap, mapping(PROT_READ | PROT_WRITE, kPrivate)));
    EXPECT_TRUE(is_allowed(filter, SYS_mprotect, {0x1000, 4096, PROT_READ, 0, 0, 0}));
    for (const std::uint64_t more : {0UL, std::uint64_t{PROT_READ}, std::uint64_t{PROT_WRITE}}) {
      EXPECT_FALSE(is_allowed(filter, SYS_mmap, mapping(PROT_EXEC | more, kPrivate))) << more;
      EXPECT_FALSE(is_allowed(filter, SYS_mprotect, {0x1000, 4096, PROT_EXEC | more, 0, 0, 0}));
    }
  }
}

TEST(FilterProgram, AllowsNoMemoryThatNoLimitCounts) {
  for (const Calls calls : kAll) {
    for (const std::uint64_t flags :
         {std::uint64_t{MAP_SHARED | MAP_ANONYMOUS}, std::uint64_t{MAP_PRIVATE | MAP_GROWSDOWN},
          std::uint64_t{MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN}})
      EXPECT_FALSE(is_allowed(filter_of(calls), SYS_mmap, mapping(PROT_READ | PROT_WRITE, flags)))
          << flags;
  }
}

TEST(FilterProgram, NativeModulesAreMappedFromFilesAndNeverWritable) {
  for (const Calls calls : kNative) {
    const SeccompFilter& filter = filter_of(calls);
    EXPECT_TRUE(is_allowed(filter, SYS_mmap, mapping(PROT_READ | PROT_EXEC, MAP_PRIVATE)));
    EXPECT_FALSE(is_allowed(filter, SYS_mmap, mapping(PROT_WRITE | PROT_EXEC, MAP_PRIVATE)));
    EXPECT_FALSE(
        is_allowed(filter, SYS_mmap, mapping(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS)));
    EXPECT_FALSE(is_allowed(filter, SYS_mmap, mapping(PROT_READ | PROT_EXEC, MAP_SHARED)));
  }
  EXPECT_FALSE(is_allowed(filter_of(Calls::kPureText), SYS_mmap,
                          mapping(PROT_READ | PROT_EXEC, MAP_PRIVATE)));
}

TEST(FilterProgram, FilesAreSharedMemoryOnlyForNativeCodeAndOnlyToRead) {
  for (const Calls calls : kNative) {
    EXPECT_TRUE(is_allowed(filter_of(calls), SYS_mmap, mapping(PROT_READ, MAP_SHARED)));
    EXPECT_FALSE(
        is_allowed(filter_of(calls), SYS_mmap, mapping(PROT_READ | PROT_WRITE, MAP_SHARED)));
  }
  EXPECT_FALSE(is_allowed(filter_of(Calls::kPureText), SYS_mmap, mapping(PROT_READ, MAP_SHARED)));
}

// ---- files

Arguments opening(std::uint64_t flags) {
  return {static_cast<std::uint64_t>(AT_FDCWD), 0x1000, flags, 0, 0, 0};
}

TEST(FilterProgram, ProgramsOpenFilesToReadAndInNoOtherWay) {
  const SeccompFilter& filter = filter_of(Calls::kProgram);
  EXPECT_TRUE(is_allowed(filter, SYS_openat, opening(O_RDONLY)));
  EXPECT_TRUE(is_allowed(filter, SYS_openat, opening(O_RDONLY | O_CLOEXEC | O_DIRECTORY)));
  for (const std::uint64_t flags :
       {std::uint64_t{O_WRONLY}, std::uint64_t{O_RDWR}, std::uint64_t{O_CREAT},
        std::uint64_t{O_TRUNC}, std::uint64_t{O_APPEND}, std::uint64_t{O_PATH},
        std::uint64_t{O_TMPFILE}, std::uint64_t{O_TMPFILE | O_RDWR}})
    EXPECT_FALSE(is_allowed(filter, SYS_openat, opening(flags))) << flags;
}

TEST(FilterProgram, ProbesOpenFilesToWriteButNoneWithoutAName) {
  const SeccompFilter& filter = filter_of(Calls::kProbe);
  EXPECT_TRUE(is_allowed(filter, SYS_openat, opening(O_WRONLY | O_CREAT | O_TRUNC)));
  EXPECT_TRUE(is_allowed(filter, SYS_openat, opening(O_RDWR | O_APPEND)));
  EXPECT_FALSE(is_allowed(filter, SYS_openat, opening(O_PATH)));
  EXPECT_FALSE(is_allowed(filter, SYS_openat, opening(O_TMPFILE | O_RDWR)));
}

TEST(FilterProgram, TextOpensNothing) {
  for (const std::uint64_t flags : {0UL, std::uint64_t{O_RDONLY | O_CLOEXEC}})
    EXPECT_FALSE(is_allowed(filter_of(Calls::kPureText), SYS_openat, opening(flags)));
  for (const long call : {SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_getdents64})
    EXPECT_FALSE(is_allowed(filter_of(Calls::kPureText), call, {3, 0x1000, 10, 0, 0, 0})) << call;
}

// ---- descriptors: 0 is the cell's socket, 1 and 2 are shared with others

TEST(FilterProgram, NativeCodeReadsFromDescriptorsOfItsOwnAlone) {
  for (const Calls calls : kNative) {
    for (const long call : {SYS_read, SYS_readv, SYS_pread64, SYS_preadv}) {
      for (const std::uint64_t shared : {0UL, 1UL, 2UL})
        EXPECT_FALSE(is_allowed(filter_of(calls), call, {shared, 0x1000, 10, 0, 0, 0}));
      for (const std::uint64_t own : {3UL, 4UL, 63UL})
        EXPECT_TRUE(is_allowed(filter_of(calls), call, {own, 0x1000, 10, 0, 0, 0})) << call;
    }
  }
}

TEST(FilterProgram, StandardStreamsCanBeWrittenAndTheSocketCannot) {
  for (const Calls calls : kNative) {
    for (const long call : {SYS_write, SYS_writev}) {
      EXPECT_FALSE(is_allowed(filter_of(calls), call, {0, 0x1000, 10, 0, 0, 0}));
      EXPECT_TRUE(is_allowed(filter_of(calls), call, {1, 0x1000, 10, 0, 0, 0}));
      EXPECT_TRUE(is_allowed(filter_of(calls), call, {2, 0x1000, 10, 0, 0, 0}));
      EXPECT_EQ(is_allowed(filter_of(calls), call, {3, 0x1000, 10, 0, 0, 0}),
                calls == Calls::kProbe);
    }
  }
}

TEST(FilterProgram, ABitThatAnIntDoesNotHaveIsAnErrorAndNoWayAround) {
  for (const Calls calls : kNative) {
    for (const long call : {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_sendto,
                            SYS_recvfrom, SYS_fcntl, SYS_ioctl}) {
      for (const std::uint64_t descriptor : {kHigh, kHigh + 1, kHigh + 3, ~0UL << 32})
        EXPECT_EQ(answer(filter_of(calls), call, {descriptor, 0, 0, 0, 0, 0}),
                  SECCOMP_RET_ERRNO | EBADF)
            << call;
    }
    EXPECT_EQ(answer(filter_of(calls), SYS_rt_sigaction, {kHigh + SIGSYS, 0, 0, 0, 0, 0}),
              SECCOMP_RET_ERRNO | EINVAL);
  }
}

TEST(FilterProgram, FlagsOfFilesAreSetOnDescriptorsOfItsOwnAlone) {
  for (const Calls calls : kNative) {
    const SeccompFilter& filter = filter_of(calls);
    for (const std::uint64_t descriptor : {0UL, 1UL, 2UL}) {
      EXPECT_TRUE(is_allowed(filter, SYS_fcntl, {descriptor, F_GETFL, 0, 0, 0, 0}));
      EXPECT_FALSE(is_allowed(filter, SYS_fcntl, {descriptor, F_SETFL, O_NONBLOCK, 0, 0, 0}));
      EXPECT_FALSE(is_allowed(filter, SYS_fcntl, {descriptor, F_DUPFD, 3, 0, 0, 0}));
    }
    EXPECT_TRUE(is_allowed(filter, SYS_fcntl, {3, F_SETFL, O_NONBLOCK, 0, 0, 0}));
    EXPECT_EQ(is_allowed(filter, SYS_fcntl, {3, F_DUPFD_CLOEXEC, 3, 0, 0, 0}),
              calls == Calls::kProbe);
    for (const std::uint64_t what : {std::uint64_t{F_SETOWN}, std::uint64_t{F_NOTIFY},
                                     std::uint64_t{F_SETLEASE}, std::uint64_t{F_SETPIPE_SZ}})
      EXPECT_FALSE(is_allowed(filter, SYS_fcntl, {3, what, 0, 0, 0, 0})) << what;
  }
}

TEST(FilterProgram, LocksOfProbesAreDoneWithoutTheKernel) {
  for (const std::uint64_t what : {std::uint64_t{F_SETLK}, std::uint64_t{F_SETLKW}})
    EXPECT_EQ(answer(filter_of(Calls::kProbe), SYS_fcntl, {3, what, 0, 0, 0, 0}),
              SECCOMP_RET_ERRNO | 0U);
  EXPECT_EQ(answer(filter_of(Calls::kProbe), SYS_flock), SECCOMP_RET_ERRNO | 0U);
}

// ---- signals and limits

TEST(FilterProgram, TheHandlerThatNotesDenialsStaysOurs) {
  for (const Calls calls : kNative) {
    for (std::uint64_t number = 1; number <= 64; ++number)
      EXPECT_EQ(is_allowed(filter_of(calls), SYS_rt_sigaction, {number, 4096, 0, 8, 0, 0}),
                number != SIGSYS)
          << number;
    // Without a new one it is only asked for.
    EXPECT_TRUE(is_allowed(filter_of(calls), SYS_rt_sigaction, {SIGSYS, 0, 4096, 8, 0, 0}));
    // The kernel looks at the whole pointer, and so do we.
    EXPECT_FALSE(is_allowed(filter_of(calls), SYS_rt_sigaction, {SIGSYS, 1UL << 32, 0, 8, 0, 0}));
  }
}

TEST(FilterProgram, MasksAndTheStateOfTheHostAreTheHandlers) {
  for (const Calls calls : kNative) {
    EXPECT_EQ(answer(filter_of(calls), SYS_rt_sigprocmask), SECCOMP_RET_TRAP);
    EXPECT_EQ(answer(filter_of(calls), SYS_sysinfo), SECCOMP_RET_TRAP);
  }
  for (const long call : {SYS_rt_sigprocmask, SYS_sysinfo, SYS_rt_sigaction})
    EXPECT_EQ(answer(filter_of(Calls::kPureText), call), SECCOMP_RET_TRAP);
}

TEST(FilterProgram, ItsOwnLimitsCanBeReadAndNobodysCanBeSet) {
  for (const Calls calls : kNative) {
    const SeccompFilter& filter = filter_of(calls);
    EXPECT_TRUE(is_allowed(filter, SYS_prlimit64, {0, 7, 0, 0x1000, 0, 0}));
    EXPECT_FALSE(is_allowed(filter, SYS_prlimit64, {0, 7, 0x1000, 0, 0, 0}));
    EXPECT_FALSE(is_allowed(filter, SYS_prlimit64, {1, 7, 0, 0x1000, 0, 0}));
    EXPECT_FALSE(is_allowed(filter, SYS_prlimit64, {0, 7, kHigh, 0, 0, 0}));
  }
}

// ---- sockets of a program's own

TEST(FilterProgram, APairOfSocketsIsLocalAndSpeaksWithUsualFlags) {
  for (const Calls calls : kNative) {
    const SeccompFilter& filter = filter_of(calls);
    EXPECT_TRUE(is_allowed(filter, SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0, 0, 0, 0}));
    for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_NETLINK},
                                       std::uint64_t{AF_VSOCK}, std::uint64_t{AF_PACKET}})
      EXPECT_FALSE(is_allowed(filter, SYS_socketpair, {family, SOCK_STREAM, 0, 0, 0, 0}));
    for (const long call : {SYS_sendto, SYS_recvfrom}) {
      EXPECT_TRUE(is_allowed(filter, call, {3, 0, 1, MSG_DONTWAIT, 0, 0}));
      EXPECT_FALSE(is_allowed(filter, call, {3, 0, 1, MSG_OOB, 0, 0}));
      EXPECT_FALSE(is_allowed(filter, call, {3, 0, 1, MSG_ERRQUEUE, 0, 0}));
      EXPECT_FALSE(is_allowed(filter, call, {0, 0, 1, MSG_DONTWAIT, 0, 0}));
    }
  }
}

TEST(FilterProgram, OptionsOfSocketsAreErrorAndTypeAlone) {
  for (const Calls calls : kNative) {
    for (std::uint64_t option = 0; option < 100; ++option)
      EXPECT_EQ(is_allowed(filter_of(calls), SYS_getsockopt, {3, SOL_SOCKET, option, 0, 0, 0}),
                option == SO_ERROR || option == SO_TYPE)
          << option;
    EXPECT_FALSE(is_allowed(filter_of(calls), SYS_setsockopt, {3, SOL_SOCKET, SO_TYPE, 0, 0, 0}));
  }
}

TEST(FilterProgram, NothingIsATerminal) {
  for (const Calls calls : kNative) {
    for (const std::uint64_t descriptor : {0UL, 1UL, 3UL}) {
      for (const std::uint64_t request : {std::uint64_t{TCGETS}, std::uint64_t{TIOCGWINSZ}})
        EXPECT_EQ(answer(filter_of(calls), SYS_ioctl, {descriptor, request, 0, 0, 0, 0}),
                  SECCOMP_RET_ERRNO | ENOTTY);
    }
    EXPECT_TRUE(is_allowed(filter_of(calls), SYS_ioctl, {3, FIONBIO, 0, 0, 0, 0}));
    EXPECT_FALSE(is_allowed(filter_of(calls), SYS_ioctl, {0, FIONBIO, 0, 0, 0, 0}));
    EXPECT_FALSE(is_allowed(filter_of(calls), SYS_ioctl, {3, TIOCSTI, 0, 0, 0, 0}));
  }
}

// ---- calls that libraries make by default: an answer, and no denial

struct QuietAnswer {
  int call;
  int error;  // 0: done, without having been made
};

const std::vector<QuietAnswer> kAnsweredForWriters = {{SCMP_SYS(chown), EPERM},
                                                      {SCMP_SYS(fchown), EPERM},
                                                      {SCMP_SYS(lchown), EPERM},
                                                      {SCMP_SYS(fchownat), EPERM},
                                                      {SCMP_SYS(link), EPERM},
                                                      {SCMP_SYS(linkat), EPERM},
                                                      {SCMP_SYS(symlink), EPERM},
                                                      {SCMP_SYS(symlinkat), EPERM},
                                                      {SCMP_SYS(listxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(llistxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(flistxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(getxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(lgetxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(fgetxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(setxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(lsetxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(fsetxattr), EOPNOTSUPP},
                                                      {SCMP_SYS(statfs), ENOSYS},
                                                      {SCMP_SYS(fstatfs), ENOSYS},
                                                      {SCMP_SYS(flock), 0}};

const std::vector<Arguments> kAnyArguments = {
    {}, {1, 1, 1, 1, 1, 1}, {3, 0, 0x10000, 0, 0, 0}, {~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL}};

TEST(FilterProgram, OwnersLinksAndAttributesAreAnsweredWhereFilesAreWrittenAndDeniedElsewhere) {
  for (const QuietAnswer& one : kAnsweredForWriters) {
    if (one.call < 0) continue;  // a call that this machine has not
    for (const Arguments& arguments : kAnyArguments) {
      EXPECT_EQ(answer(filter_of(Calls::kProbe), one.call, arguments),
                SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(one.error))
          << call_name(static_cast<std::uint32_t>(one.call));
      for (const Calls calls : {Calls::kPureText, Calls::kProgram})
        EXPECT_EQ(answer(filter_of(calls), one.call, arguments), refusal_of(calls))
            << call_name(static_cast<std::uint32_t>(one.call));
    }
  }
}

TEST(FilterProgram, HowManyProcessorsTheHostHasIsNobodysBusinessAndNoDenial) {
  for (const Arguments& arguments : kAnyArguments) {
    for (const Calls calls : kNative)
      EXPECT_EQ(answer(filter_of(calls), SYS_sched_getaffinity, arguments),
                SECCOMP_RET_ERRNO | EPERM);
    EXPECT_EQ(answer(filter_of(Calls::kPureText), SYS_sched_getaffinity, arguments),
              refusal_of(Calls::kPureText));
  }
}

TEST(FilterProgram, FoldersAndFilesAreMadeByProbesAlone) {
  for (const int call :
       {SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),  SCMP_SYS(rmdir),           SCMP_SYS(unlink),
        SCMP_SYS(unlinkat),  SCMP_SYS(rename),   SCMP_SYS(renameat),        SCMP_SYS(renameat2),
        SCMP_SYS(ftruncate), SCMP_SYS(truncate), SCMP_SYS(fsync),           SCMP_SYS(utimensat),
        SCMP_SYS(chmod),     SCMP_SYS(fchmod),   SCMP_SYS(fchmodat),        SCMP_SYS(chdir),
        SCMP_SYS(fchdir),    SCMP_SYS(pwrite64), SCMP_SYS(copy_file_range), SCMP_SYS(pipe),
        SCMP_SYS(pipe2)}) {
    if (call < 0) continue;
    for (const Arguments& arguments : kAnyArguments) {
      EXPECT_TRUE(is_allowed(filter_of(Calls::kProbe), call, arguments)) << call;
      for (const Calls calls : {Calls::kPureText, Calls::kProgram})
        EXPECT_EQ(answer(filter_of(calls), call, arguments), refusal_of(calls)) << call;
    }
  }
}

// The C library's question for a service of names, in one form; every other socket is a denial.
TEST(FilterProgram, OneQuestionForASocketIsAnsweredAndEveryOtherIsADenial) {
  constexpr std::uint64_t kUsual = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  for (const Calls calls : kNative)
    EXPECT_EQ(answer(filter_of(calls), SYS_socket, {AF_UNIX, kUsual, 0, 0, 0, 0}),
              SECCOMP_RET_ERRNO | EACCES);
  for (const Arguments& other :
       {Arguments{AF_UNIX, SOCK_STREAM, 0, 0, 0, 0}, Arguments{AF_UNIX, SOCK_DGRAM, 0, 0, 0, 0},
        Arguments{AF_INET, kUsual, 0, 0, 0, 0}, Arguments{AF_INET6, kUsual, 0, 0, 0, 0},
        Arguments{AF_NETLINK, kUsual, 0, 0, 0, 0}, Arguments{AF_PACKET, SOCK_RAW, 0, 0, 0, 0},
        Arguments{AF_UNIX + kHigh, kUsual, 0, 0, 0, 0}}) {
    for (const Calls calls : kNative)
      EXPECT_EQ(answer(filter_of(calls), SYS_socket, other), refusal_of(calls));
  }
  EXPECT_EQ(answer(filter_of(Calls::kPureText), SYS_socket, {AF_UNIX, kUsual, 0, 0, 0, 0}),
            refusal_of(Calls::kPureText));
}

// ---- the builder

TEST(FilterBuilder, WhoNotifiesHasAListener) {
  EXPECT_TRUE(FilterBuilder::begin(SCMP_ACT_NOTIFY).value().finish().value().has_listener);
  EXPECT_FALSE(FilterBuilder::begin(SCMP_ACT_TRAP).value().finish().value().has_listener);
}

TEST(FilterBuilder, TwoIntsOfOneCallAreBothLookedAt) {
  auto builder = FilterBuilder::begin(SCMP_ACT_ERRNO(EPERM)).value();
  ASSERT_TRUE(builder.allow(SYS_fcntl, {SCMP_A0(SCMP_CMP_GT, 2), SCMP_A1(SCMP_CMP_NE, F_SETFL)}));
  builder.require_int_argument(SYS_fcntl, 0, EBADF);
  builder.require_int_argument(SYS_fcntl, 1, EINVAL);
  const auto filter = builder.finish().value();
  EXPECT_TRUE(is_allowed(filter, SYS_fcntl, {3, F_GETFL, 0, 0, 0, 0}));
  EXPECT_EQ(answer(filter, SYS_fcntl, {3, F_SETFL, 0, 0, 0, 0}), SECCOMP_RET_ERRNO | EPERM);
  EXPECT_EQ(answer(filter, SYS_fcntl, {kHigh + 1, F_GETFL, 0, 0, 0, 0}), SECCOMP_RET_ERRNO | EBADF);
  EXPECT_EQ(answer(filter, SYS_fcntl, {3, kHigh + F_SETFL, 0, 0, 0, 0}),
            SECCOMP_RET_ERRNO | EINVAL);
  EXPECT_EQ(answer(filter, SYS_close, {kHigh, kHigh, 0, 0, 0, 0}), SECCOMP_RET_ERRNO | EPERM)
      << "the halves of another call are its own business";
}

TEST(FilterBuilder, AFilterWithoutRulesAnswersEverythingAlike) {
  for (const std::uint32_t otherwise :
       {std::uint32_t{SCMP_ACT_ERRNO(EPERM)}, std::uint32_t{SCMP_ACT_KILL_PROCESS}}) {
    const auto filter = FilterBuilder::begin(otherwise).value().finish().value();
    for (const long call : {SYS_read, SYS_brk, SYS_exit_group})
      EXPECT_EQ(answer(filter, call), otherwise);
    EXPECT_FALSE(filter.has_listener);
  }
}

TEST(FilterBuilder, EveryComparisonOfARuleMustHold) {
  auto builder = FilterBuilder::begin(SCMP_ACT_ERRNO(EPERM)).value();
  ASSERT_TRUE(builder.allow(SYS_fcntl, {SCMP_A0(SCMP_CMP_EQ, 3), SCMP_A1(SCMP_CMP_EQ, F_GETFL)}));
  const auto filter = builder.finish().value();
  EXPECT_TRUE(is_allowed(filter, SYS_fcntl, {3, F_GETFL, 0, 0, 0, 0}));
  EXPECT_FALSE(is_allowed(filter, SYS_fcntl, {4, F_GETFL, 0, 0, 0, 0}));
  EXPECT_FALSE(is_allowed(filter, SYS_fcntl, {3, F_SETFL, 0, 0, 0, 0}));
}

TEST(FilterBuilder, AnIntIsLookedAtWholeBeforeAnyRule) {
  auto builder = FilterBuilder::begin(SCMP_ACT_ERRNO(EPERM)).value();
  ASSERT_TRUE(builder.allow(SYS_close, {SCMP_A0(SCMP_CMP_GT, 2)}));
  builder.require_int_argument(SYS_close, 0, EBADF);
  const auto filter = builder.finish().value();
  EXPECT_TRUE(is_allowed(filter, SYS_close, {3, 0, 0, 0, 0, 0}));
  EXPECT_EQ(answer(filter, SYS_close, {2, 0, 0, 0, 0, 0}), SECCOMP_RET_ERRNO | EPERM);
  EXPECT_EQ(answer(filter, SYS_close, {kHigh + 2, 0, 0, 0, 0, 0}), SECCOMP_RET_ERRNO | EBADF)
      << "as a number it is greater than 2; as the kernel's int it is 2";
}

TEST(FilterBuilder, ARuleThatSaysNothingNewIsAnError) {
  auto builder = FilterBuilder::begin(SCMP_ACT_ERRNO(EPERM)).value();
  const auto wrong = builder.answer(SCMP_ACT_ERRNO(EPERM), SYS_getpid);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("make a seccomp filter"), std::string::npos);
}

}  // namespace
}  // namespace airlock::jail

// Real cells, one deed each: a child raises a cell's walls around itself and then makes the system
// call with its own hands. A denied call ends a child that does not listen; one that listens, as a
// real cell does, is told which call it was, and goes on.
#include "jail/cell_jail.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "jail/walls.h"
#include "os/landlock.h"

namespace airlock::jail {
namespace {

constexpr std::uint64_t kMegabyte = 1024UL * 1024;
constexpr std::uint64_t kGuestMemory = 100 * kMegabyte;
constexpr int kNoWalls = 250;

// ---- children

std::string ending_of(pid_t child) {
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return "not started";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == kNoWalls) return "could not raise its walls";
  return WEXITSTATUS(status) == 0 ? "did it" : "errno " + std::to_string(WEXITSTATUS(status));
}

// How a child ended that did `prepare` and, when that worked, `what`. Both return as a system call
// does.
template <typename Prepare, typename What>
std::string fate_of(Prepare&& prepare, What&& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (prepare() < 0) ::_exit(kNoWalls);
    errno = 0;
    const int number = what() < 0 ? errno : 0;
    ::syscall(SYS_exit_group, number);
  }
  return ending_of(child);
}

CellLimits usual_limits() {
  return limits_for(mapped_now(), kGuestMemory, 60);
}

// As a cell stands when the guest's first line runs: its socket is descriptor 0. (The zygote's
// walls have tests of their own below; the filter needs one of them.)
long become_a_cell() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return -1;
  if (::dup2(ends[0], 0) != 0) return -1;
  const auto filter = make_cell_filter(Calls::kPureText);
  if (!filter || !forbid_new_privileges()) return -1;
  const auto walls = lock_down_cell(*filter, usual_limits(), {});
  return walls && walls->walls.back() == "seccomp" ? 0 : -1;
}

template <typename What>
std::string fate_in_cell(What&& what) {
  return fate_of(become_a_cell, what);
}

// The same walls without the filter, so that the limits are seen to hold by themselves.
template <typename What>
std::string fate_behind_limits(What&& what) {
  return fate_of(
      [] {
        const auto walls = lock_down_cell(grant::OnlyOurCode(), usual_limits(), {});
        return walls ? 0L : -1L;
      },
      what);
}

std::string refused_with(int error) {
  return "errno " + std::to_string(error);
}
const std::string kDenied = "signal " + std::to_string(SIGSYS);

struct Deed {
  const char* name;
  long (*commit)();
};

std::string name_of(const testing::TestParamInfo<Deed>& info) {
  return info.param.name;
}

long map_memory(std::size_t bytes, int protection = PROT_READ | PROT_WRITE,
                int flags = MAP_PRIVATE | MAP_ANONYMOUS) {
  return ::syscall(SYS_mmap, nullptr, bytes, protection, flags, -1, 0);
}

// As os/channel.cc gives them.
int usual_flags(long call) {
  return call == SYS_sendmsg ? MSG_DONTWAIT | MSG_NOSIGNAL : MSG_DONTWAIT | MSG_CMSG_CLOEXEC;
}

long message_on(long call, int descriptor, int more_flags = 0) {
  static char byte = 0;
  static iovec piece{&byte, 1};
  static msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  return ::syscall(call, descriptor, &message, usual_flags(call) | more_flags);
}

// ---- what the filter denies

constexpr Deed kDeniedDeeds[] = {
    {"OpenAFile", [] { return ::syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }},
    {"OpenAFileTheOldWay", [] { return ::syscall(SYS_open, "/etc/passwd", O_RDONLY); }},
    {"OpenAFileTheNewWay",
     [] { return ::syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", nullptr, 0); }},
    {"AskAboutAFile",
     [] {
       static struct stat found;
       return ::syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &found, 0);
     }},
    {"AskAboutItsSocket",
     [] {
       static struct stat found;
       return ::syscall(SYS_fstat, 0, &found);
     }},
    {"ReadALink",
     [] {
       static char target[64];
       return ::syscall(SYS_readlink, "/proc/self/exe", target, sizeof target);
     }},
    {"ListAFolder",
     [] {
       static char entries[512];
       return ::syscall(SYS_getdents64, 0, entries, sizeof entries);
     }},
    {"AskWhereItIs",
     [] {
       static char folder[64];
       return ::syscall(SYS_getcwd, folder, sizeof folder);
     }},
    {"Read",
     [] {
       static char byte;
       return ::syscall(SYS_read, 0, &byte, 1);
     }},
    {"Write", [] { return ::syscall(SYS_write, 0, "x", 1); }},
    {"WriteToStandardError", [] { return ::syscall(SYS_write, 2, "x", 1); }},
    {"RemoveAFile", [] { return ::syscall(SYS_unlink, "/tmp/airlock-no-such-file"); }},
    {"MakeAFolder", [] { return ::syscall(SYS_mkdir, "/tmp/airlock-no-such-file/x", 0700); }},
    {"MakeAMemoryFile", [] { return ::syscall(SYS_memfd_create, "x", 0); }},
    {"MakeASocket", [] { return ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
    {"MakeASocketPair",
     [] {
       static int ends[2];
       return ::syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
     }},
    {"Connect", [] { return ::syscall(SYS_connect, 0, nullptr, 0); }},
    {"SendTheOtherWay", [] { return ::syscall(SYS_sendto, 0, "x", 1, 0, nullptr, 0); }},
    {"ReceiveFromAnotherDescriptor", [] { return message_on(SYS_recvmsg, 1); }},
    {"SendToAnotherDescriptor", [] { return message_on(SYS_sendmsg, 1); }},
    {"SendOutOfBand", [] { return message_on(SYS_sendmsg, 0, MSG_OOB); }},
    {"ReceiveOutOfBand", [] { return message_on(SYS_recvmsg, 0, MSG_OOB); }},
    {"LookAtWhatIsToBeReceived", [] { return message_on(SYS_recvmsg, 0, MSG_PEEK); }},
    {"ReceiveFromNoDescriptor", [] { return message_on(SYS_recvmsg, -1); }},
    {"WaitForTwoDescriptors",
     [] {
       static char two[16];
       return ::syscall(SYS_poll, two, 2, 0);
     }},
    {"CallByANumberThatNobodyKnows", [] { return ::syscall(1000); }},
    {"Fork", [] { return ::syscall(SYS_fork); }},
    {"Clone", [] { return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
    {"CloneAnew",
     [] {
       static clone_args arguments{};
       return ::syscall(SYS_clone3, &arguments, sizeof arguments);
     }},
    {"StartAThread",
     [] { return ::syscall(SYS_clone, CLONE_THREAD | CLONE_SIGHAND | CLONE_VM, 0, 0, 0, 0); }},
    {"ExecuteAProgram", [] { return ::syscall(SYS_execve, "/bin/true", nullptr, nullptr); }},
    {"ExecuteADescriptor",
     [] { return ::syscall(SYS_execveat, 0, "", nullptr, nullptr, AT_EMPTY_PATH); }},
    {"SignalItsParent", [] { return ::syscall(SYS_kill, 1, 0); }},
    {"TraceItsParent", [] { return ::syscall(SYS_ptrace, PTRACE_ATTACH, 1, 0, 0); }},
    {"ReadAnothersMemory",
     [] { return ::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0); }},
    {"AskWhoItIs", [] { return ::syscall(SYS_getuid); }},
    {"AskForItsNumber", [] { return ::syscall(SYS_getpid); }},
    {"AskTheHostsName",
     [] {
       static utsname name;
       return ::syscall(SYS_uname, &name);
     }},
    {"ListenToASignal", [] { return ::syscall(SYS_rt_sigaction, SIGSYS, nullptr, nullptr, 8); }},
    {"MaskSignals", [] { return ::syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, nullptr, 8); }},
    {"BecomeDumpableAgain", [] { return ::syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }},
    {"LiftALimit", [] { return ::syscall(SYS_prlimit64, 0, RLIMIT_DATA, nullptr, nullptr); }},
    {"LoadAnotherFilter", [] { return ::syscall(SYS_seccomp, 1, 0, nullptr); }},
    {"MakeANamespace", [] { return ::syscall(SYS_unshare, CLONE_NEWUSER); }},
    {"Mount", [] { return ::syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, nullptr); }},
    {"DuplicateADescriptor", [] { return ::syscall(SYS_dup, 0); }},
    {"CloseItsSocket", [] { return ::syscall(SYS_close, 0); }},
    {"ControlADevice", [] { return ::syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x"); }},
    {"ShareASegment", [] { return ::syscall(SYS_shmget, 0, 4096, 0600); }},
    {"MapMemoryForCode", [] { return map_memory(4096, PROT_READ | PROT_EXEC); }},
    {"MapWritableMemoryForCode",
     [] { return map_memory(4096, PROT_READ | PROT_WRITE | PROT_EXEC); }},
    {"MapSharedMemory",
     [] { return map_memory(4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS); }},
    {"MapSharedMemoryTheOtherWay",
     [] { return map_memory(4096, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_ANONYMOUS); }},
    {"MapMemoryThatGrows",
     [] {
       return map_memory(4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN);
     }},
    {"TurnMemoryIntoCode",
     [] { return ::syscall(SYS_mprotect, map_memory(4096), 4096, PROT_READ | PROT_EXEC); }},
    {"CallWhatDoesNotExist", [] { return ::syscall(100000); }},
#if defined(__x86_64__)
    {"CallByTheX32Numbers", [] { return ::syscall(0x40000000L + SYS_getpid); }},
    {"CallAsA32BitProgram",
     [] {
       long result = 20;  // getpid there
       asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
       return result;
     }},
#endif
};

class CellFilterDenies : public testing::TestWithParam<Deed> {};

TEST_P(CellFilterDenies, To) {
  EXPECT_EQ(fate_in_cell(GetParam().commit), kDenied);
}
INSTANTIATE_TEST_SUITE_P(Deeds, CellFilterDenies, testing::ValuesIn(kDeniedDeeds), name_of);

// ---- what it lets through

constexpr Deed kAllowedDeeds[] = {
    {"TakeMemory", [] { return map_memory(kMegabyte); }},
    {"GiveMemoryBack", [] { return ::syscall(SYS_munmap, map_memory(kMegabyte), kMegabyte); }},
    {"MoveMemory",
     [] {
       return ::syscall(SYS_mremap, map_memory(kMegabyte), kMegabyte, 2 * kMegabyte,
                        MREMAP_MAYMOVE);
     }},
    {"AdviseOnMemory",
     [] { return ::syscall(SYS_madvise, map_memory(kMegabyte), kMegabyte, MADV_DONTNEED); }},
    {"ProtectMemory",
     [] { return ::syscall(SYS_mprotect, map_memory(kMegabyte), kMegabyte, PROT_READ); }},
    {"AskForTheHeap", [] { return ::syscall(SYS_brk, 0); }},
    {"ReadTheClock",
     [] {
       static timespec now;
       return ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
     }},
    {"Sleep",
     [] {
       static timespec moment{0, 1000};
       return ::syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, nullptr);
     }},
    {"TakeRandomBytes",
     [] {
       static char bytes[16];
       return ::syscall(SYS_getrandom, bytes, sizeof bytes, 0);
     }},
    {"HandOverTheProcessor", [] { return ::syscall(SYS_sched_yield); }},
    {"SendToItsSocket", [] { return message_on(SYS_sendmsg, 0); }},
    {"WaitForItsSocket",
     [] {
       static char one[8];
       return ::syscall(SYS_poll, one, 1, 0);
     }},
};

class CellFilterAllows : public testing::TestWithParam<Deed> {};

TEST_P(CellFilterAllows, To) {
  EXPECT_EQ(fate_in_cell(GetParam().commit), "did it");
}
INSTANTIATE_TEST_SUITE_P(Deeds, CellFilterAllows, testing::ValuesIn(kAllowedDeeds), name_of);

TEST(CellFilterAllows, ToReceiveFromItsSocket) {
  EXPECT_EQ(fate_in_cell([] { return message_on(SYS_recvmsg, 0); }), refused_with(EAGAIN))
      << "the kernel looked: there is nothing to receive yet";
}

// ---- what a cell hears of it

volatile int heard_call = 0;

void on_denial(int, siginfo_t* info, void* context) {
  heard_call = info->si_syscall;
#if defined(__x86_64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.regs[0] = static_cast<unsigned>(-EPERM);
#endif
}

long listen_and_become_a_cell() {
  struct sigaction action{};
  action.sa_sigaction = on_denial;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (::sigaction(SIGSYS, &action, nullptr) != 0) return -1;
  return become_a_cell();
}

TEST(CellFilter, TellsWhichCallItDeniedAndTheCellGoesOn) {
  EXPECT_EQ(fate_of(listen_and_become_a_cell,
                    [] {
                      const bool first = ::syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY) < 0 &&
                                         errno == EPERM && heard_call == SYS_openat;
                      const bool second = ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0) < 0 &&
                                          errno == EPERM && heard_call == SYS_socket;
                      return first && second ? 0L : -1L;
                    }),
            "did it");
}

#if defined(__x86_64__)
TEST(CellFilter, EndsACellThatCallsByTheNumbersOfAnotherArchitectureEvenWhenItListens) {
  EXPECT_EQ(
      fate_of(listen_and_become_a_cell,
              [] {
                long result = 20;
                asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
                return 0L;
              }),
      kDenied);
}
#endif

TEST(CellFilter, OfNativeCodeHandsOverAListenerAndIsMadeForOne) {
  for (const Calls calls : {Calls::kPureText, Calls::kProgram, Calls::kProbe}) {
    const auto filter = make_cell_filter(calls);
    ASSERT_TRUE(filter.has_value());
    EXPECT_EQ(filter->has_listener, calls != Calls::kPureText);
  }
}

TEST(CellFilter, IsMadeOnceAndTheSameEveryTime) {
  const auto one = make_cell_filter(Calls::kPureText);
  const auto two = make_cell_filter(Calls::kPureText);
  ASSERT_TRUE(one && two);
  EXPECT_GT(one->program.size(), 20U);
  EXPECT_TRUE(std::ranges::equal(one->program, two->program, [](const auto& a, const auto& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }));
}

TEST(CellFilter, NeedsNoNewPrivilegesOrPowers) {
  const auto filter = make_cell_filter(Calls::kPureText);
  ASSERT_TRUE(filter.has_value());
  EXPECT_EQ(fate_of([] { return drop_all_capabilities() ? 0L : -1L; },
                    [&] {
                      const auto walls = lock_down_cell(*filter, usual_limits(), {});
                      const bool said =
                          !walls && walls.error().message.starts_with("load the seccomp filter: ");
                      return said ? 0L : -1L;
                    }),
            "did it")
      << "a filter that is not loaded is an error, never a missing line in the list";
}

TEST(CellFilter, NamesCalls) {
  EXPECT_EQ(call_name(SYS_openat), "openat");
  EXPECT_EQ(call_name(SYS_socket), "socket");
  EXPECT_EQ(call_name(99999), "call 99999");
}

// ---- limits

TEST(CellLimits, AreWhatIsMappedAndWhatTheGuestMayAdd) {
  const Mapped mapped{30 * kMegabyte, 200 * kMegabyte};
  const CellLimits limits = limits_for(mapped, 100 * kMegabyte, 17);
  EXPECT_EQ(limits.data_bytes, 130 * kMegabyte);
  EXPECT_EQ(limits.address_bytes, (200 + 100 + 8 + 64) * kMegabyte) << "the stack, and slack";
  EXPECT_EQ(limits.cpu_seconds, 17U);
}

TEST(CellLimits, OfMemoryThatCountsAreReachedBeforeThoseOfAllThatIsMapped) {
  const Mapped mapped = mapped_now();
  const CellLimits limits = limits_for(mapped, kGuestMemory, 1);
  EXPECT_GT(mapped.data, 0U);
  EXPECT_GE(mapped.all, mapped.data);
  EXPECT_LT(limits.data_bytes - mapped.data, limits.address_bytes - mapped.all);
}

struct Expected {
  const char* name;
  __rlimit_resource what;
  rlim_t value;
};

class CellLimitOn : public testing::TestWithParam<Expected> {};

TEST_P(CellLimitOn, IsSetForGood) {
  EXPECT_EQ(fate_behind_limits([] {
              rlimit now{};
              if (::getrlimit(GetParam().what, &now) != 0) return -1L;
              return now.rlim_cur == GetParam().value && now.rlim_max == GetParam().value ? 0L
                                                                                          : -1L;
            }),
            "did it");
}
INSTANTIATE_TEST_SUITE_P(Cell, CellLimitOn,
                         testing::Values(Expected{"CoreFiles", RLIMIT_CORE, 0},
                                         Expected{"FileSizes", RLIMIT_FSIZE, 0},
                                         Expected{"Descriptors", RLIMIT_NOFILE, 3},
                                         Expected{"Processes", RLIMIT_NPROC, 0},
                                         Expected{"LockedMemory", RLIMIT_MEMLOCK, 0},
                                         Expected{"MessageQueues", RLIMIT_MSGQUEUE, 0},
                                         Expected{"ProcessorTime", RLIMIT_CPU, 60}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CellLimits, LeaveNoDescriptorToOpen) {
  EXPECT_EQ(fate_behind_limits([] { return ::syscall(SYS_dup, 0); }), refused_with(EMFILE));
}

TEST(CellLimits, LeaveNoByteToWrite) {
  const Fd file(::memfd_create("file", MFD_CLOEXEC));
  ASSERT_TRUE(file.is_open());
  EXPECT_EQ(fate_behind_limits([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              return ::write(file.get(), "x", 1);
            }),
            refused_with(EFBIG));
}

TEST(CellLimits, EndOneLargeAllocation) {
  EXPECT_EQ(fate_in_cell([] { return map_memory(kGuestMemory + kMegabyte); }),
            refused_with(ENOMEM));
}

TEST(CellLimits, EndManySmallOnes) {
  EXPECT_EQ(fate_in_cell([] {
              long result = 0;
              for (int i = 0; i < 101 && result >= 0; ++i) result = map_memory(kMegabyte);
              return result;
            }),
            refused_with(ENOMEM));
}

TEST(CellLimits, LeaveWhatWasPromised) {
  EXPECT_EQ(fate_in_cell([] {
              long result = 0;
              for (int i = 0; i < 90 && result >= 0; ++i) result = map_memory(kMegabyte);
              return result;
            }),
            "did it");
}

// The kernel counts memory that turns writable as data only while all that is mapped could grow by
// as much again: then the limit on all that is mapped is what holds.
TEST(CellLimits, HoldForMemoryThatIsMadeWritableLater) {
  EXPECT_EQ(fate_in_cell([] {
              long result = 0;
              for (std::uint64_t taken = 0; taken < kGuestMemory + 80 * kMegabyte && result >= 0;
                   taken += kMegabyte) {
                result = map_memory(kMegabyte, PROT_NONE);
                if (result >= 0)
                  result = ::syscall(SYS_mprotect, result, kMegabyte, PROT_READ | PROT_WRITE);
              }
              return result;
            }),
            refused_with(ENOMEM));
  EXPECT_EQ(fate_in_cell([] { return map_memory(kGuestMemory + 80 * kMegabyte, PROT_NONE); }),
            refused_with(ENOMEM));
}

TEST(CellLimits, EndABusyLoop) {
  EXPECT_EQ(fate_of(
                [] {
                  CellLimits limits = usual_limits();
                  limits.cpu_seconds = 1;
                  return lock_down_cell(grant::OnlyOurCode(), limits, {}) ? 0L : -1L;
                },
                [] {
                  volatile unsigned long turns = 0;
                  while (true) turns = turns + 1;
                  return 0L;
                }),
            "signal " + std::to_string(SIGKILL));
}

TEST(CellLimits, ThatTheHostSetLowerStayLower) {
  EXPECT_EQ(fate_of(
                [] {
                  if (!limit(RLIMIT_STACK, kMegabyte, "lower the stack")) return -1L;
                  return lock_down_cell(grant::OnlyOurCode(), usual_limits(), {}) ? 0L : -1L;
                },
                [] {
                  rlimit now{};
                  ::getrlimit(RLIMIT_STACK, &now);
                  return now.rlim_max == kMegabyte ? 0L : -1L;
                }),
            "did it");
}

// ---- the walls of the zygote

// What a process says that raised them: one wall a line, or "error: …".
template <typename Enter>
std::string walls_said(Enter&& enter) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "error: no pipe";
  const Fd reader(ends[0]);
  Fd writer(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<std::vector<std::string>> walls = enter();
    std::string said;
    if (walls)
      for (const std::string& wall : *walls) said += wall + "\n";
    else
      said = "error: " + walls.error().message;
    const ssize_t written = ::write(writer.get(), said.data(), said.size());
    ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  writer.reset();
  std::string said;
  std::array<char, 512> piece{};
  for (ssize_t got = 0; (got = ::read(reader.get(), piece.data(), piece.size())) > 0;)
    said.append(piece.data(), static_cast<std::size_t>(got));
  const std::string ending = ending_of(child);
  return ending == "did it" ? said : "error: " + ending;
}

bool host_has_namespaces() {
  return fate_of([] { return 0L; }, [] { return ::unshare(CLONE_NEWUSER); }) == "did it";
}

std::string landlock_line() {
  return os::landlock_version() > 0 ? "landlock\n" : "";
}

const std::string kWallsOfEveryHost =
    "no-capabilities\ndie-with-parent\nno-new-privileges\nno-dump\n";

TEST(TheDoor, ClosesOnAHostWithoutNamespaces) {
  EXPECT_EQ(walls_said([] { return lock_down_zygote(os::Namespaces{}, {}); }),
            "empty-environment\n" + kWallsOfEveryHost + landlock_line());
}

TEST(TheDoor, ClosesOnAHostWithNamespacesAndAnEmptyRoot) {
  if (!host_has_namespaces()) GTEST_SKIP() << "this host has no user namespaces";
  EXPECT_EQ(walls_said([]() -> Result<std::vector<std::string>> {
              const auto namespaces = enter_namespaces();
              if (!namespaces) return std::unexpected(namespaces.error());
              return lock_down_zygote(*namespaces, {});
            }),
            "empty-environment\nuser-namespace\npid-namespace\nnet-namespace\nipc-namespace\n"
            "uts-namespace\nempty-root\n" +
                kWallsOfEveryHost + landlock_line());
}

TEST(TheDoor, AndTheCellsOwnWallsAreAllThatTheListHas) {
  if (!host_has_namespaces()) GTEST_SKIP() << "this host has no user namespaces";
  const CellLimits limits =
      usual_limits();  // what is mapped stands in /proc: behind the door it does not
  const std::string said = walls_said([&limits]() -> Result<std::vector<std::string>> {
    const auto namespaces = enter_namespaces();
    if (!namespaces) return std::unexpected(namespaces.error());
    auto walls = lock_down_zygote(*namespaces, {});
    if (!walls) return walls;
    auto locked = lock_down_cell(grant::OnlyOurCode(), limits, std::move(*walls));
    if (!locked) return std::unexpected(std::move(locked).error());
    return std::move(locked->walls);
  });
  std::size_t standing = 0;
  for (const Wall& wall : all_walls()) {
    if (wall.name == "seccomp") continue;  // it would deny this child its report
    if (wall.name == "landlock" && os::landlock_version() == 0) continue;
    EXPECT_NE(("\n" + said).find("\n" + std::string(wall.name) + "\n"), std::string::npos)
        << wall.name << " is missing in\n"
        << said;
    ++standing;
  }
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(said, '\n')), standing)
      << "and it names none that the list does not have:\n"
      << said;
}

template <typename What>
std::string fate_behind_the_door(What&& what) {
  return fate_of([] { return lock_down_zygote(os::Namespaces{}, {}) ? 0L : -1L; }, what);
}

TEST(BehindTheDoor, TheEnvironmentHoldsNothingOfTheHost) {
  ASSERT_EQ(::setenv("AIRLOCK_TEST_KEY", "hidden", 1), 0);
  EXPECT_EQ(fate_behind_the_door([] {
              const bool is_alone = ::environ[0] != nullptr && ::environ[1] == nullptr;
              return is_alone && ::environ[0] == std::string(kZoneVariable) + "=" + kZone ? 0L
                                                                                          : -1L;
            }),
            "did it");
}

TEST(BehindTheDoor, ThereIsNoFile) {
  if (os::landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(fate_behind_the_door([] { return ::open("/etc/passwd", O_RDONLY | O_CLOEXEC); }),
            refused_with(EACCES));
}

TEST(BehindTheDoor, ThereIsNoPower) {
  EXPECT_EQ(fate_behind_the_door([] {
              __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
              std::array<__user_cap_data_struct, 2> powers{};
              if (::syscall(SYS_capget, &header, powers.data()) != 0) return -1L;
              const bool none = std::ranges::all_of(powers, [](const auto& one) {
                return one.effective == 0 && one.permitted == 0 && one.inheritable == 0;
              });
              return none ? 0L : -1L;
            }),
            "did it");
}

TEST(BehindTheDoor, WhatThePrctlWallsPromiseIsSo) {
  EXPECT_EQ(fate_behind_the_door([] {
              int signal_of_parent = 0;
              ::prctl(PR_GET_PDEATHSIG, &signal_of_parent, 0, 0, 0);
              const bool all = signal_of_parent == SIGKILL &&
                               ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
                               ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
              return all ? 0L : -1L;
            }),
            "did it");
}

// With namespaces, the child that goes on is another process, and its stand-in ends as it ends.
template <typename What>
std::string fate_outside_the_host(What&& what) {
  return fate_of(
      [] {
        const auto namespaces = enter_namespaces();
        return namespaces && lock_down_zygote(*namespaces, {}) ? 0L : -1L;
      },
      what);
}

TEST(OutsideTheHost, TheRootIsEmptyAndReadOnly) {
  if (!host_has_namespaces()) GTEST_SKIP() << "this host has no user namespaces";
  EXPECT_EQ(fate_outside_the_host([] { return ::access("/etc", F_OK); }), refused_with(ENOENT));
  const std::string fate = fate_outside_the_host([] { return ::mkdir("/new", 0700); });
  EXPECT_TRUE(fate == refused_with(EROFS) || fate == refused_with(EACCES)) << fate;
}

TEST(OutsideTheHost, TheNameIsNotTheHosts) {
  if (!host_has_namespaces()) GTEST_SKIP() << "this host has no user namespaces";
  EXPECT_EQ(fate_outside_the_host([] {
              utsname name{};
              ::uname(&name);
              return std::string_view(name.nodename) == "cell" ? 0L : -1L;
            }),
            "did it");
}

TEST(OutsideTheHost, NoOtherProcessIsThere) {
  if (!host_has_namespaces()) GTEST_SKIP() << "this host has no user namespaces";
  EXPECT_EQ(fate_outside_the_host([] { return ::getpid() == 1 && ::getppid() == 0 ? 0L : -1L; }),
            "did it");
}

}  // namespace
}  // namespace airlock::jail

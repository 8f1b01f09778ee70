// A crime that succeeds must do no harm: signals are signal 0, targets are our own, what is made is
// made in the cell and dies with it. (1) Nothing here allocates or looks at errno twice: the call
// is made, the answer is handed back. (2) A few walls have no call that fails; there the crime
// looks for what should be hidden and answers ENODATA when it is not there.
#include "jail/crimes.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "jail/cell_jail.h"
#include "model/thread_variables.h"
#include "os/namespaces.h"

namespace airlock::jail {

namespace {

// The answer to a raw call: 0 when it was granted.
int answer(long result) {
  return result < 0 ? errno : 0;
}

template <typename... Arguments>
int call(long number, Arguments... arguments) {
  return answer(::syscall(number, arguments...));
}

int answer(void* mapped) {
  return mapped == MAP_FAILED ? errno : 0;
}

// The limit on descriptors would answer first; one of ours makes room.
void free_a_descriptor() {
  ::close(2);
}

// ---- files

int open_file(const Bait& bait) {
  return call(SYS_openat, AT_FDCWD, bait.file.c_str(), O_RDONLY);
}
int write_file(const Bait&) {
  return call(SYS_openat, AT_FDCWD, "/tmp/airlock-doctor", O_WRONLY | O_CREAT | O_EXCL, 0600);
}
int stat_path(const Bait& bait) {
  struct stat found{};
  return call(SYS_newfstatat, AT_FDCWD, bait.file.c_str(), &found, 0);
}
int read_link(const Bait&) {
  char target[64];
  return call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", target, sizeof target);
}
int list_root(const Bait&) {
  free_a_descriptor();
  return call(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
}
int write_root(const Bait&) {
  free_a_descriptor();
  return call(SYS_mkdirat, AT_FDCWD, "/airlock-doctor", 0700);
}
int open_outside(const Bait& bait) {
  free_a_descriptor();
  return call(SYS_openat, AT_FDCWD, bait.file.c_str(), O_RDONLY);
}
int climb_out(const Bait&) {
  struct stat found{};
  return call(SYS_newfstatat, AT_FDCWD, "../../../../etc", &found, 0);
}
int climb_above(const Bait&) {
  return os::is_root_topmost() ? ENODATA : 0;
}

// ---- network

int open_socket(const Bait&) {
  return call(SYS_socket, AF_INET, SOCK_STREAM, 0);
}
// UDP: connect() sends nothing, and fails only where there is no way to the address.
int reach_loopback(const Bait&) {
  free_a_descriptor();
  const int end = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (end < 0) return errno;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return answer(::connect(end, reinterpret_cast<sockaddr*>(&address), sizeof address));
}
int send_elsewhere(const Bait&) {
  msghdr nothing{};
  return call(SYS_sendmsg, 1, &nothing, 0);
}

// ---- processes

int end_at_once(void*) {
  ::_exit(0);
}
int make_process(const Bait&) {
  const long child = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) ::_exit(0);
  return answer(child);
}
int make_thread(const Bait&) {
  alignas(16) static char stack[16 * 1024];
  return answer(::clone(end_at_once, stack + sizeof stack, CLONE_VM | SIGCHLD, nullptr));
}
int start_program(const Bait&) {
  char name[] = "/bin/true";
  char* words[] = {name, nullptr};
  char* none[] = {nullptr};
  return call(SYS_execve, name, words, none);
}
int signal_airlock(const Bait& bait) {
  return call(SYS_kill, bait.process, 0);
}
int trace_airlock(const Bait& bait) {
  return call(SYS_ptrace, PTRACE_SEIZE, bait.process, 0, 0);
}
int read_memory_of(pid_t process) {
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{const_cast<char*>(__func__), 1};
  return call(SYS_process_vm_readv, process, &here, 1, &there, 1, 0);
}
int read_airlock(const Bait& bait) {
  return read_memory_of(bait.process);
}
int read_zygote(const Bait&) {
  return read_memory_of(::getppid());
}
int watch_airlock(const Bait& bait) {
  return call(SYS_pidfd_open, bait.process, 0);
}
// Signal 0 to all that can be seen: "no such process" when nobody else is there.
int signal_everyone(const Bait&) {
  return call(SYS_kill, -1, 0);
}

// ---- memory

constexpr std::size_t kGigabyte = 1024UL * 1024 * 1024;

int map_code(const Bait&) {
  return answer(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
int turn_data_into_code(const Bait&) {
  void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? 0 : answer(::mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
int map_shared(const Bait&) {
  return answer(
      ::mmap(nullptr, kGigabyte, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}
int map_growing(const Bait&) {
  return answer(::mmap(nullptr, kGigabyte, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0));
}
int map_gigabyte(const Bait&) {
  return answer(
      ::mmap(nullptr, kGigabyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
// Read-only memory is no data, but its page tables are memory all the same.
int map_address_space(const Bait&) {
  return answer(::mmap(nullptr, 64 * kGigabyte, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}
// 256 steps of 4 MiB; each is touched, since memory that nobody uses is not counted.
int map_in_steps(const Bait&) {
  for (int i = 0; i < 256; ++i) {
    constexpr std::size_t kStep = 4UL * 1024 * 1024;
    void* part = ::mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) return errno;
    static_cast<volatile char*>(part)[0] = 1;
  }
  return 0;
}
int make_memory_file(const Bait&) {
  return call(SYS_memfd_create, "doctor", 0);
}
int lock_memory(const Bait&) {
  alignas(4096) static char page[4096];
  return call(SYS_mlock, page, sizeof page);
}
int fill_memory_file(const Bait&) {
  free_a_descriptor();
  ::signal(SIGXFSZ, SIG_IGN);
  const long file = ::syscall(SYS_memfd_create, "doctor", 0);
  if (file < 0) return errno;
  return call(SYS_write, static_cast<int>(file), "x", 1);
}
int attach_shared_memory(const Bait&) {
  return call(SYS_shmget, IPC_PRIVATE, 4096, 0600);
}
int find_shared_memory(const Bait& bait) {
  shmid_ds found{};
  return answer(::shmctl(bait.shared_memory, IPC_STAT, &found));
}

// ---- doors of the kernel

int load_program(const Bait&) {
  bpf_attr attributes{};
  return call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}
int watch_counters(const Bait&) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  return call(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
int make_ring(const Bait&) {
  io_uring_params parameters{};
  return call(SYS_io_uring_setup, 1, &parameters);
}
int catch_faults(const Bait&) {
  return call(SYS_userfaultfd, 0);
}
int look_for_keys(const Bait&) {
  constexpr int kGetId = 0;
  constexpr int kSessionKeyring = -3;
  return call(SYS_keyctl, kGetId, kSessionKeyring, 0, 0, 0);
}
int make_namespace(const Bait&) {
  return call(SYS_unshare, CLONE_NEWUSER);
}
int mount_something(const Bait&) {
  return answer(::mount("none", "/", "tmpfs", 0, nullptr));
}
int rename_host(const Bait&) {
  return answer(::sethostname("breached", 8));
}
int raise_limits(const Bait&) {
  const rlimit more{1024, 1024};
  return call(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, nullptr);
}
int loosen_filter(const Bait&) {
  return call(SYS_seccomp, 0, 0, nullptr);
}
int ask_for_name(const Bait&) {
  utsname names{};
  return call(SYS_uname, &names);
}
int find_host_name(const Bait& bait) {
  utsname names{};
  if (::uname(&names) != 0) return errno;
  return bait.host_name == names.nodename ? 0 : ENODATA;
}
// A user that is not mapped does not exist; without a user namespace it does, and is only refused.
int become_another_user(const Bait&) {
  return answer(::setresuid(::getuid() + 1, ::getuid() + 1, ::getuid() + 1));
}
int find_privileges(const Bait&) {
  return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? ENODATA : 0;
}
int find_environment(const Bait&) {
  const auto is_ours = [](std::string_view variable) {
    return variable == std::string(kZoneVariable) + "=" + kZone ||
           std::ranges::any_of(kThreadVariables, [&](const char* name) {
             return variable == std::string(name) + "=" + kOneThread;
           });
  };
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (!is_ours(*variable)) return 0;
  }
  return ENODATA;
}
int find_descriptors(const Bait&) {
  for (int number = 3; number < 4096; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) return 0;
  }
  return errno;
}
int copy_descriptor(const Bait&) {
  return answer(::fcntl(0, F_DUPFD, 0));
}

#if defined(__x86_64__)
int make_32_bit_call(const Bait&) {
  int result = 20;  // getpid, by the numbers of another machine
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result < 0 ? -result : 0;
}
int make_x32_call(const Bait&) {
  return call(0x40000000 + SYS_getpid);
}
#endif

// ---- time

int spin(const Bait&) {
  volatile bool is_true = true;
  while (is_true) {
  }
  return 0;
}
int sleep_long(const Bait&) {
  const timespec hour{3600, 0};
  return call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &hour, nullptr) == 0 ? 0 : errno;
}
int crash(const Bait&) {
  volatile std::uintptr_t nowhere = 8;
  *reinterpret_cast<volatile int*>(nowhere) = 1;  // NOLINT(performance-no-int-to-ptr)
  return 0;
}

constexpr Filter kUp = Filter::kUp;
constexpr Filter kDown = Filter::kDown;
constexpr Proof kErrno = Proof::kErrno;

// A denied call gives EPERM: the cell's handler says so (guest/denials.h).
constexpr Crime denied(std::string_view name, std::string_view what, int (*commit)(const Bait&)) {
  return {name, WallId::kSeccomp, what, kUp, kErrno, {EPERM}, commit};
}

// The walls in their order, then all that the filter denies. Columns: name, wall, what is tried,
// filter up or down, how it shows that the wall held, the numbers that prove it, the attack.
constexpr auto kCrimes = std::to_array<Crime>({
    {"crash", WallId::kOwnProcess, "write to address 8", kUp, Proof::kSignal, {SIGSEGV}, crash},
    {"read-environment",
     WallId::kEmptyEnvironment,
     "look for a variable",
     kDown,
     kErrno,
     {ENODATA},
     find_environment},
    {"find-descriptors",
     WallId::kOwnDescriptors,
     "look for open files from 3 to 4095",
     kDown,
     kErrno,
     {EBADF},
     find_descriptors},
    {"become-another-user",
     WallId::kUserNamespace,
     "become the user next door",
     kDown,
     kErrno,
     {EINVAL},
     become_another_user},
    {"signal-everyone",
     WallId::kPidNamespace,
     "signal every process in sight",
     kDown,
     kErrno,
     {ESRCH},
     signal_everyone},
    {"reach-loopback",
     WallId::kNetNamespace,
     "reach 127.0.0.1 over UDP",
     kDown,
     kErrno,
     {ENETUNREACH},
     reach_loopback},
    {"find-shared-memory",
     WallId::kIpcNamespace,
     "look at shared memory of the host",
     kDown,
     kErrno,
     {EINVAL, EIDRM},
     find_shared_memory},
    {"find-host-name",
     WallId::kUtsNamespace,
     "look for the host's name",
     kDown,
     kErrno,
     {ENODATA},
     find_host_name},
    {"open-outside",
     WallId::kEmptyRoot,
     "open a file of the host",
     kDown,
     kErrno,
     {ENOENT},
     open_outside},
    {"stat-outside",
     WallId::kEmptyRoot,
     "ask about a path of the host",
     kDown,
     kErrno,
     {ENOENT},
     stat_path,
     HeldUsers::kEveryone,
     When::kEveryStart},
    {"climb-out",
     WallId::kEmptyRoot,
     "climb out of the root with ..",
     kDown,
     kErrno,
     {ENOENT},
     climb_out},
    {"climb-above",
     WallId::kEmptyRoot,
     "look at what lies above the root",
     kDown,
     kErrno,
     {ENODATA},
     climb_above,
     HeldUsers::kEveryone,
     When::kEveryStart},
    {"write-root",
     WallId::kEmptyRoot,
     "make a folder in the root",
     kDown,
     kErrno,
     {EROFS, EACCES},
     write_root},
    {"mount",
     WallId::kNoCapabilities,
     "mount a file system",
     kDown,
     kErrno,
     {EPERM},
     mount_something},
    {"rename-host",
     WallId::kNoCapabilities,
     "rename the host",
     kDown,
     kErrno,
     {EPERM},
     rename_host},
    {"gain-privileges",
     WallId::kNoNewPrivileges,
     "look for a way to new privileges",
     kDown,
     kErrno,
     {ENODATA},
     find_privileges},
    {"read-zygote",
     WallId::kNoDump,
     "read the zygote's memory",
     kDown,
     kErrno,
     {EPERM},
     read_zygote},
    {"list-root", WallId::kLandlock, "list the root folder", kDown, kErrno, {EACCES}, list_root},
    {"copy-descriptor",
     WallId::kLimits,
     "take one more descriptor",
     kDown,
     kErrno,
     {EMFILE, EINVAL},
     copy_descriptor},
    {"fork-behind",
     WallId::kLimits,
     "start a process",
     kDown,
     kErrno,
     {EAGAIN},
     make_process,
     HeldUsers::kOrdinaryUsers},
    {"lock-memory", WallId::kLimits, "lock memory", kDown, kErrno, {ENOMEM, EPERM}, lock_memory},
    {"fill-file",
     WallId::kLimits,
     "write one byte to a file in memory",
     kDown,
     kErrno,
     {EFBIG},
     fill_memory_file},
    {"raise-behind", WallId::kLimits, "raise a limit", kDown, kErrno, {EPERM}, raise_limits},
    {"map-gigabyte", WallId::kLimits, "take 1 GB at once", kUp, kErrno, {ENOMEM}, map_gigabyte},
    {"map-in-steps",
     WallId::kLimits,
     "take 1 GB in small steps",
     kUp,
     kErrno,
     {ENOMEM},
     map_in_steps},
    {"map-address-space",
     WallId::kLimits,
     "take 64 GB that are only read",
     kUp,
     kErrno,
     {ENOMEM},
     map_address_space},
    {"spin",
     WallId::kLimits,
     "use more than 1 s of processor time",
     kUp,
     Proof::kSignal,
     {SIGKILL, SIGXCPU},
     spin},
    {"loop", WallId::kDeadline, "loop for ever", kUp, Proof::kDeadline, {}, spin},
    {"sleep", WallId::kDeadline, "sleep for an hour", kUp, Proof::kDeadline, {}, sleep_long},
    denied("open-file", "open a file of the host", open_file),
    denied("write-file", "make a file in /tmp", write_file),
    denied("stat-path", "ask about a path of the host", stat_path),
    denied("read-link", "read the link /proc/self/exe", read_link),
    denied("open-socket", "open a socket", open_socket),
    denied("send-elsewhere", "send on a descriptor that is not the cell's socket", send_elsewhere),
    denied("fork", "start a process", make_process),
    denied("thread", "start a second thread", make_thread),
    denied("exec", "start /bin/true", start_program),
    denied("signal-airlock", "send a signal to airlock", signal_airlock),
    denied("trace-airlock", "trace airlock", trace_airlock),
    denied("read-airlock", "read airlock's memory", read_airlock),
    denied("watch-airlock", "get a handle on airlock's process", watch_airlock),
    denied("map-code", "map executable memory", map_code),
    denied("data-into-code", "make data executable", turn_data_into_code),
    denied("map-shared", "take 1 GB of shared memory, which no limit counts", map_shared),
    denied("map-growing", "take 1 GB as a stack, which no limit counts", map_growing),
    denied("memory-file", "make a file in memory", make_memory_file),
    denied("shared-memory", "make System V shared memory", attach_shared_memory),
    denied("raise-limits", "raise a limit", raise_limits),
    denied("namespace", "make a user namespace", make_namespace),
    denied("keys", "look for the session's keys", look_for_keys),
    denied("bpf", "use bpf", load_program),
    denied("perf", "use perf events", watch_counters),
    denied("io-uring", "use io_uring", make_ring),
    denied("userfaultfd", "catch page faults", catch_faults),
    denied("filter", "change the filter", loosen_filter),
    denied("host-name", "ask for the host's name", ask_for_name),
#if defined(__x86_64__)
    {"call-32-bit",
     WallId::kSeccomp,
     "make a call of the 32-bit interface",
     kUp,
     Proof::kSignal,
     {SIGSYS, SIGSEGV},
     make_32_bit_call},
    {"call-x32",
     WallId::kSeccomp,
     "make a call of the x32 interface",
     kUp,
     Proof::kSignal,
     {SIGSYS},
     make_x32_call},
#endif
});

}  // namespace

std::span<const Crime> all_crimes() {
  return kCrimes;
}

const Crime* find_crime(std::string_view name) {
  const auto* found = std::ranges::find(kCrimes, name, &Crime::name);
  return found != kCrimes.end() ? found : nullptr;
}

bool is_proof(const Crime& crime, int number) {
  return number != 0 && std::ranges::find(crime.numbers, number) != crime.numbers.end();
}

Result<void> test_wall_at_start(WallId wall) {
  const Bait bait{.host_name = "", .file = kBaitFile};
  for (const Crime& crime : kCrimes) {
    if (crime.wall != wall || crime.when != When::kEveryStart) continue;
    const int number = crime.commit(bait);
    if (is_proof(crime, number)) continue;
    return fail("try the wall '" + std::string(name_of(wall)) + "': " + std::string(crime.what) +
                ": " +
                (number == 0 ? "granted, where it must be refused"
                             : std::generic_category().message(number)));
  }
  return {};
}

}  // namespace airlock::jail

// Arguments are compared as the kernel's filter sees them: numbers, never what a pointer leads to.
// So a path cannot be judged here; that is left to the root, which holds nothing that may not be
// read, and to Landlock.
#include "jail/cell_filter.h"

#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace airlock::jail {

namespace {

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

// On the cell's own socket, descriptor 0, and nothing else; with the flags that os/channel.cc uses,
// and no others: out-of-band data alone has been good for more than one hole in kernels.
struct OnSocket {
  int number;
  scmp_datum_t flags;
  std::string_view why;
};
constexpr std::array kOnSocket = {
    OnSocket{SCMP_SYS(recvmsg), MSG_DONTWAIT | MSG_CMSG_CLOEXEC, "questions"},
    OnSocket{SCMP_SYS(sendmsg), MSG_DONTWAIT | MSG_NOSIGNAL, "answers"},
};

// Which flags a program may give on sockets of its own. Anything else in the low half is denied;
// the kernel does not look at the high one.
constexpr scmp_datum_t kUnexpectedFlags =
    0xFFFFFFFFU & ~static_cast<scmp_datum_t>(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_PEEK | MSG_WAITALL |
                                             MSG_TRUNC | MSG_MORE | MSG_CMSG_CLOEXEC);

// A program's own, with any arguments: nothing here makes a file, a process or a connection.
constexpr std::array kProgramAllowed = {
    Call{SCMP_SYS(restart_syscall), "going on with a call that was allowed, after it was stopped"},
    Call{SCMP_SYS(close), "files that it read"},
    Call{SCMP_SYS(fstat), "reading files: their size"},
    Call{SCMP_SYS(newfstatat), "finding modules"},
    Call{SCMP_SYS(stat), "finding modules"},
    Call{SCMP_SYS(lstat), "finding modules"},
    Call{SCMP_SYS(statx), "finding modules"},
    Call{SCMP_SYS(access), "finding modules"},
    Call{SCMP_SYS(faccessat), "finding modules"},
    Call{SCMP_SYS(faccessat2), "finding modules"},
    Call{SCMP_SYS(lseek), "reading files"},
    Call{SCMP_SYS(getdents64), "listing folders, as finding modules does"},
    Call{SCMP_SYS(readlink), "finding modules"},
    Call{SCMP_SYS(readlinkat), "finding modules"},
    Call{SCMP_SYS(rseq), "what a new thread registers; without it the C library ends the process"},
    Call{SCMP_SYS(getcwd), "where it stands: the root"},
    Call{SCMP_SYS(getpid), "its own number, in its own namespace"},
    Call{SCMP_SYS(getppid), "a number in its own namespace"},
    Call{SCMP_SYS(gettid), "its own number"},
    Call{SCMP_SYS(getuid), "nobody, whoever started it"},
    Call{SCMP_SYS(geteuid), "nobody"},
    Call{SCMP_SYS(getgid), "nobody"},
    Call{SCMP_SYS(getegid), "nobody"},
    Call{SCMP_SYS(getresuid), "nobody"},
    Call{SCMP_SYS(getresgid), "nobody"},
    Call{SCMP_SYS(uname), "the kernel's name; the host's is not in it"},
    Call{SCMP_SYS(getrusage), "its own use of time and memory"},
    Call{SCMP_SYS(times), "its own use of time"},
    Call{SCMP_SYS(getrlimit), "its own limits"},
    Call{SCMP_SYS(umask), "nothing can be made with it"},
    Call{SCMP_SYS(poll), "event loops"},
    Call{SCMP_SYS(ppoll), "event loops"},
    Call{SCMP_SYS(select), "event loops"},
    Call{SCMP_SYS(pselect6), "event loops"},
    Call{SCMP_SYS(epoll_create1), "event loops"},
    Call{SCMP_SYS(epoll_ctl), "event loops"},
    Call{SCMP_SYS(epoll_wait), "event loops"},
    Call{SCMP_SYS(epoll_pwait), "event loops"},
    Call{SCMP_SYS(shutdown), "the pair below"},
    Call{SCMP_SYS(getsockname), "the pair below"},
    Call{SCMP_SYS(getpeername), "the pair below"},
};

// Writing: where, the root and Landlock decide; nothing else in it is mounted to be written. No
// links, devices or owners.
constexpr std::array kWritingAllowed = {
    Call{SCMP_SYS(mkdir), "folders of its own"},
    Call{SCMP_SYS(mkdirat), "folders of its own"},
    Call{SCMP_SYS(rmdir), "folders of its own"},
    Call{SCMP_SYS(unlink), "files of its own"},
    Call{SCMP_SYS(unlinkat), "files of its own"},
    Call{SCMP_SYS(rename), "files of its own"},
    Call{SCMP_SYS(renameat), "files of its own"},
    Call{SCMP_SYS(renameat2), "files of its own"},
    Call{SCMP_SYS(ftruncate), "files of its own"},
    Call{SCMP_SYS(truncate), "files of its own"},
    Call{SCMP_SYS(fsync), "files of its own"},
    Call{SCMP_SYS(fdatasync), "files of its own"},
    Call{SCMP_SYS(utimensat), "times of its own files, as copying sets them"},
    Call{SCMP_SYS(chmod), "modes of its own files, as copying sets them"},
    Call{SCMP_SYS(fchmod), "modes of its own files"},
    Call{SCMP_SYS(fchmodat), "modes of its own files"},
    Call{SCMP_SYS(chdir), "moving about in its root"},
    Call{SCMP_SYS(fchdir), "moving about in its root"},
    Call{SCMP_SYS(pwrite64), "files of its own"},
    Call{SCMP_SYS(copy_file_range), "copying"},
    Call{SCMP_SYS(pipe),
         "pipes that only it holds: who wants a process is told so by the next call"},
    Call{SCMP_SYS(pipe2), "pipes that only it holds"},
};

// Answered with an error and not counted as a denial: libraries make these calls by default and
// handle the failure.
struct QuietError {
  int number;
  int error;
  std::string_view why;
};
constexpr std::array kQuietErrors = {
    QuietError{SCMP_SYS(sched_getaffinity), EPERM, "how many processors the host has"},
    QuietError{SCMP_SYS(mbind), ENOSYS, "which memory is near, as OpenBLAS asks for each buffer"},
    QuietError{SCMP_SYS(get_mempolicy), ENOSYS, "which memory is near"},
    // The C library then asks with clone, whose flags can be looked at: they are no pointer.
    QuietError{SCMP_SYS(clone3), ENOSYS, "threads"},
    QuietError{SCMP_SYS(set_robust_list), ENOSYS, "what a new thread registers"},
};

// The same for code that writes: honest copying, unpacking and database code makes these calls.
constexpr int kDone = 0;
constexpr std::array kWritingQuietErrors = {
    QuietError{SCMP_SYS(chown), EPERM, "owners, as unpacking sets them"},
    QuietError{SCMP_SYS(fchown), EPERM, "owners"},
    QuietError{SCMP_SYS(lchown), EPERM, "owners"},
    QuietError{SCMP_SYS(fchownat), EPERM, "owners"},
    QuietError{SCMP_SYS(link), EPERM, "links, as unpacking makes them"},
    QuietError{SCMP_SYS(linkat), EPERM, "links"},
    QuietError{SCMP_SYS(symlink), EPERM, "links"},
    QuietError{SCMP_SYS(symlinkat), EPERM, "links"},
    QuietError{SCMP_SYS(listxattr), EOPNOTSUPP, "extended attributes, as copying asks for them"},
    QuietError{SCMP_SYS(llistxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(flistxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(getxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(lgetxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(fgetxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(setxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(lsetxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(fsetxattr), EOPNOTSUPP, "extended attributes"},
    QuietError{SCMP_SYS(statfs), ENOSYS, "how full the host's disk is"},
    QuietError{SCMP_SYS(fstatfs), ENOSYS, "how full the host's disk is"},
    // A lock on a file of the repository would hold up the host's programs; alone in its root, code
    // can go on as if it had one.
    QuietError{SCMP_SYS(flock), kDone, "locks"},
};

constexpr scmp_datum_t kUnnamedFile = O_TMPFILE & ~O_DIRECTORY;
constexpr scmp_datum_t kNotReadOnly =
    O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_PATH | kUnnamedFile;

Result<void> allow_pure_text(FilterBuilder& filter) {
  TRY(filter.allow(kAllowed));
  for (const OnSocket& call : kOnSocket) {
    TRY(filter.allow(call.number, {SCMP_A0(SCMP_CMP_EQ, 0),
                                   SCMP_A2(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFU, call.flags)}));
  }
  return filter.allow_plain_memory();
}

// On descriptors that are not the cell's socket or /dev/null, which it shares with others.
Result<void> allow_on_own_descriptors(FilterBuilder& filter, std::initializer_list<int> calls) {
  for (const int call : calls) TRY(filter.allow(call, {SCMP_A0(SCMP_CMP_GT, 2)}));
  return {};
}

// Every call that a rule below compares with "greater" or "not": descriptors, and a signal.
void require_int_arguments(FilterBuilder& filter) {
  for (const int call : {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv),
                         SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(sendto), SCMP_SYS(recvfrom),
                         SCMP_SYS(sendfile), SCMP_SYS(fcntl), SCMP_SYS(ioctl)})
    filter.require_int_argument(call, 0, EBADF);
  filter.require_int_argument(SCMP_SYS(rt_sigaction), 0, EINVAL);
}

Result<void> allow_reading(FilterBuilder& filter) {
  TRY(filter.allow(SCMP_SYS(openat), {SCMP_A2(SCMP_CMP_MASKED_EQ, kNotReadOnly, 0)}));
  TRY(allow_on_own_descriptors(
      filter, {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv)}));
  // Files as memory, to read: mmap.ACCESS_READ, and how the C library reads tables of
  // encodings. What is open for reading stays so.
  TRY(filter.allow(
      SCMP_SYS(mmap),
      {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, 0),
       SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN | MAP_ANONYMOUS, MAP_SHARED)}));
  // Modules of native code: only from a file, and never writable.
  return filter.allow(SCMP_SYS(mmap),
                      {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC),
                       SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN | MAP_ANONYMOUS, 0)});
}

// No denials: guest/denials.cc does what is asked for, or says what is harmless.
constexpr std::array kDoneByHandler = {
    Call{SCMP_SYS(rt_sigprocmask), "masks, as the C library sets them around a fork"},
    Call{SCMP_SYS(sysinfo), "nothing of the host"},
};

Result<void> allow_program(FilterBuilder& filter) {
  require_int_arguments(filter);
  for (const Call& call : kDoneByHandler) TRY(filter.answer(SCMP_ACT_TRAP, call.number));
  TRY(filter.allow(kProgramAllowed));
  TRY(allow_reading(filter));
  // Standard output and error are /dev/null: what is printed goes another way.
  for (const scmp_datum_t descriptor : {1, 2}) {
    for (const int call : {SCMP_SYS(write), SCMP_SYS(writev)})
      TRY(filter.allow(call, {SCMP_A0(SCMP_CMP_EQ, descriptor)}));
  }
  for (const scmp_datum_t what : {F_GETFD, F_SETFD, F_GETFL})
    TRY(filter.allow(SCMP_SYS(fcntl), {SCMP_A1(SCMP_CMP_EQ, what)}));
  // The flags of a file are shared by all who inherited it: only those of its own.
  TRY(filter.allow(SCMP_SYS(fcntl), {SCMP_A0(SCMP_CMP_GT, 2), SCMP_A1(SCMP_CMP_EQ, F_SETFL)}));
  // No other option: one of them is a handle on the process at the other end.
  for (const scmp_datum_t option : {SO_ERROR, SO_TYPE}) {
    TRY(filter.allow(SCMP_SYS(getsockopt),
                     {SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET), SCMP_A2(SCMP_CMP_EQ, option)}));
  }
  // The handler that notes denials stays ours; that there is one can be asked.
  TRY(filter.allow(SCMP_SYS(rt_sigaction), {SCMP_A0(SCMP_CMP_NE, SIGSYS)}));
  TRY(filter.allow(SCMP_SYS(rt_sigaction), {SCMP_A1(SCMP_CMP_EQ, 0)}));
  // Its own limits can be read, and not set.
  TRY(filter.allow(SCMP_SYS(prlimit64), {SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0)}));
  // An event loop wakes itself through a pair of sockets that only it holds.
  TRY(filter.allow(SCMP_SYS(socketpair), {SCMP_A0(SCMP_CMP_EQ, AF_UNIX)}));
  for (const int call : {SCMP_SYS(sendto), SCMP_SYS(recvfrom)}) {
    TRY(filter.allow(call,
                     {SCMP_A0(SCMP_CMP_GT, 2), SCMP_A3(SCMP_CMP_MASKED_EQ, kUnexpectedFlags, 0)}));
  }
  // "Is this a terminal, and how wide?" is asked of every file: it is none. The two others are
  // flags of a descriptor.
  for (const scmp_datum_t request : {FIONBIO, FIOCLEX})
    TRY(filter.allow(SCMP_SYS(ioctl), {SCMP_A0(SCMP_CMP_GT, 2), SCMP_A1(SCMP_CMP_EQ, request)}));
  for (const scmp_datum_t request : {TCGETS, TIOCGWINSZ}) {
    const std::array is_of_terminal = {SCMP_A1(SCMP_CMP_EQ, request)};
    TRY(filter.answer(SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), is_of_terminal));
  }
  // The C library looks for a service that knows users' names, in this very form; there is none.
  const std::array is_local = {SCMP_A0(SCMP_CMP_EQ, AF_UNIX),
                               SCMP_A1(SCMP_CMP_EQ, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK)};
  TRY(filter.answer(SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), is_local));
  for (const QuietError& shrug : kQuietErrors)
    TRY(filter.answer(SCMP_ACT_ERRNO(static_cast<unsigned>(shrug.error)), shrug.number));
  return {};
}

Result<void> allow_writing(FilterBuilder& filter) {
  TRY(filter.allow(kWritingAllowed));
  TRY(filter.allow(SCMP_SYS(openat), {SCMP_A2(SCMP_CMP_MASKED_EQ, O_PATH | kUnnamedFile, 0)}));
  TRY(allow_on_own_descriptors(filter, {SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(sendfile)}));
  // Its socket has one number, by which it is known here.
  for (const scmp_datum_t what : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETLK})
    TRY(filter.allow(SCMP_SYS(fcntl), {SCMP_A0(SCMP_CMP_GT, 2), SCMP_A1(SCMP_CMP_EQ, what)}));
  for (const scmp_datum_t what : {F_SETLK, F_SETLKW}) {
    const std::array is_lock = {SCMP_A1(SCMP_CMP_EQ, what)};
    TRY(filter.answer(SCMP_ACT_ERRNO(kDone), SCMP_SYS(fcntl), is_lock));
  }
  for (const QuietError& shrug : kWritingQuietErrors)
    TRY(filter.answer(SCMP_ACT_ERRNO(static_cast<unsigned>(shrug.error)), shrug.number));
  return {};
}

}  // namespace

Result<SeccompFilter> make_cell_filter(Calls calls) {
  const bool has_native_code = calls != Calls::kPureText;
  auto filter = TRY(FilterBuilder::begin(has_native_code ? SCMP_ACT_NOTIFY : SCMP_ACT_TRAP));
  TRY(allow_pure_text(filter));
  if (has_native_code) {
    TRY(allow_program(filter));
    if (calls == Calls::kProbe) TRY(allow_writing(filter));
  } else {
    // poll() takes a pointer, which a filter cannot look behind; one descriptor only is as close as
    // it gets.
    TRY(filter.allow(SCMP_SYS(poll), {SCMP_A1(SCMP_CMP_EQ, 1)}));
  }
  return filter.finish();
}

std::string call_name(std::uint32_t number) {
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number)), &std::free);
  return name != nullptr ? std::string(name.get()) : "call " + std::to_string(number);
}

}  // namespace airlock::jail

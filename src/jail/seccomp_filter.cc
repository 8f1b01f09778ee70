// A finished program has two parts: our own looks at the upper halves of int arguments, then what
// libseccomp wrote. Ours come first and can only refuse; what they do not refuse runs into the
// second part, which loads what it needs itself and decides as if it stood alone.
#include "jail/seccomp_filter.h"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace airlock::jail {

namespace {

// Where the kernel puts the number of the call, and the upper 32 bits of an argument, for a filter
// to read. Filters load 32 bits at a time; x86-64 and arm64 are little-endian, so the high half is
// second.
constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);

constexpr std::uint32_t high_half(unsigned argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    argument * sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

Result<void> check(int result, std::string_view doing) {
  if (result == 0) return {};
  return fail("make a seccomp filter: " + std::string(doing) + ": " +
              std::generic_category().message(-result));
}

}  // namespace

Result<FilterBuilder> FilterBuilder::begin(std::uint32_t otherwise) {
  scmp_filter_ctx context = seccomp_init(otherwise);
  if (context == nullptr)
    return fail(
        "make a seccomp filter: this kernel has no system-call filters, or the container forbids "
        "them");
  FilterBuilder builder(context, otherwise == SCMP_ACT_NOTIFY);
  TRY(check(seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
            "refuse other architectures"));
  // A tree of comparisons, not a list: when a filter is loaded, the kernel tries it on every call
  // there is.
  constexpr std::uint32_t kTree = 2;
  TRY(check(seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, kTree), "order the calls"));
  return builder;
}

Result<void> FilterBuilder::allow(std::span<const Call> calls) {
  for (const Call& call : calls) TRY(answer(SCMP_ACT_ALLOW, call.number));
  return {};
}

Result<void> FilterBuilder::allow(int call, std::initializer_list<scmp_arg_cmp> when) {
  return answer(SCMP_ACT_ALLOW, call, {when.begin(), when.size()});
}

Result<void> FilterBuilder::answer(std::uint32_t action, int call,
                                   std::span<const scmp_arg_cmp> when) {
  return check(seccomp_rule_add_array(context_.get(), action, call,
                                      static_cast<unsigned>(when.size()), when.data()),
               "answer a system call");
}

// MAP_SHARED memory and stacks that grow are counted by no limit; PROT_EXEC would make data into
// code.
Result<void> FilterBuilder::allow_plain_memory() {
  TRY(allow(SCMP_SYS(mprotect), {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)}));
  return allow(SCMP_SYS(mmap), {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0)});
}

void FilterBuilder::require_int_argument(int call, unsigned argument, int error) {
  ints_.push_back({call, argument, error});
}

Result<SeccompFilter> FilterBuilder::finish() {
  const Fd file(::memfd_create("filter", MFD_CLOEXEC));
  if (!file.is_open()) return fail_errno("make room for the seccomp filter");
  TRY(check(seccomp_export_bpf(context_.get(), file.get()), "write the seccomp filter"));
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  SeccompFilter filter{.program = {}, .has_listener = has_listener_};
  // libseccomp compares an argument once in a rule, so the high halves are looked at before it.
  auto& program = filter.program;
  if (!ints_.empty()) program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber));
  for (const IntArgument& one : ints_) {
    program.push_back(
        // Another call: skip the four instructions below.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(one.call), 0, 4));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, high_half(one.argument)));
    // A high half of zero: skip the refusal. What is loaded is then the call's number again, for
    // the next check.
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
    program.push_back(
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(one.error)));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber));
  }
  const std::size_t before = program.size();
  program.resize(before + static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (::pread(file.get(), program.data() + before, static_cast<std::size_t>(size), 0) != size)
    return fail_errno("read the seccomp filter");
  return filter;
}

Result<Fd> load_filter(const SeccompFilter& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.program.size()),
                     const_cast<sock_filter*>(filter.program.data())};
  // WAIT_KILLABLE_RECV: once the supervisor has received a call, only a fatal signal ends the
  // waiting, so a call is never counted twice.
  const unsigned flags = filter.has_listener ? SECCOMP_FILTER_FLAG_NEW_LISTENER |
                                                   SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
                                             : 0;
  const long loaded = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (loaded >= 0) return filter.has_listener ? Fd(static_cast<int>(loaded)) : Fd();
  const int why = errno;
  if (filter.has_listener && why == EINVAL)
    return fail(
        "load the seccomp filter: this kernel cannot hold a denied call until it was counted, "
        "which code with native access needs (Linux 5.19 or later)");
  if (filter.has_listener && why == EBUSY)
    return fail(
        "load the seccomp filter: something else listens to the system calls of this container "
        "already, and denied calls could not be counted");
  errno = why;
  return fail_errno("load the seccomp filter");
}

}  // namespace airlock::jail

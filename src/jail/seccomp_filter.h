// Building and loading seccomp filters: the one wrapper around libseccomp, and the one place that
// loads a finished program. What a filter allows is decided by its owner (cell_filter.cc,
// vetter_jail.cc), in tables with a reason in each row.
//
// A filter is built once, before lock-down (building needs a descriptor, a memfd), and can be
// loaded by many processes. Loading is for good and for all later children of the process.
#pragma once

#include <linux/filter.h>
#include <seccomp.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::jail {

struct Call {
  int number;
  std::string_view why;
};

// A seccomp program: made once, loaded by every process that it is for.
struct SeccompFilter {
  std::vector<sock_filter> program;
  bool has_listener = false;  // calls without a rule wait for whoever holds the listener
};

class FilterBuilder {
 public:
  // `otherwise`: what becomes of calls without a rule (SCMP_ACT_…). Calls of another architecture
  // have other numbers, and there is no honest reason to make one: they end the process.
  static Result<FilterBuilder> begin(std::uint32_t otherwise);

  Result<void> allow(std::span<const Call> calls);
  // Every comparison must hold.
  Result<void> allow(int call, std::initializer_list<scmp_arg_cmp> when);
  Result<void> answer(std::uint32_t action, int call, std::span<const scmp_arg_cmp> when = {});
  // The kernel takes this argument as an int and does not look at the high half of its register; a
  // comparison does. Only where that half is empty does a call get as far as the rules; elsewhere
  // it fails with `error`, and is not made. Wanted for every rule that compares by more than
  // equality.
  void require_int_argument(int call, unsigned argument, int error);
  // Memory, but never memory that can be executed, nor such as RLIMIT_DATA does not count: shared,
  // or growing like a stack.
  Result<void> allow_plain_memory();

  Result<SeccompFilter> finish();

 private:
  FilterBuilder(scmp_filter_ctx context, bool has_listener)
      : context_(context, &seccomp_release), has_listener_(has_listener) {}

  struct IntArgument {
    int call;
    unsigned argument;
    int error;
  };

  std::unique_ptr<void, void (*)(void*)> context_;
  std::vector<IntArgument> ints_;
  bool has_listener_;
};

// For this process, for good. It must have no new privileges. The listener comes back, when the
// filter has one: it takes a descriptor, and is for another process to hold. While a call waits,
// only a signal that kills gets through (Linux 5.19): a kernel that cannot hold calls so is an
// Error.
Result<Fd> load_filter(const SeccompFilter& filter);

}  // namespace airlock::jail

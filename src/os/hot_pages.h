// The pages that a forked process is going to write to, copied all at once. After a fork every page
// is shared until somebody writes to it; then the process stops, and the kernel copies that one
// page. An interpreter writes to hundreds (each object that is used counts its users), and hundreds
// of stops cost more than the work between them.
//
// Which pages those are is learnt once: a child does work of the usual kind and looks at what
// became its own. It is a matter of speed alone: wherever something is missing (an old kernel, no
// /proc) nothing is learnt, and pages are copied one at a time as ever.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/fd.h"

namespace airlock::os {

class HotPages {
 public:
  HotPages() = default;
  ~HotPages();  // a child that is still learning is ended
  HotPages(const HotPages&) = delete;
  HotPages& operator=(const HotPages&) = delete;

  // Forks; `work` runs in the child, which ends after it. The process has one thread. Returns when
  // the child needs nothing of /proc any more, long before it has learnt.
  void begin_to_learn(const std::function<void()>& work);
  // Whether something has been learnt. Does not wait for the child.
  bool are_known();
  // In a process that was forked after they were known.
  void copy() const;

 private:
  struct Run {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
  };
  static std::vector<Run> writable_memory();
  static std::vector<Run> own_pages(int page_map, const std::vector<Run>& memory);
  [[noreturn]] static void teach(const std::function<void()>& work, Fd to);
  std::vector<Run> receive() const;
  void end_child(int signal);

  std::vector<Run> runs_;
  pid_t child_ = 0;  // that learns
  Fd from_child_;
};

}  // namespace airlock::os

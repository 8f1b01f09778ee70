// The line of a call that waits: a signal to the cell stays pending until the call is answered (the
// filter was loaded with WAIT_KILLABLE_RECV), and is handled before anything else of the guest's
// runs. The handler notes the line. So the nth line that was asked for is the nth that is noted;
// code that meddles with its own handler or notes spoils its lines, not the count.
#include "run/denial_log.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "os/process_state.h"

namespace airlock::run {

namespace {

constexpr int kMostAtOnce = 64;        // of a flood: others wait, and so does the clock
constexpr std::size_t kMostKept = 32;  // with their lines, between two answers

void add_once(std::vector<Denial>& to, const Denial& denial) {
  if (to.size() < kMostKept && std::ranges::find(to, denial) == to.end()) to.push_back(denial);
}

// What libraries ask when they are imported: is there a network, a terminal, a program that knows
// the fonts? That a module was being imported is the cell's own word, so nothing else is excused.
bool is_asked_by_imports(std::uint32_t call) {
  constexpr std::array kAsked = {SYS_socket, SYS_ioctl, SYS_prctl, SYS_clone, SYS_vfork};
  return std::ranges::find(kAsked, static_cast<long>(call)) != kAsked.end();
}

// A thread as the C library makes one, and nothing else that clone() can do.
bool starts_thread(const os::WaitingCall& call) {
  constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM |
                                    CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS |
                                    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  return call.number == SYS_clone && call.first_argument == kThread;
}

}  // namespace

std::vector<Denial> split_off_imports(std::vector<Denial>& denials) {
  const auto of_imports = std::ranges::stable_partition(
      denials, [](const Denial& denial) { return !denial.is_of_import; });
  std::vector<Denial> taken(of_imports.begin(), of_imports.end());
  denials.erase(of_imports.begin(), of_imports.end());
  return taken;
}

// One after the other: the next one is counted when this one is there, or has had its time to come.
void DenialLog::start_thread(const os::WaitingCall& call) {
  constexpr timespec kThreadMoment{0, 20'000};
  constexpr int kLooks = 100;
  const std::uint32_t before = os::thread_count(handle_);
  if (before == 0 || before >= most_threads_) return listener_.refuse(call, EAGAIN);
  listener_.allow(call);
  for (int i = 0; i < kLooks && os::thread_count(handle_) == before; ++i)
    ::nanosleep(&kThreadMoment, nullptr);
}

void DenialLog::listen(Fd listener, int handle, std::uint32_t most_threads) {
  most_threads_ = most_threads;
  listener_ = os::CallListener(std::move(listener));
  handle_ = handle;
  is_listening_ = true;
}

void DenialLog::serve(const os::SharedNotes& notes, Paths paths) {
  for (int i = 0; i < kMostAtOnce; ++i) {
    const auto call = listener_.next();
    if (!call) return;
    if (most_threads_ > 1 && starts_thread(*call)) {
      start_thread(*call);
      continue;
    }
    ++count_;
    if (entries_.size() < kMostKept) {
      // Now that the cell waits: before, it may have been at another one.
      const std::uint64_t path =
          std::clamp(notes.paths_begun(), paths.first, std::max(paths.first, paths.last));
      entries_.push_back({{call->number, 0}, path, lines_asked_});
      if (::syscall(SYS_pidfd_send_signal, handle_, os::kLineRequestSignal, nullptr, 0) == 0)
        ++lines_asked_;
    }
    listener_.refuse(*call, EPERM);
  }
}

// Brings the entries up to what stands in the notes.
void DenialLog::read(const os::SharedNotes& notes) {
  const std::uint64_t noted = notes.noted();
  if (is_listening_) {
    for (Entry& entry : entries_) {
      const os::SharedNotes::Note note = notes.note(entry.note);
      entry.denial.line = note.line;
      entry.denial.is_of_import = note.is_importing && is_asked_by_imports(entry.denial.call);
    }
    return;
  }
  constexpr std::uint64_t kHeld = os::SharedNotes::kNotes;
  if (noted - seen_ > kHeld) {
    seen_ = noted - kHeld;
    const os::SharedNotes::Note first = notes.note(seen_);
    after_lost_ = Entry{{first.call, first.line}, first.path, 0};
  }
  for (; seen_ < noted; ++seen_) {
    const os::SharedNotes::Note note = notes.note(seen_);
    entries_.push_back({{note.call, note.line}, note.path, 0});
    ++count_;
  }
}

std::vector<Denial> DenialLog::take(const os::SharedNotes& notes) {
  if (entries_.empty() && (is_listening_ || notes.noted() == seen_)) return {};
  read(notes);
  std::vector<Denial> taken;
  for (const Entry& entry : entries_) add_once(taken, entry.denial);
  entries_.clear();
  return taken;
}

std::vector<Denial> DenialLog::take(const os::SharedNotes& notes, std::uint64_t path) {
  const bool may_have_lost = after_lost_ && path <= after_lost_->path;
  if (entries_.empty() && !may_have_lost && (is_listening_ || notes.noted() == seen_)) return {};
  read(notes);
  std::vector<Denial> taken;
  for (const Entry& entry : entries_) {
    if (entry.path <= path) add_once(taken, entry.denial);
  }
  if (taken.empty() && after_lost_ && path <= after_lost_->path)
    taken.push_back(after_lost_->denial);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.path <= path; });
  return taken;
}

}  // namespace airlock::run

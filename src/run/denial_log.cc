// The line of a call that waits: a signal to the thread that made it stays pending until the call
// is answered (the filter was loaded with WAIT_KILLABLE_RECV), and is handled before anything else
// that this thread runs. The handler notes the line under the number that came with the signal, so
// what other threads do meanwhile is never taken for it; code that meddles with its own handler or
// notes spoils its lines, not the count.
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
constexpr std::size_t kMostTold = 32;  // of one answer
// Lines are looked up while the notes still hold them.
constexpr std::size_t kLookUpEvery = os::SharedNotes::kNotes / 2;

// Each call and line once. First those that count: no number of others may push one out.
std::vector<Denial> told(std::vector<Denial> denials) {
  std::ranges::stable_partition(denials, [](const Denial& one) { return !one.is_of_import; });
  std::vector<Denial> once;
  for (const Denial& one : denials) {
    if (once.size() < kMostTold && std::ranges::find(once, one) == once.end()) once.push_back(one);
  }
  return once;
}

// What libraries ask when they are imported: is there a network, a terminal, a program that knows
// the fonts, a place for semaphores or settings? That a module was being imported is the cell's own
// word, so nothing else is excused.
bool is_asked_by_imports(std::uint32_t call) {
  constexpr std::array kAsked = {SYS_socket, SYS_ioctl,  SYS_prctl, SYS_clone,
                                 SYS_vfork,  SYS_openat, SYS_mkdir};
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
// False: it has used that time up, as a call does that the kernel itself refuses.
bool DenialLog::start_thread(const os::WaitingCall& call) {
  constexpr timespec kThreadMoment{0, 20'000};
  constexpr int kLooks = 100;
  const std::uint32_t before = os::thread_count(handle_);
  if (before == 0 || before >= most_threads_) {
    listener_.refuse(call, EAGAIN);
    return true;
  }
  listener_.allow(call);
  for (int i = 0; i < kLooks; ++i) {
    if (os::thread_count(handle_) != before) return true;
    ::nanosleep(&kThreadMoment, nullptr);
  }
  return false;
}

void DenialLog::listen(Fd listener, int handle, std::uint32_t most_threads) {
  most_threads_ = most_threads;
  listener_ = os::CallListener(std::move(listener));
  handle_ = handle;
  process_ = os::process_number(handle);
  is_listening_ = true;
}

void DenialLog::serve(const os::SharedNotes& notes, Paths paths) {
  for (int i = 0; i < kMostAtOnce; ++i) {
    const auto call = listener_.next();
    if (!call) return;
    if (most_threads_ > 1 && starts_thread(*call)) {
      if (!start_thread(*call)) return;
      continue;
    }
    ++count_;
    if (entries_.size() % kLookUpEvery == 0) read(notes);
    // Now that the cell waits: before, it may have been at another one. Every one is kept, so that
    // its path has it, whatever the others had: a flood is the end of the cell.
    const std::uint64_t path =
        std::clamp(notes.paths_begun(), paths.first, std::max(paths.first, paths.last));
    entries_.push_back({{call->number, 0}, path, lines_asked_});
    os::queue_signal(process_, call->thread, os::kLineRequestSignal,
                     static_cast<int>(lines_asked_++));
    listener_.refuse(*call, EPERM);
  }
}

// Brings the entries up to what stands in the notes.
void DenialLog::read(const os::SharedNotes& notes) {
  if (is_listening_) {
    for (Entry& entry : entries_) {
      const auto said = notes.answer_to(entry.question);
      if (!said) continue;  // not yet, or it was read before others took its place
      entry.denial.line = said->line;
      entry.denial.is_of_import = said->is_importing != 0 && is_asked_by_imports(entry.denial.call);
    }
    return;
  }
  const std::uint64_t noted = notes.noted();
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
  for (const Entry& entry : entries_) taken.push_back(entry.denial);
  entries_.clear();
  return told(std::move(taken));
}

std::vector<Denial> DenialLog::take(const os::SharedNotes& notes, std::uint64_t path) {
  const bool may_have_lost = after_lost_ && path <= after_lost_->path;
  if (entries_.empty() && !may_have_lost && (is_listening_ || notes.noted() == seen_)) return {};
  read(notes);
  std::vector<Denial> taken;
  for (const Entry& entry : entries_) {
    if (entry.path <= path) taken.push_back(entry.denial);
  }
  if (taken.empty() && after_lost_ && path <= after_lost_->path)
    taken.push_back(after_lost_->denial);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.path <= path; });
  return told(std::move(taken));
}

}  // namespace airlock::run

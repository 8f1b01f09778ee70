// The log against real notes, and against a real child behind the filter of native code: what it is
// denied waits for the log, and is counted there though the child notes nothing.
#include "run/denial_log.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "jail/cell_jail.h"
#include "os/channel.h"

namespace airlock::run {
namespace {

os::SharedNotes fresh_notes() {
  auto notes = os::SharedNotes::make();
  EXPECT_TRUE(notes.has_value());
  return std::move(*notes);
}

TEST(DenialLog, ReadsEachNoteOnce) {
  os::SharedNotes notes = fresh_notes();
  DenialLog log;
  EXPECT_TRUE(log.take(notes).empty());
  notes.add_note(SYS_openat, 3);
  notes.add_note(SYS_socket, 4);
  notes.add_note(SYS_openat, 3);
  const std::vector<Denial> wanted = {{SYS_openat, 3}, {SYS_socket, 4}};
  EXPECT_EQ(log.take(notes), wanted);
  EXPECT_TRUE(log.take(notes).empty());
  notes.add_note(SYS_openat, 3);
  EXPECT_EQ(log.take(notes).size(), 1U) << "the same line again is a denial again";
}

TEST(DenialLog, KnowsWhichPathItWas) {
  os::SharedNotes notes = fresh_notes();
  DenialLog log;
  for (const std::uint32_t line : {1U, 2U, 3U}) {
    notes.begin_path();
    if (line != 2) notes.add_note(SYS_openat, line);
  }
  EXPECT_EQ(log.take(notes, 1), (std::vector<Denial>{{SYS_openat, 1}}));
  EXPECT_TRUE(log.take(notes, 2).empty());
  EXPECT_EQ(log.take(notes, 3), (std::vector<Denial>{{SYS_openat, 3}}));
}

TEST(DenialLog, ThatHadNoRoomForAllTakesEveryPathBeforeTheFirstThatIsLeftForDenied) {
  os::SharedNotes notes = fresh_notes();
  DenialLog log;
  for (int path = 1; path <= 4; ++path) {
    notes.begin_path();
    if (path == 4) break;
    for (std::uint32_t i = 0; i < os::SharedNotes::kNotes; ++i) notes.add_note(SYS_openat, i);
  }
  // All that was noted of the first two is overwritten.
  for (const std::uint64_t path : {1U, 2U, 3U}) EXPECT_FALSE(log.take(notes, path).empty()) << path;
  EXPECT_TRUE(log.take(notes, 4).empty());
}

// A child behind the walls of native code, which makes `calls` denied calls and notes none.
struct Child {
  pid_t id = -1;
  Fd handle;
  Fd listener;
};

// Runs in the child, behind its walls; returns its exit code.
using Deed = int (*)(int count);

int be_denied(int calls) {
  int refused = 0;
  for (int i = 0; i < calls; ++i)
    refused += ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? 1 : 0;
  return refused == calls ? 0 : 3;
}

Child native_child(int calls, Deed deed = be_denied) {
  auto ends = os::make_socket_pair();
  const auto filter = jail::make_cell_filter(jail::Calls::kProgram);
  if (!ends || !filter) return {};
  Child child;
  child.id = ::fork();
  if (child.id == 0) {
    ::signal(os::kLineRequestSignal, SIG_IGN);
    jail::CellLimits limits = jail::limits_for(jail::mapped_now(), 1 << 27, 60);
    limits.descriptors = 64;
    limits.may_have_threads = true;
    if (::dup2(ends->second.get(), 0) != 0 || !jail::forbid_new_privileges()) ::_exit(1);
    auto locked = jail::lock_down_cell(*filter, limits, {});
    os::Channel channel{Fd(0)};
    if (!locked || !channel.send("locked", std::nullopt, locked->listener.get())) ::_exit(2);
    locked->listener.reset();
    const int code = deed(calls);
    // Not _exit(): before a call that does not return, a sanitizer asks the system about stacks,
    // which is denied here and counted.
    ::syscall(SYS_exit_group, code);
  }
  os::Channel channel(std::move(ends->first));
  ends->second.reset();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  if (!channel.receive(64, deadline)) return {};
  child.listener = channel.take_descriptor();
  child.handle = Fd(static_cast<int>(::syscall(SYS_pidfd_open, child.id, 0)));
  return child;
}

int exit_code(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(DenialLog, CountsWhatAChildNotesNowhere) {
  os::SharedNotes notes = fresh_notes();
  Child child = native_child(40);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get());
  while (log.count() < 40) log.serve(notes);
  EXPECT_EQ(exit_code(child.id), 0) << "every call returned EPERM";
  EXPECT_EQ(log.take(notes), (std::vector<Denial>{{SYS_socket, 0}})) << "without a note, no line";
  EXPECT_FALSE(log.is_flooded());
  log.serve(notes);  // the child is gone
  EXPECT_EQ(log.descriptor(), -1);
}

// For deeds that write into the notes, as a cell does.
os::SharedNotes* notes_of_child = nullptr;

int be_denied_once_a_path(int paths) {
  int refused = 0;
  for (int i = 0; i < paths; ++i) {
    notes_of_child->begin_path();
    refused += be_denied(1) == 0 ? 1 : 0;
  }
  return refused == paths ? 0 : 3;
}

TEST(DenialLog, EveryPathHasItsDenialHoweverManyOthersHadOne) {
  constexpr int kPaths = 300;
  os::SharedNotes notes = fresh_notes();
  notes_of_child = &notes;
  Child child = native_child(kPaths, be_denied_once_a_path);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get());
  while (log.count() < kPaths) log.serve(notes);
  EXPECT_EQ(exit_code(child.id), 0);
  for (std::uint64_t path = 1; path <= kPaths; ++path)
    EXPECT_EQ(log.take(notes, path).size(), 1U) << path;
}

void say_that_a_module_is_imported(int, siginfo_t* info, void*) {
  const auto number = static_cast<std::uint32_t>(info->si_value.sival_int);
  if (info->si_code == SI_QUEUE) notes_of_child->answer(number, number + 1, true);
}

int be_denied_as_imports_are_and_once_more(int calls) {
  struct sigaction question{};
  question.sa_sigaction = say_that_a_module_is_imported;
  question.sa_flags = SA_SIGINFO;
  if (::sigaction(os::kLineRequestSignal, &question, nullptr) != 0) return 4;
  const int code = be_denied(calls);
  return ::syscall(SYS_ptrace, 0, 0, 0, 0) < 0 ? code : 5;
}

TEST(DenialLog, NoNumberOfDeniedImportsHidesACallThatCounts) {
  constexpr std::uint32_t kImports = 200;
  os::SharedNotes notes = fresh_notes();
  notes_of_child = &notes;
  Child child = native_child(kImports, be_denied_as_imports_are_and_once_more);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get());
  while (log.count() < kImports + 1) log.serve(notes);
  EXPECT_EQ(exit_code(child.id), 0);
  std::vector<Denial> denials = log.take(notes);
  const std::vector<Denial> of_imports = split_off_imports(denials);
  EXPECT_EQ(denials, (std::vector<Denial>{{SYS_ptrace, kImports + 1}}));
  EXPECT_EQ(of_imports.size(), 31U);
  EXPECT_EQ(of_imports.front(), (Denial{SYS_socket, 1, true})) << "its line, long overwritten";
}

TEST(DenialLog, PutsACallDownToAPathThatIsNotAnsweredYetWhateverTheNotesSay) {
  os::SharedNotes notes = fresh_notes();
  Child child = native_child(1);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get());
  while (log.count() < 1) log.serve(notes, {.first = 5, .last = 9});
  EXPECT_TRUE(log.take(notes, 4).empty());
  EXPECT_EQ(log.take(notes, 5).size(), 1U);
  EXPECT_EQ(exit_code(child.id), 0);
}

// A thread's flags and one more, and a process: both are refused.
int ask_for_more_than_threads(int) {
  constexpr long kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND |
                           CLONE_THREAD | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  errno = 0;
  if (::syscall(SYS_clone, kThread | CLONE_NEWNET, 0, 0, 0, 0) >= 0 || errno != EPERM) return 4;
  errno = 0;
  return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) < 0 && errno == EPERM ? 0 : 5;
}

TEST(DenialLog, OnlyAThreadAsTheLibraryMakesItIsLetThrough) {
  os::SharedNotes notes = fresh_notes();
  Child child = native_child(0, ask_for_more_than_threads);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get(), 32);
  while (log.count() < 2) log.serve(notes);
  EXPECT_EQ(exit_code(child.id), 0);
  EXPECT_EQ(log.take(notes), (std::vector<Denial>{{SYS_clone, 0}}));
}

TEST(DenialLog, KnowsAFlood) {
  os::SharedNotes notes = fresh_notes();
  Child child = native_child(static_cast<int>(DenialLog::kFlood) + 500);
  ASSERT_TRUE(child.listener.is_open());
  DenialLog log;
  log.listen(std::move(child.listener), child.handle.get());
  while (!log.is_flooded()) log.serve(notes);
  EXPECT_LT(log.count(), DenialLog::kFlood + 64);
  ::kill(child.id, SIGKILL);
  EXPECT_EQ(exit_code(child.id), -1);
}

}  // namespace
}  // namespace airlock::run

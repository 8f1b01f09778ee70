// Three processes take part: the supervisor (never runs guest code), the zygote (warm interpreter,
// one thread for life), the cell (forked for each job, locks itself down, then runs the code). (1)
// The zygote has one thread, so fork() cannot copy a held lock. (2) The zygote holds no secret:
// every cell inherits its memory. (3) A cell keeps three descriptors: its own socket as 0,
// /dev/null as 1 and 2. The zygote's socket is closed in it.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "guest/cell.h"
#include "guest/host_exit.h"
#include "guest/roles.h"
#include "jail/cell_jail.h"
#include "jail/steps.h"
#include "model/named_packages.h"
#include "os/channel.h"
#include "os/hot_pages.h"
#include "os/namespaces.h"
#include "python/guest_code.h"
#include "python/node_code.h"
#include "python/session_code.h"
#include "python/warm_up.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"

namespace airlock::guest {

namespace {

// For code that reads files: far more than modules need.
constexpr std::uint32_t kProgramDescriptors = 64;

constexpr std::uint64_t kLargestFile = 64UL * 1024 * 1024;

jail::Calls calls_of(const Policy& policy) {
  if (!policy.has_grant(kAnyPython)) return jail::Calls::kPureText;
  return policy.has_grant(kOwnFolders) ? jail::Calls::kProbe : jail::Calls::kProgram;
}

bool is_preloaded(const Policy& policy, std::string_view module) {
  return std::ranges::find(policy.preloaded, module) != policy.preloaded.end();
}

// Code that may import anything finds what is installed.
python::Modules modules_of(const Policy& policy) {
  return policy.has_grant(kAnyPython) ? python::Modules::kAndInstalled : python::Modules::kCarried;
}

// Folders of the host that a grant shows. Those that a host does not have, or has under another
// name of this list, are left out.
struct HostFolder {
  std::string_view grant;
  const char* place;
  bool may_hold_code = false;
};
constexpr std::array kHostFolders = {
    HostFolder{kSharedLibraries, "/lib/x86_64-linux-gnu", true},
    HostFolder{kSharedLibraries, "/usr/lib/x86_64-linux-gnu", true},
    HostFolder{kSharedLibraries, "/lib64", true},
    HostFolder{kSharedLibraries, "/usr/lib64", true},
    // Which of several libraries has a name: links, from the folders above into them.
    HostFolder{kSharedLibraries, "/etc/alternatives"},
    HostFolder{kTimeZones, "/usr/share/zoneinfo"},
    HostFolder{kFonts, "/usr/share/fonts"},
    HostFolder{kFonts, "/usr/share/matplotlib"},  // its fonts, styles and defaults
    HostFolder{kCertificates, "/etc/ssl/certs"},
};

bool is_folder_itself(const char* place) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(place, nullptr), &std::free);
  struct stat about{};
  return real != nullptr && std::string_view(real.get()) == place && ::stat(place, &about) == 0 &&
         S_ISDIR(about.st_mode);
}

// What the root will hold: Python's own folders, what the host's grants show, and those of the run
// that the policy has grants for.
std::vector<os::MountedFolder> folders_of(const Policy& policy) {
  std::vector<os::MountedFolder> folders;
  for (const HostFolder& folder : kHostFolders) {
    if (policy.has_grant(folder.grant) && is_folder_itself(folder.place))
      folders.push_back(
          {.place = folder.place, .source = folder.place, .may_hold_code = folder.may_hold_code});
  }
  if (policy.has_grant(kPythonFolders)) {
    for (const std::string& folder : python::module_folders())
      folders.push_back({.place = folder, .source = folder, .may_hold_code = true});
  }
  for (const Folder& folder : policy.folders) {
    if (policy.has_grant(folder.is_own() ? kOwnFolders : kRepository))
      folders.push_back(
          {.place = folder.place, .source = folder.source, .memory_bytes = folder.memory_bytes});
  }
  return folders;
}

// What every cell is made from.
struct CellMold {
  python::GuestCode& code;
  CellSetup setup;
  os::HotPages hot_pages;
};

[[noreturn]] void become_cell(Fd socket, CellMold& mold, pid_t zygote) {
  PyOS_AfterFork_Child();
  // A zygote that died in between would not be noticed by the kernel any more.
  if (!jail::die_with_parent() || ::getppid() != zygote) ::_exit(kCannotStart);
  if (::dup2(socket.get(), 0) != 0 || ::syscall(SYS_close_range, 3U, ~0U, 0U) != 0)
    ::_exit(kCannotStart);
  static_cast<void>(socket.release());
  mold.hot_pages.copy();
  ::_exit(run_cell(os::Channel(Fd(0)), mold.code, mold.setup));
}

int make_cell(os::Channel& channel, CellMold& mold) {
  Fd socket = channel.take_descriptor();
  if (!socket.is_open()) return kBadRequest;
  const pid_t zygote = ::getpid();
  mold.setup.has_hot_pages = mold.hot_pages.are_known();
  PyOS_BeforeFork();
  const pid_t id = ::fork();
  if (id == 0) become_cell(std::move(socket), mold, zygote);
  PyOS_AfterFork_Parent();
  if (id < 0) return report_trouble(channel, errno_error("fork a cell"));
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  if (!handle.is_open()) return report_trouble(channel, errno_error("watch a cell"));
  return channel.send(wire::encode_born(static_cast<std::uint32_t>(id)), std::nullopt, handle.get())
             ? kDone
             : kPeerGone;
}

int reap(os::Channel& channel, std::uint32_t id) {
  int status = 0;
  rusage usage{};
  while (::wait4(static_cast<pid_t>(id), &status, 0, &usage) < 0) {
    if (errno != EINTR) return report_trouble(channel, errno_error("reap a cell"));
  }
  const bool was_signalled = WIFSIGNALED(status);
  const wire::Ended ended{
      was_signalled,
      static_cast<std::uint32_t>(was_signalled ? WTERMSIG(status) : WEXITSTATUS(status)),
      static_cast<std::uint32_t>(usage.ru_maxrss)};
  return channel.send(wire::encode_ended(ended), std::nullopt) ? kDone : kPeerGone;
}

// Cells that were killed and that nobody asks about. To end takes a process longer than to begin:
// whoever wants a new cell does not wait until an old one has gone.
class ForgottenCells {
 public:
  void add(std::uint32_t id) { ids_.push_back(static_cast<pid_t>(id)); }
  bool is_empty() const { return ids_.empty(); }
  // Those that have gone. One that is no child of ours is dropped.
  void reap() {
    std::erase_if(ids_, [](pid_t id) { return id <= 0 || ::waitpid(id, nullptr, WNOHANG) != 0; });
  }

 private:
  std::vector<pid_t> ids_;
};

// Until there is a message, or for a moment.
void await_input(const os::Channel& channel) {
  constexpr int kMilliseconds = 5;
  pollfd waiting{channel.descriptor(), POLLIN, 0};
  ::poll(&waiting, 1, kMilliseconds);
}

int serve(os::Channel& channel, CellMold& mold) {
  ForgottenCells forgotten;
  while (true) {
    forgotten.reap();
    if (!forgotten.is_empty() && !channel.has_input()) {
      await_input(channel);
      continue;
    }
    const auto message = channel.receive(wire::kMaxRequest, std::nullopt);
    if (!message) return message.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
    int result = kBadRequest;
    if (wire::is_cell(*message)) {
      result = make_cell(channel, mold);
    } else if (const auto id = wire::decode_reap(*message)) {
      result = reap(channel, *id);
    } else if (const auto killed = wire::decode_forget(*message)) {
      forgotten.add(*killed);
      result = kDone;
    }
    if (result != kDone) return result;
  }
}

// Packages that are imported here may want to write; the host's folders are not for that.
Result<std::unique_ptr<python::GuestCode>> prepare_code(const Policy& policy,
                                                        const os::Namespaces& namespaces) {
  if (named_packages(policy).empty() || !namespaces.own_mounts)
    return python::GuestCode::prepare(policy);
  const os::MemoryPlace place;
  return python::GuestCode::prepare(policy, place.path());
}

// While /proc is there, and before any cell.
void learn_hot_pages(CellMold& mold) {
  PyOS_BeforeFork();
  mold.hot_pages.begin_to_learn([&] {
    PyOS_AfterFork_Child();
    mold.code.touch();
  });
  PyOS_AfterFork_Parent();
}

// The supervisor gets a handle on each folder that code may write to: it reads there when the code
// is gone, from outside of this root.
int hand_over_own_folders(os::Channel& channel, const Policy& policy) {
  for (const Folder& folder : policy.folders) {
    if (!folder.is_own() || !policy.has_grant(kOwnFolders)) continue;
    const Fd opened(::open(folder.place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.is_open()) return report_trouble(channel, errno_error("open " + folder.place));
    if (!channel.send(wire::encode_own_folder(folder.place), std::nullopt, opened.get()))
      return kPeerGone;
  }
  return kDone;
}

// For the threads of cells: small stacks, and one heap for all of them. The C library would give
// each a heap of its own and 64 MiB of addresses with it, of which a cell has few.
void set_up_threads() {
  constexpr std::size_t kThreadStack = 1024UL * 1024;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kThreadStack) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
  ::mallopt(M_ARENA_MAX, 1);
}

}  // namespace

int run_zygote(Fd socket, HashOrder order, CellCount cells) {
  os::Channel channel(std::move(socket));
  const auto namespaces = jail::enter_namespaces();
  if (!namespaces) return report_trouble(channel, namespaces.error());
  const auto policy = receive_policy(channel);
  if (!policy) return policy.error();
  auto interpreter = python::Interpreter::start(order, modules_of(*policy));
  if (!interpreter) return report_trouble(channel, interpreter.error());
  static_cast<void>(interpreter->release());  // NOLINT(bugprone-unused-return-value)
  const bool is_for_sessions = is_preloaded(*policy, kSessionRuntime);
  if (is_for_sessions) {
    const auto loaded = python::load_session_runtime(policy->has_grant(kThreads));
    if (!loaded) return report_trouble(channel, loaded.error());
  }
  if (is_preloaded(*policy, kNodeRuntime)) {
    const auto loaded = python::load_node_runtime();
    if (!loaded) return report_trouble(channel, loaded.error());
  }
  auto code = prepare_code(*policy, *namespaces);
  if (!code) return report_trouble(channel, code.error());
  // As Python has it: an error of the write, not the end of the process.
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  CellMold mold{.code = **code, .setup = {}, .hot_pages = {}};
  CellSetup& plan = mold.setup;
  if (policy->has_grant(kPythonFolders)) plan.descriptors = kProgramDescriptors;
  plan.has_threads = policy->has_grant(kThreads);
  if (plan.has_threads) set_up_threads();
  plan.has_sessions = is_for_sessions && namespaces->own_users;
  plan.folders = folders_of(*policy);
  if (policy->has_grant(kOwnFolders) || plan.has_sessions) plan.file_bytes = kLargestFile;
  auto filter = jail::make_cell_filter(plan.has_sessions ? jail::Calls::kProbe : calls_of(*policy));
  if (!filter) return report_trouble(channel, filter.error());
  plan.filter = std::move(*filter);
  // Free memory is put in order once, here: each cell would do it for itself with its first large
  // request, and copy every page that has a free piece in it.
  ::malloc_trim(0);
  plan.mapped = jail::mapped_now();
  if (cells == CellCount::kMany) learn_hot_pages(mold);
  auto walls = plan.has_sessions ? jail::lock_down_session_zygote(*namespaces, plan.folders)
                                 : jail::lock_down_zygote(*namespaces, plan.folders);
  if (!walls) return report_trouble(channel, walls.error());
  plan.walls = std::move(*walls);
  // The process that airlock started may be our stand-in: a handle on this one lets it end both.
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!handle.is_open()) return report_trouble(channel, errno_error("watch the zygote"));
  if (!channel.send(wire::encode_ready(plan.walls), std::nullopt, handle.get())) return kPeerGone;
  if (const int code_of = hand_over_own_folders(channel, *policy); code_of != kDone) return code_of;
  return serve(channel, mold);
}

}  // namespace airlock::guest

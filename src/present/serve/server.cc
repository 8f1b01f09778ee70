#include "present/serve/server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <string_view>
#include <thread>
#include <utility>

#include "base/fd.h"
#include "engine/policy/library_names.h"
#include "os/wake_up.h"
#include "present/serve/connection.h"

namespace airlock::serve {

namespace {

// What a signal rings. A handler can reach nothing but a static, and it can run on any thread until
// the process ends: so long is the descriptor open.
std::atomic<int> event_of_signals = -1;
std::atomic<int> signal_that_came = 0;

// Added to a socket's path until the server listens.
constexpr std::string_view kUnready = "~";

void on_signal(int signal) {
  signal_that_came = signal;
  const std::uint64_t one = 1;
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(event_of_signals, &one, sizeof one);
  errno = why;
}

Result<void> end_by_signals() {
  event_of_signals = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event_of_signals < 0) return fail_errno("wait for signals");
  struct sigaction action{};
  action.sa_handler = on_signal;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(signal, &action, nullptr);
  return {};
}

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return bad_request("the path of a socket has 1 to 106 bytes: " + path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Result<Fd> new_socket() {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return fail_errno("make a socket");
  return socket;
}

bool connects(const Fd& socket, const sockaddr_un& address) {
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Two servers that start at once look at the path one after the other: the lock is the folder's,
// goes with the descriptor, and leaves no file behind.
Result<Fd> lock_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  Fd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return bad_request_errno("open the folder of " + path);
  constexpr int kTries = 100;
  constexpr auto kBetween = std::chrono::milliseconds(20);
  for (int i = 0; ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK) return bad_request_errno("lock the folder of " + path);
    if (i == kTries) return bad_request("another program holds a lock on the folder of " + path);
    std::this_thread::sleep_for(kBetween);
  }
  return opened;
}

// What an ended server has left at the path may be replaced; a server that lives, or a file that is
// no socket, may not.
Result<void> refuse_taken(const std::string& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return {};
  if (!S_ISSOCK(about.st_mode))
    return bad_request(path + " is there already, and is no socket: choose another path");
  const Fd probe = TRY(new_socket());
  if (connects(probe, TRY(address_of(path))))
    return bad_request("another server listens at " + path);
  if (errno != ECONNREFUSED) return bad_request_errno("look at " + path);
  return {};
}

// The socket at the path, ours alone. It listens before it has that name: whoever sees it there can
// connect.
Result<Fd> listen_at(const std::string& path) {
  TRY(address_of(path));
  const std::string unready = path + std::string(kUnready);
  const sockaddr_un address = TRY(address_of(unready));
  const Fd lock = TRY(lock_folder_of(path));
  TRY(refuse_taken(path));
  TRY(refuse_taken(unready));
  ::unlink(unready.c_str());
  Fd socket = TRY(new_socket());
  // The mode from its first moment on: no time in which others could connect.
  const mode_t before = ::umask(0177);
  const int bound =
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int why = errno;
  ::umask(before);
  errno = why;
  if (bound != 0) return bad_request_errno("listen at " + path);
  constexpr int kBacklog = 64;
  if (::listen(socket.get(), kBacklog) != 0 || ::rename(unready.c_str(), path.c_str()) != 0) {
    auto failed = fail_errno("listen at " + path);
    ::unlink(unready.c_str());
    return failed;
  }
  return socket;
}

// Which file that is; 0 when there is none.
ino_t inode_at(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 ? about.st_ino : 0;
}

// Whoever is at the other end is this user.
bool is_ours(int client) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

constexpr std::size_t kMostClients = 64;

void turn_away(int client) {
  const std::string line =
      error_line("", "Usage", "64 clients are connected, as many as this server takes") + "\n";
  ::send(client, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// One client over the socket, on a thread of its own.
class SocketClient {
 public:
  SocketClient(Resident& resident, Fd socket, int stop)
      : socket_(std::move(socket)), thread_([this, &resident, stop] {
          Connection(resident, socket_.get(), socket_.get(), stop, FilesMayBeNamed::kBelowRoots)
              .serve();
          // The client hears of the end now; the descriptor is closed when another one comes.
          ::shutdown(socket_.get(), SHUT_RDWR);
          is_done_ = true;
        }) {}
  ~SocketClient() { thread_.join(); }
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;
  bool is_done() const { return is_done_; }

 private:
  Fd socket_;
  std::atomic<bool> is_done_ = false;
  std::thread thread_;
};

// What the server waits for, besides signals and its clients.
class Watch {
 public:
  static Result<Watch> make(bool follows_parent) {
    Watch watch(TRY(os::WakeUp::make()));
    // A handle on the process, not on one of its threads, and it holds after a fork of theirs.
    if (!follows_parent) return watch;
    const pid_t parent = ::getppid();
    watch.parent_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, parent, 0)));
    if (::getppid() != parent) return fail("serve: the program that started this one has ended");
    return watch;
  }

  const os::WakeUp& stop() const { return stop_; }
  int parent() const { return parent_.is_open() ? parent_.get() : -1; }

 private:
  explicit Watch(os::WakeUp stop) : stop_(std::move(stop)) {}

  os::WakeUp stop_;  // rung once, and never cleared: everybody hears it
  Fd parent_;
};

// What a first session would wait for. With packages it is waited for: whoever named one that is
// not there hears of it at the start.
Result<void> warm_sessions(Resident& resident, const Policy& policy) {
  Policy warmed = TRY(session_policy(policy, resident.options().packages));
  const bool has_packages = warmed.preloaded.size() > 1 || !warmed.package_folder.path.empty();
  if (has_packages) return resident.rooms().warm(warmed, {});
  if (policy.name != "node") return {};
  resident.threads().start([&resident, warmed = std::move(warmed)] {
    [[maybe_unused]] const auto warm =
        resident.rooms().warm(warmed, {});  // who opens one hears of it
  });
  return {};
}

// A policy that names what cannot be loaded is a mistake of whoever starts the server, and no
// client's.
Result<void> warm_policies(Resident& resident) {
  bool has_sessions = false;
  for (const auto& [name, policy] : resident.policies()) {
    if (policy.has_grant(kAnyPython)) {
      has_sessions = true;
      TRY(warm_sessions(resident, policy));
    } else if (!is_sure_to_load(policy)) {
      TRY(resident.rooms().chamber(policy, std::nullopt, HashOrder::kUsual));
    }
  }
  const SessionPackages& packages = resident.options().packages;
  if (has_sessions || (packages.names.empty() && packages.folder.path.empty())) return {};
  return bad_request(
      "packages are for sessions, and no policy here can hold one: name one with "
      "--policies that grants any_python, as 'node' does");
}

}  // namespace

std::function<void(int stop)> own_protocol_over_stdio(Resident& resident) {
  return [&resident](int stop) {
    Connection(resident, STDIN_FILENO, STDOUT_FILENO, stop, FilesMayBeNamed::kAnywhere).serve();
  };
}

Result<int> serve(Resident& resident, const Doors& doors) {
  const Watch watch = TRY(Watch::make(doors.stdio != nullptr));
  // A signal while packages are loaded ends us at once. From where the socket is there, nothing may
  // be left of it.
  TRY(warm_policies(resident));
  TRY(end_by_signals());
  Fd listener;
  if (doors.socket_path) listener = TRY(listen_at(*doors.socket_path));
  const ino_t own_socket = doors.socket_path ? inode_at(*doors.socket_path) : 0;
  const os::WakeUp stdio_ended = TRY(os::WakeUp::make());
  std::thread stdio;
  if (doors.stdio) {
    stdio = std::thread([&] {
      doors.stdio(watch.stop().descriptor());
      stdio_ended.ring();
    });
  }
  std::thread http;
  if (doors.http) http = std::thread([&] { doors.http(watch.stop().descriptor()); });
  std::list<SocketClient> clients;
  while (true) {
    std::array<pollfd, 4> waiting{{{event_of_signals, POLLIN, 0},
                                   {watch.parent(), POLLIN, 0},
                                   {stdio_ended.descriptor(), POLLIN, 0},
                                   {listener.is_open() ? listener.get() : -1, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0 || waiting[1].revents != 0) break;
    // Whoever started us to talk to over stdio has gone.
    if (waiting[2].revents != 0) break;
    if (waiting[3].revents == 0) continue;
    Fd client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    clients.remove_if([](const SocketClient& one) { return one.is_done(); });
    if (client.is_open() && is_ours(client.get())) {
      if (clients.size() >= kMostClients) {
        turn_away(client.get());
      } else {
        clients.emplace_back(resident, std::move(client), watch.stop().descriptor());
      }
    } else if (errno == EMFILE || errno == ENFILE) {
      // Whoever waits there still waits, and would wake us at once.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  // Unless somebody took it away, and another server has its own there by now.
  if (doors.socket_path && inode_at(*doors.socket_path) == own_socket)
    ::unlink(doors.socket_path->c_str());
  watch.stop().ring();
  if (stdio.joinable()) stdio.join();
  if (http.joinable()) http.join();
  clients.clear();
  return signal_that_came.load();
}

}  // namespace airlock::serve

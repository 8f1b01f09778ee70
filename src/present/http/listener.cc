#include "present/http/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/hex.h"

namespace airlock::http {

namespace {

// Those who wait to be accepted: as many as the kernel lets us have by default.
constexpr int kBacklogOfClients = 4096;

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress socket_address_of(const ListenAddress& address) {
  SocketAddress made;
  if (address.is_version_6) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(address.port);
    ::inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr);
    std::memcpy(&made.storage, &six, sizeof six);
    made.size = sizeof six;
  } else {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.host.c_str(), &four.sin_addr);
    std::memcpy(&made.storage, &four, sizeof four);
    made.size = sizeof four;
  }
  return made;
}

std::uint16_t port_of(const SocketAddress& address) {
  if (address.storage.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address.storage, sizeof six);
    return ntohs(six.sin6_port);
  }
  sockaddr_in four{};
  std::memcpy(&four, &address.storage, sizeof four);
  return ntohs(four.sin_port);
}

void name_client(const SocketAddress& from, Accepted& accepted) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (from.storage.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &from.storage, sizeof six);
    ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    constexpr std::size_t kNetwork = 8;  // bytes of the /64
    accepted.client =
        hex_of({reinterpret_cast<const char*>(six.sin6_addr.s6_addr), kNetwork}) + "/64";
    accepted.peer = text.data();
    return;
  }
  sockaddr_in four{};
  std::memcpy(&four, &from.storage, sizeof four);
  ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
  accepted.peer = text.data();
  accepted.client = accepted.peer;
}

}  // namespace

Result<Listener> Listener::open(ListenAddress address) {
  const std::string doing = "listen at " + url_of(address);
  Fd socket(::socket(address.is_version_6 ? AF_INET6 : AF_INET,
                     SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return bad_request_errno(doing);
  const int yes = 1;
  // A server that was ended a moment ago has left connections that still count as open.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  SocketAddress at = socket_address_of(address);
  if (::bind(socket.get(), at.pointer(), at.size) != 0 ||
      ::listen(socket.get(), kBacklogOfClients) != 0)
    return bad_request_errno(doing);
  SocketAddress bound;
  if (::getsockname(socket.get(), bound.pointer(), &bound.size) != 0) return fail_errno(doing);
  address.port = port_of(bound);
  return Listener(std::move(socket), std::move(address));
}

std::optional<Accepted> Listener::accept() const {
  SocketAddress from;
  Accepted accepted{.socket = Fd(::accept4(socket_.get(), from.pointer(), &from.size,
                                           SOCK_CLOEXEC | SOCK_NONBLOCK)),
                    .peer = {},
                    .client = {}};
  if (!accepted.socket.is_open()) return std::nullopt;
  name_client(from, accepted);
  // Answers are written whole: waiting for more to send with them only costs time.
  const int yes = 1;
  ::setsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return accepted;
}

}  // namespace airlock::http

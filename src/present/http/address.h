// Where the server listens, and which hosts and origins it takes requests for. A page in a browser
// can send requests to any address that the browser reaches, this machine's own too, and by a name
// of its owner's that leads here (DNS rebinding). It cannot lie about Host and Origin: so both are
// looked at before anything else. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock::http {

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080", ":8080" or "8080" (both 127.0.0.1). Port 0 is
// one that is free.
struct ListenAddress {
  std::string host;  // an IP address, without brackets
  std::uint16_t port = 0;
  bool is_version_6 = false;

  bool is_loopback() const;
  bool is_any() const;  // every address of this machine
};
Result<ListenAddress> read_listen_address(std::string_view text);
// "http://127.0.0.1:8080"
std::string url_of(const ListenAddress& address);
// The same for a browser on this machine: of every address, the one that leads back here.
std::string url_here(const ListenAddress& address);

// A name and a port, as in Host: "localhost", "[::1]:8080".
struct Authority {
  std::string host;  // in small letters, without brackets
  std::optional<std::uint16_t> port;
  bool is_address = false;  // an IP address: no name server has a say in it
};
std::optional<Authority> read_authority(std::string_view text);

// Whether a request with this Host is for us: a loopback name, what we listen on (any address, when
// we listen on all of them), or one of `allowed` (names in small letters).
bool is_our_host(std::string_view host, const ListenAddress& listens,
                 std::span<const std::string> allowed);

// Whether a page of this Origin is one that came from this Host.
bool is_same_origin(std::string_view origin, std::string_view host);

}  // namespace airlock::http

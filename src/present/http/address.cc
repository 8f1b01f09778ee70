#include "present/http/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"

namespace airlock::http {

namespace {

constexpr std::array<std::string_view, 3> kLoopbackNames = {"localhost", "127.0.0.1", "::1"};

bool is_version_4(const std::string& text) {
  in_addr address{};
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_version_6(const std::string& text) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_host_byte(char c) {
  return is_alnum(c) || c == '-' || c == '.' || c == '_';
}

}  // namespace

bool ListenAddress::is_loopback() const {
  return is_version_6 ? host == "::1" : host.starts_with("127.");
}

bool ListenAddress::is_any() const {
  return host == "0.0.0.0" || host == "::";
}

Result<ListenAddress> read_listen_address(std::string_view text) {
  const auto complain = [&] {
    return bad_request("'" + std::string(text) +
                       "' is no HOST:PORT: an IP address or localhost, and a port from 0 to 65535, "
                       "such as 127.0.0.1:8080");
  };
  ListenAddress address;
  std::string_view host;
  std::string_view port = text;
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  const auto number = port_of(port);
  if (!number) return complain();
  address.port = *number;
  if (host.starts_with('[') && host.ends_with(']')) {
    address.host = std::string(host.substr(1, host.size() - 2));
    address.is_version_6 = true;
    if (!is_version_6(address.host)) return complain();
    return address;
  }
  address.host = host.empty() || host == "localhost" ? "127.0.0.1" : std::string(host);
  if (!is_version_4(address.host)) return complain();
  return address;
}

std::string url_of(const ListenAddress& address) {
  const std::string host = address.is_version_6 ? "[" + address.host + "]" : address.host;
  return "http://" + host + ":" + std::to_string(address.port);
}

std::string url_here(const ListenAddress& address) {
  ListenAddress here = address;
  if (here.is_any()) here.host = here.is_version_6 ? "::1" : "127.0.0.1";
  return url_of(here);
}

std::optional<Authority> read_authority(std::string_view text) {
  Authority read;
  std::string_view rest = text;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    read.host = lower(text.substr(1, end - 1));
    read.is_address = is_version_6(read.host);
    if (!read.is_address) return std::nullopt;
    rest = text.substr(end + 1);
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    read.host = lower(text.substr(0, colon));
    if (read.host.empty() || !std::ranges::all_of(read.host, is_host_byte)) return std::nullopt;
    read.is_address = is_version_4(read.host);
    rest = text.substr(colon);
  }
  if (rest.empty()) return read;
  if (!rest.starts_with(':')) return std::nullopt;
  read.port = port_of(rest.substr(1));
  if (!read.port) return std::nullopt;
  return read;
}

bool is_our_host(std::string_view host, const ListenAddress& listens,
                 std::span<const std::string> allowed) {
  const auto authority = read_authority(host);
  if (!authority) return false;
  return std::ranges::find(kLoopbackNames, authority->host) != kLoopbackNames.end() ||
         authority->host == listens.host || (listens.is_any() && authority->is_address) ||
         std::ranges::find(allowed, authority->host) != allowed.end();
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  std::uint16_t usual_port = 80;
  if (origin.starts_with("http://")) {
    origin.remove_prefix(7);
  } else if (origin.starts_with("https://")) {  // behind a proxy that has the certificate
    origin.remove_prefix(8);
    usual_port = 443;
  } else {
    return false;
  }
  const auto from = read_authority(origin);
  const auto to = read_authority(host);
  return from && to && from->host == to->host &&
         from->port.value_or(usual_port) == to->port.value_or(usual_port);
}

}  // namespace airlock::http

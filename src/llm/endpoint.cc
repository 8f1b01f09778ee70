#include "llm/endpoint.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"

namespace airlock::llm {

namespace {

// Characters; the message below names the number.
constexpr std::size_t kLongest = 2000;

// 127.0.0.0/8 with all four numbers in full: "127.1" and "0x7f.0.0.1" are for no one to guess.
bool is_loopback_number(std::string_view host) {
  int parts = 0;
  while (true) {
    const std::size_t dot = host.find('.');
    const std::string_view part = host.substr(0, dot);
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool is_plain = error == std::errc() && end == part.data() + part.size() &&
                          part.size() <= 3 && value <= 255 && (part.size() == 1 || part[0] != '0');
    if (!is_plain || (parts == 0 && value != 127)) return false;
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    host.remove_prefix(dot + 1);
  }
}

// By its spelling alone, never by asking DNS: whether http is allowed, and whether a proxy is used,
// hangs on this answer.
bool is_loopback_host(std::string_view host) {
  const std::string name = lower(host);
  return name == "localhost" || name.ends_with(".localhost") || name == "[::1]" ||
         is_loopback_number(name);
}

// Only characters that no parser of addresses reads in another way.
bool is_host(std::string_view host) {
  if (host.starts_with('[')) {
    return host.size() > 3 && host.ends_with(']') &&
           std::ranges::all_of(host.substr(1, host.size() - 2),
                               [](char c) { return is_hex_digit(c) || c == ':' || c == '.'; });
  }
  return !host.empty() && host.size() <= 253 && host[0] != '-' && host[0] != '.' &&
         std::ranges::all_of(
             host, [](char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; });
}

bool is_path_character(char c) {
  return is_digit(c) || is_letter(c) || std::string_view("/-._~!$&'()*+,;=:%").contains(c);
}

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0)
    return bad_request("its port is not a number from 1 to 65535");
  return port;
}

}  // namespace

std::string Endpoint::origin() const {
  return (is_tls ? "https://" : "http://") + host +
         (port == 0 ? std::string() : ":" + std::to_string(port));
}

Result<Endpoint> parse_endpoint(std::string_view text) {
  if (text.size() > kLongest) return bad_request("it is longer than 2000 characters");
  Endpoint endpoint;
  const std::size_t colon = text.find("://");
  const std::string scheme = lower(text.substr(0, std::min(colon, text.size())));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https"))
    return bad_request("it must begin with https:// or http://");
  endpoint.is_tls = scheme == "https";
  std::string_view rest = text.substr(colon + 3);
  const std::size_t slash = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view authority = rest.substr(0, slash);
  std::string_view path = rest.substr(slash);
  // Whatever stands before '@' may be a secret: the message does not repeat it.
  if (authority.contains('@'))
    return bad_request("it holds a name or a key before '@'; name the key in key_env or key_file");
  if (path.find_first_of("?#") != std::string_view::npos)
    return bad_request(
        "it has a query or a fragment ('?' or '#'); only host, port and path belong there");
  // In "[::1]:8080" the port's colon stands behind the bracket.
  const std::size_t after =
      authority.starts_with('[') ? std::min(authority.find(']'), authority.size() - 1) + 1 : 0;
  if (const std::size_t port = authority.find(':', after); port != std::string_view::npos) {
    const auto number = TRY(parse_port(authority.substr(port + 1)));
    endpoint.port = number;
    authority = authority.substr(0, port);
  }
  if (!is_host(authority)) return bad_request("its host is no name and no address");
  if (!std::ranges::all_of(path, is_path_character) || path.contains(".."))
    return bad_request("its path has characters that do not belong there");
  while (path.ends_with('/')) path.remove_suffix(1);
  endpoint.host = authority;
  endpoint.path = path;
  endpoint.is_loopback = is_loopback_host(authority);
  return endpoint;
}

}  // namespace airlock::llm

// airlock serve: the engine kept warm, for programs that speak its protocol.
#include "base/ascii.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/server_options.h"
#include "present/http/door.h"
#include "present/serve/server.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kServeExample =
    "airlock serve --stdio\n"
    "  airlock serve --socket \"$XDG_RUNTIME_DIR/airlock\" --packages numpy,pandas\n"
    "  airlock serve --http 127.0.0.1:8080\n\n"
    "Over stdio and a socket one JSON document a line; docs/protocol.md has every message. A "
    "socket "
    "is for\nthis user alone. Over HTTP, docs/http.md has every call; each needs the token whose "
    "file is printed. In a browser, the link\nthat is printed opens the review page "
    "(docs/review.md).\n"
    "Exit codes: 0 it was told to end, 130 by Ctrl-C, 2 a door or policy cannot be had,\n"
    "3 no isolation.";

// The doors as they were asked for.
struct AskedDoors {
  bool has_stdio = false;
  std::string socket;
  std::string http;
  std::string token_file;
  http::HttpOptions http_options;
};

void declare_doors(CLI::App& options, AskedDoors& to) {
  options.add_flag("--stdio", to.has_stdio, "Serve the program that started this one");
  options.add_option("--socket", to.socket, "Serve at this path; only for this user")
      ->type_name("PATH");
  options
      .add_option("--http", to.http,
                  "Serve HTTP at this address; PORT alone is on this machine only, 0 is a free one")
      ->type_name("HOST:PORT");
  options
      .add_option("--token-file", to.token_file,
                  "The token that HTTP asks for is in this file; else one is made")
      ->type_name("FILE");
  options
      .add_option("--allow-host", to.http_options.allowed_hosts,
                  "Also take HTTP requests for this name")
      ->type_name("NAME");
  options
      .add_option("--rate", to.http_options.requests_per_second,
                  "HTTP requests a second of one client")
      ->check(within(1, 1e6, ""))
      ->type_name("N");
}

Result<void> check_doors(AskedDoors& asked) {
  if (!asked.has_stdio && asked.socket.empty() && asked.http.empty())
    return bad_request(
        "Say where to serve: --stdio, --socket PATH, --http HOST:PORT, or several of them.");
  if (asked.http.empty() &&
      (!asked.token_file.empty() || !asked.http_options.allowed_hosts.empty()))
    return bad_request("--token-file and --allow-host are for --http HOST:PORT.");
  if (asked.http.empty()) return {};
  asked.http_options.address = TRY(http::read_listen_address(asked.http));
  if (!asked.token_file.empty()) asked.http_options.token_file = asked.token_file;
  for (std::string& name : asked.http_options.allowed_hosts) {
    name = lower(name);
    const auto authority = http::read_authority(name);
    if (!authority || authority->port)
      return bad_request("--allow-host takes the name of a host, without a port: " + name);
    name = authority->host;
  }
  return {};
}

}  // namespace

Result<int> serve_command(std::span<const std::string> arguments, const Environment& environment) {
  AskedDoors asked;
  ServerOptions server = usual_server_options(environment);
  CommandLine line("airlock serve",
                   "Keep the engine warm and serve programs: sessions, checks, validations.",
                   kServeExample);
  declare_doors(line.options(), asked);
  declare_server(line.options(), server);
  if (const auto code = line.parse(arguments)) return *code;
  TRY(check_doors(asked));
  const bool has_http = !asked.http.empty();
  if (has_http) server.asked.more_clients = http::kMostConnections;
  const auto resident = TRY(make_resident(std::move(server)));
  serve::Doors doors;
  if (!asked.socket.empty()) doors.socket_path = asked.socket;
  if (asked.has_stdio) doors.stdio = serve::own_protocol_over_stdio(*resident);
  std::unique_ptr<http::HttpDoor> door;
  if (has_http) {
    door = TRY(http::HttpDoor::open(*resident, std::move(asked.http_options)));
    doors.http = [&door](int stop) { door->serve(stop); };
  }
  return exit_code_of_server(TRY(serve::serve(*resident, doors)));
}

}  // namespace airlock::cli

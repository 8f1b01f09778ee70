// airlock serve: the engine kept warm, for programs that speak its protocol.
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/server_options.h"
#include "present/serve/server.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kServeExample =
    "airlock serve --stdio\n"
    "  airlock serve --socket \"$XDG_RUNTIME_DIR/airlock\" --packages numpy,pandas\n\n"
    "One JSON document a line; docs/protocol.md has every message. A socket is for this user "
    "alone.\n"
    "Exit codes: 0 it was told to end, 2 a door or policy cannot be had, 3 no isolation.";

}  // namespace

Result<int> serve_command(std::span<const std::string> arguments, const Environment& environment) {
  serve::Doors doors;
  bool has_stdio = false;
  std::string socket;
  ServerOptions asked = usual_server_options(environment);
  CommandLine line("airlock serve",
                   "Keep the engine warm and serve programs: sessions, checks, validations.",
                   kServeExample);
  CLI::App& options = line.options();
  options.add_flag("--stdio", has_stdio, "Serve the program that started this one");
  options.add_option("--socket", socket, "Serve at this path; only for this user")
      ->type_name("PATH");
  declare_server(options, asked);
  if (const auto code = line.parse(arguments)) return *code;
  if (!socket.empty()) doors.socket_path = socket;
  if (!has_stdio && !doors.socket_path)
    return bad_request("Say where to serve: --stdio, --socket PATH, or both.");
  const auto resident = TRY(make_resident(std::move(asked)));
  if (has_stdio) doors.stdio = serve::own_protocol_over_stdio(*resident);
  TRY(serve::serve(*resident, doors));
  return kAccepted;
}

}  // namespace airlock::cli

// airlock mcp: the engine kept warm, for agents that speak the Model Context Protocol over stdio.
#include <unistd.h>

#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/server_options.h"
#include "present/mcp/line_connection.h"
#include "present/serve/server.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kMcpExample =
    "airlock mcp\n"
    "  airlock mcp --packages numpy,pandas\n\n"
    "An agent starts it and speaks over standard input and output: specifications 2025-11-25 and\n"
    "2026-07-28, by what it sends. docs/mcp.md has what to paste into the usual clients.\n"
    "Exit codes: 0 the client has gone, 2 a policy or package cannot be had, 3 no isolation.";

}  // namespace

Result<int> mcp_command(std::span<const std::string> arguments, const Environment& environment) {
  ServerOptions asked = usual_server_options(environment);
  CommandLine line("airlock mcp",
                   "Serve an agent over the Model Context Protocol: run, check, validate, extract.",
                   kMcpExample);
  declare_server(line.options(), asked);
  if (const auto code = line.parse(arguments)) return *code;
  const auto resident = TRY(make_resident(std::move(asked)));
  mcp::Service service(*resident, mcp::airlock_offer());
  serve::Doors doors;
  doors.stdio = [&](int stop) {
    mcp::LineConnection(service, STDIN_FILENO, STDOUT_FILENO, stop).serve();
  };
  return exit_code_of_server(TRY(serve::serve(*resident, doors)));
}

}  // namespace airlock::cli

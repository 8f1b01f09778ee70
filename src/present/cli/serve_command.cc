// airlock serve: the engine kept warm, for programs that speak its protocol.
#include <algorithm>
#include <thread>

#include "present/cli/options.h"
#include "present/cli/program.h"
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
  std::string socket;
  std::string packages_from;
  serve::ServeOptions asked{.host_program = environment.host_program,
                            .user_dirs = environment.user_dirs,
                            .policies = {"node", "extractor"},
                            .packages = {},
                            .workers = std::max(8U, std::thread::hardware_concurrency()),
                            .idle_seconds = 600};
  CommandLine line("airlock serve",
                   "Keep the engine warm and serve programs: sessions, checks, validations.",
                   kServeExample);
  CLI::App& options = line.options();
  options.add_flag("--stdio", doors.has_stdio, "Serve the program that started this one");
  options.add_option("--socket", socket, "Serve at this path; only for this user")
      ->type_name("PATH");
  options.add_option("--policies", asked.policies, "Those that clients may choose")
      ->delimiter(',')
      ->type_name("NAME,…");
  options
      .add_option("--packages", asked.packages.names,
                  "Import these before the first session, for all of them")
      ->delimiter(',')
      ->type_name("NAME,…");
  declare_packages_from(options, packages_from);
  options.add_option("--workers", asked.workers, "How much runs at once")
      ->check(within(1, 1024, ""))
      ->type_name("N");
  options.add_option("--idle", asked.idle_seconds, "Close a session that was unused for so long")
      ->check(within(1, 1e6, "seconds"))
      ->type_name("SECONDS");
  if (const auto code = line.parse(arguments)) return *code;
  if (!socket.empty()) doors.socket_path = socket;
  if (!doors.has_stdio && !doors.socket_path)
    return bad_request("Say where to serve: --stdio, --socket PATH, or both.");
  if (!packages_from.empty()) asked.packages.folder = TRY(find_package_folder(packages_from));
  auto resident = TRY(serve::Resident::make(std::move(asked)));
  TRY(serve::serve(*resident, doors));
  return kAccepted;
}

}  // namespace airlock::cli

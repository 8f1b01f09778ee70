#include "present/cli/server_options.h"

#include <signal.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/session/packages.h"
#include "engine/session/session_files.h"
#include "present/cli/exit_code.h"
#include "present/cli/options.h"

namespace airlock::cli {

ServerOptions usual_server_options(const Environment& environment) {
  return {.asked = {.host_program = environment.host_program,
                    .user_dirs = environment.user_dirs,
                    .policies = {"node", "extractor"},
                    .packages = {},
                    .workers = std::max(8U, std::thread::hardware_concurrency()),
                    .idle_seconds = 600,
                    .more_clients = 0},
          .packages_from = {},
          .file_roots = {}};
}

void declare_server(CLI::App& options, ServerOptions& to) {
  options.add_option("--policies", to.asked.policies, "Those that clients may choose")
      ->delimiter(',')
      ->type_name("NAME,…");
  options
      .add_option("--packages", to.asked.packages.names,
                  "Import these before the first session, for all of them")
      ->delimiter(',')
      ->type_name("NAME,…");
  declare_packages_from(options, to.packages_from);
  options
      .add_option("--allow-root", to.file_roots,
                  "Sessions may be given files below this folder, by whoever opens them")
      ->type_name("DIR");
  options.add_option("--workers", to.asked.workers, "How much runs at once")
      ->check(within(1, 1024, ""))
      ->type_name("N");
  options
      .add_option("--idle", to.asked.idle_seconds, "Close a session that was unused for so long")
      ->check(within(1, 1e6, "seconds"))
      ->type_name("SECONDS");
}

Result<std::unique_ptr<serve::Resident>> make_resident(ServerOptions options) {
  if (!options.packages_from.empty())
    options.asked.packages.folder = TRY(find_package_folder(options.packages_from));
  for (const std::string& root : options.file_roots)
    options.asked.file_roots.push_back(TRY(find_file_root(root)));
  return serve::Resident::make(std::move(options.asked));
}

int exit_code_of_server(int signal) {
  return signal == SIGINT ? kInterrupted : kAccepted;
}

}  // namespace airlock::cli

// What every command that keeps the engine warm is told about it: `airlock serve`, `airlock mcp`.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "present/cli/program.h"
#include "present/serve/resident.h"

namespace airlock::cli {

struct ServerOptions {
  serve::ServeOptions asked;
  std::string packages_from;
  std::vector<std::string> file_roots;
};

ServerOptions usual_server_options(const Environment& environment);
// --policies, --packages, --packages-from, --allow-root, --workers, --idle
void declare_server(CLI::App& options, ServerOptions& to);
// An Error: a policy, an environment or a folder cannot be had.
Result<std::unique_ptr<serve::Resident>> make_resident(ServerOptions options);

// `signal`: what ended it. To be told to end is what a server waits for; Ctrl-C is 130, as in every
// command.
int exit_code_of_server(int signal);

}  // namespace airlock::cli

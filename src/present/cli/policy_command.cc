// airlock policy list|show: what code may use, and why.
#include <string>

#include "engine/load/require_loadable.h"
#include "engine/policy/policy_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/policy_output.h"

namespace airlock::cli {

Result<int> policy_command(std::span<const std::string> arguments, const Environment& environment) {
  Format format = Format::kText;
  std::string name = "extractor";
  CommandLine line("airlock policy", "Show what a policy allows, with the reason for each entry.",
                   "airlock policy show extractor");
  CLI::App& options = line.options();
  CLI::App* list = options.add_subcommand("list", "The built-in policies");
  CLI::App* show = options.add_subcommand("show", "One policy, entry by entry");
  show->add_option("NAME", name, "A built-in policy, or a TOML file that extends one")
      ->default_str("extractor");
  declare_format(*list, format);
  declare_format(*show, format);
  options.require_subcommand(1);
  if (const auto code = line.parse(arguments)) return *code;

  if (list->parsed()) {
    return write_report(format == Format::kJson
                            ? policy_list_as_json(builtin_policies())
                            : policy_list_as_text(builtin_policies(), environment.colour))
               ? kAccepted
               : kBadRequest;
  }
  // A file is checked like the built-in ones; what is shown is what would be in force.
  const auto policy = TRY(load_policy(name));
  TRY(require_loadable(policy, environment.host_program));
  return write_report(format == Format::kJson ? policy_as_json(policy)
                                              : policy_as_text(policy, environment.colour))
             ? kAccepted
             : kBadRequest;
}

}  // namespace airlock::cli

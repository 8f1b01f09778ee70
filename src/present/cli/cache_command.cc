// airlock cache show|clear|verify: what is kept of what probes said.
#include <algorithm>
#include <string>

#include "engine/records/records.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/records_output.h"

namespace airlock::cli {

namespace {

Result<int> show(Format format, const Environment& environment) {
  const auto contents = TRY(show_cache(environment.user_dirs));
  return write_report(format == Format::kJson ? cache_as_json(contents)
                                              : cache_as_text(contents, environment.colour))
             ? kAccepted
             : kBadRequest;
}

Result<int> clear(Format format, const Environment& environment) {
  const auto cleared = TRY(clear_cache(environment.user_dirs));
  return write_report(format == Format::kJson ? cleared_as_json(cleared) : cleared_as_text(cleared))
             ? kAccepted
             : kBadRequest;
}

// A file that belongs to no entry is what a killed process leaves behind: it is removed, but it is
// no damage, so the exit code stays 0.
Result<int> verify(Format format, const Environment& environment) {
  const auto verified = TRY(verify_cache(environment.user_dirs));
  if (!write_report(format == Format::kJson ? verified_as_json(verified)
                                            : verified_as_text(verified, environment.colour)))
    return kBadRequest;
  const bool is_sound = std::ranges::all_of(
      verified.removed, [](const DamagedEntry& entry) { return entry.key.empty(); });
  return is_sound ? kAccepted : kRefused;
}

}  // namespace

Result<int> cache_command(std::span<const std::string> arguments, const Environment& environment) {
  Format format = Format::kText;
  CommandLine line("airlock cache", "Show, empty or check the cache of what probes said.",
                   "airlock cache show --format json");
  CLI::App& options = line.options();
  options.require_subcommand(1);
  const auto add = [&](const char* name, const char* summary) {
    CLI::App* command = options.add_subcommand(name, summary);
    command->footer("Example:\n  airlock cache " + std::string(name) + " --format json");
    declare_format(*command, format);
    return command;
  };
  const CLI::App* wants_show = add("show", "How much it holds, by probe");
  const CLI::App* wants_clear = add("clear", "Remove everything in it");
  add("verify", "Read everything, remove and list what is damaged; exit code 1 when an entry was");
  if (const auto code = line.parse(arguments)) return *code;
  if (wants_show->parsed()) return show(format, environment);
  if (wants_clear->parsed()) return clear(format, environment);
  return verify(format, environment);
}

}  // namespace airlock::cli

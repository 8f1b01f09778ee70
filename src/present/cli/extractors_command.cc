// airlock extractors list|show|history|disable|enable|remove|verify|reapprove|export|import: what
// was approved.
#include <unistd.h>

#include "base/printable.h"
#include "engine/approve/extractors.h"
#include "present/cli/bundles.h"
#include "present/cli/judging.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/reapprove.h"
#include "present/report/drafts_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kExtractorsExample =
    "airlock extractors\n"
    "  airlock extractors show sales_reports@2 --code > extractor.py\n"
    "  airlock extractors verify\n"
    "  airlock extractors reapprove --all   after a change of policy or interpreter\n"
    "  airlock extractors export sales_reports > sales_reports.airlock\n"
    "  airlock extractors import sales_reports.airlock\n\n"
    "Exit codes: 0 fine, 1 verify found something that is not as it was approved, reapprove did "
    "not\napprove all, or a bundle was refused, 2 bad request, 3 no isolation on this host.";

struct ExtractorsArguments {
  Format format = Format::kText;
  std::string name;
  bool only_code = false;
  ReapproveArguments again;
  ImportArguments import;
};

bool wants_json(const ExtractorsArguments& arguments) {
  return arguments.format == Format::kJson;
}

Result<int> list(const ExtractorsArguments& arguments, const Environment& environment) {
  const auto all = TRY(list_extractors(environment.user_dirs));
  return report(wants_json(arguments) ? extractors_as_json(all)
                                      : extractors_as_text(all, environment.colour));
}

Result<int> show(const ExtractorsArguments& arguments, const Environment& environment) {
  const auto found = TRY(find_extractor(environment.user_dirs, arguments.name));
  // To a file as it is; a terminal would obey what is in it.
  if (arguments.only_code)
    return report(::isatty(STDOUT_FILENO) == 1 ? text_for_terminal(found.text) : found.text);
  return report(wants_json(arguments) ? extractor_as_json(found)
                                      : extractor_as_text(found, environment.colour));
}

Result<int> history(const ExtractorsArguments& arguments, const Environment& environment) {
  const auto all = TRY(extractor_history(environment.user_dirs, arguments.name));
  return report(wants_json(arguments) ? extractors_as_json(all)
                                      : extractors_as_text(all, environment.colour));
}

Result<int> set_use(const ExtractorsArguments& arguments, Use use, const Environment& environment) {
  TRY(set_extractor_use(environment.user_dirs, arguments.name, use));
  if (wants_json(arguments)) return report(use_as_json(arguments.name, use == Use::kDisabled));
  const std::string name = printable(arguments.name);
  return report("'" + name +
                (use == Use::kDisabled ? "' is disabled: airlock extract refuses it until airlock "
                                         "extractors enable " +
                                             name + "\n"
                                       : "' is enabled\n"));
}

Result<int> remove(const ExtractorsArguments& arguments, const Environment& environment) {
  const auto done = TRY(remove_extractor(environment.user_dirs, arguments.name));
  if (wants_json(arguments)) return report(removal_as_json(arguments.name, done));
  return report("removed " + std::to_string(done) + (done == 1 ? " version" : " versions") +
                " of '" + printable(arguments.name.substr(0, arguments.name.find('@'))) + "'\n");
}

// Every version of the name, or of all names.
Result<std::vector<ApprovedExtractor>> to_verify(const ExtractorsArguments& arguments,
                                                 const UserDirs& user_dirs) {
  if (arguments.name.contains('@')) {
    auto one = TRY(find_extractor(user_dirs, arguments.name));
    return std::vector{std::move(one)};
  }
  if (!arguments.name.empty()) return extractor_history(user_dirs, arguments.name);
  auto newest = list_extractors(user_dirs);
  if (!newest) return newest;
  std::vector<ApprovedExtractor> all;
  for (const ApprovedExtractor& one : *newest) {
    auto versions = extractor_history(user_dirs, one.name);
    if (!versions) return versions;
    all.insert(all.end(), std::make_move_iterator(versions->begin()),
               std::make_move_iterator(versions->end()));
  }
  return all;
}

// Receipts are checked one after the other and all are reported: one that does not hold does not
// end it.
Result<int> verify(const ExtractorsArguments& arguments, const Environment& environment) {
  auto all = TRY(to_verify(arguments, environment.user_dirs));
  std::vector<CheckedReceipt> receipts;
  bool all_hold = true;
  for (ApprovedExtractor& one : all) {
    auto check = TRY(check_receipt_here(one, environment.host_program));
    all_hold = all_hold && check.holds();
    receipts.push_back({std::move(one), std::move(check)});
  }
  return report(wants_json(arguments) ? receipts_as_json(receipts)
                                      : receipts_as_text(receipts, environment.colour),
                all_hold ? kAccepted : kRefused);
}

}  // namespace

Result<int> extractors_command(std::span<const std::string> words, const Environment& environment) {
  ExtractorsArguments arguments;
  CommandLine line("airlock extractors",
                   "List what was approved, show it, stop or remove it, check its receipts.",
                   kExtractorsExample);
  CLI::App& options = line.options();
  options.require_subcommand(0, 1);
  declare_format(options, arguments.format);
  // `takes`: the name of the required argument in --help; "" for a command that needs none.
  const auto add = [&](const char* name, const char* summary, const char* takes) {
    CLI::App* command = options.add_subcommand(name, summary);
    declare_format(*command, arguments.format);
    command->footer("Example:\n  airlock extractors " + std::string(name) +
                    (*takes != '\0' ? " sales_reports" : ""));
    if (*takes != '\0')
      command->add_option(takes, arguments.name, "The extractor's name")->required();
    return command;
  };
  add("list", "The newest version of each", "");
  CLI::App* showing = add("show", "One with its text, samples and receipt", "NAME[@VERSION]");
  showing->add_flag("--code", arguments.only_code, "Print the text and nothing else");
  const CLI::App* telling = add("history", "All versions of one, the newest first", "NAME");
  const CLI::App* disabling = add("disable", "Refuse to run it, in any version", "NAME");
  const CLI::App* enabling = add("enable", "Run it again", "NAME");
  const CLI::App* removing = add("remove", "Forget one version, or all of them", "NAME[@VERSION]");
  CLI::App* verifying = add("verify", "Check receipts; exit code 1 when one does not hold", "");
  verifying->add_option("NAME[@VERSION]", arguments.name,
                        "Only this one; otherwise all versions of all");
  CLI::App* repeating =
      add("reapprove", "Try it on its samples, show what is different, and approve it again", "");
  repeating->footer("Example:\n  airlock extractors reapprove sales_reports");
  repeating->add_option("NAME[@VERSION]", arguments.again.name, "This one");
  repeating->add_flag("--all", arguments.again.all,
                      "The newest of each name, where the receipt does not hold");
  repeating->add_flag("--yes", arguments.again.yes, "Approve without asking at the terminal");
  declare_review(*repeating, arguments.again.review, "Who approves it", "Why, for the receipt");
  CLI::App* exporting = add("export", "Write it to stdout as a bundle, signed with your key", "");
  exporting->add_option("NAME[@VERSION]", arguments.name, "The extractor's name")->required();
  exporting->footer("Example:\n  airlock extractors export sales_reports > sales_reports.airlock");
  CLI::App* importing =
      add("import", "Check a bundle, show it, and take it in when you say so", "");
  importing->add_option("FILE", arguments.import.file, "The bundle; - for standard input")
      ->required();
  importing
      ->add_option("--as", arguments.import.as,
                   "Under another name; the next version when it "
                   "is taken")
      ->type_name("NAME");
  importing->add_flag("--yes", arguments.import.yes, "Import without asking at the terminal");
  importing->footer("Example:\n  airlock extractors import sales_reports.airlock --as sales");
  if (const auto code = line.parse(words)) return *code;
  if (exporting->parsed()) return export_bundle(arguments.name, environment);
  if (importing->parsed()) {
    arguments.import.format = arguments.format;
    return import_bundle_file(arguments.import, environment);
  }
  if (showing->parsed()) return show(arguments, environment);
  if (telling->parsed()) return history(arguments, environment);
  if (disabling->parsed()) return set_use(arguments, Use::kDisabled, environment);
  if (enabling->parsed()) return set_use(arguments, Use::kEnabled, environment);
  if (removing->parsed()) return remove(arguments, environment);
  if (verifying->parsed()) return verify(arguments, environment);
  if (repeating->parsed()) {
    arguments.again.format = arguments.format;
    return reapprove(arguments.again, environment);
  }
  return list(arguments, environment);
}

}  // namespace airlock::cli

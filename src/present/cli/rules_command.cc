// airlock rules check|show|test|explain: path rules, without running a job.
#include <algorithm>

#include "engine/paths/load_rules.h"
#include "engine/paths/test_rules.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/rules_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kRulesExample =
    "airlock rules check rule.yaml\n"
    "  airlock rules explain rule.yaml /data/mission_042/2024-01-15/readings.csv\n"
    "  find /data -type f | airlock rules test rule.yaml -\n\n"
    "Exit codes: 0 fine, 1 the rules are refused or a path is not matched, 2 bad request.";

// Shared by all sub-commands: `files` is for check, `file` for the others; `paths` are lists of
// paths for test, and the one path for explain.
struct RulesArguments {
  Format format = Format::kText;
  std::vector<std::string> files;
  std::string file;
  std::vector<std::string> paths;
  std::size_t shown = 10;
};

Result<int> check(const RulesArguments& arguments, const Environment& environment) {
  std::vector<CheckedRuleFile> files;
  bool is_fine = true;
  for (const std::string& name : arguments.files) {
    auto loaded = TRY(load_rules(name));
    is_fine = is_fine && loaded.rules;
    files.push_back({name, std::move(loaded)});
  }
  return report(arguments.format == Format::kJson ? rules_check_as_json(files)
                                                  : rules_check_as_text(files, environment.colour),
                is_fine ? kAccepted : kRefused);
}

// An Error when the rules cannot be used; what is wrong in them is said by then.
Result<rules::RuleFile> load_usable_rules(const std::string& file) {
  auto loaded = TRY(load_rules(file));
  if (loaded.rules) return std::move(*loaded.rules);
  write_to_error_stream(problems_as_text(file, loaded.rules.error()));
  return refused("The rules are refused.");
}

Result<int> show(const RulesArguments& arguments, const Environment& environment) {
  const auto file = TRY(load_usable_rules(arguments.file));
  return report(arguments.format == Format::kJson ? rules_as_json(file)
                                                  : rules_as_text(file, environment.colour),
                kAccepted);
}

Result<int> test(const RulesArguments& arguments, const Environment& environment) {
  auto file = TRY(load_usable_rules(arguments.file));
  const rules::Matcher matcher(std::move(file));
  auto input =
      TRY(PathInput::open(arguments.paths.empty() ? std::vector<std::string>{"-"} : arguments.paths,
                          Separator::kNewline));
  const auto result = TRY(test_rules(matcher, input, arguments.shown));
  return report(arguments.format == Format::kJson ? rules_test_as_json(result)
                                                  : rules_test_as_text(result, environment.colour),
                result.matched == result.paths ? kAccepted : kRefused);
}

Result<int> explain_path(const RulesArguments& arguments, const Environment& environment) {
  auto file = TRY(load_usable_rules(arguments.file));
  const rules::Matcher matcher(std::move(file));
  // The report explains by itself; this match is only for the exit code.
  rules::Match match;
  const std::string& path = arguments.paths.front();
  return report(arguments.format == Format::kJson
                    ? explanation_as_json(path, matcher)
                    : explanation_as_text(path, matcher, environment.colour),
                matcher.match(path, match) ? kAccepted : kRefused);
}

}  // namespace

Result<int> rules_command(std::span<const std::string> words, const Environment& environment) {
  RulesArguments arguments;
  CommandLine line("airlock rules", "Check path rules, show them, try them on paths, explain one.",
                   kRulesExample);
  CLI::App& options = line.options();
  const auto add = [&](const char* name, const char* summary) {
    CLI::App* command = options.add_subcommand(name, summary);
    declare_format(*command, arguments.format);
    return command;
  };
  CLI::App* checking = add("check", "Read rule files and tell every mistake with its place");
  checking->add_option("FILE", arguments.files, "Rule files; - for standard input")->required();
  CLI::App* showing = add("show", "A rule file as airlock understands it");
  CLI::App* testing = add("test", "How many paths each rule matches, and which none does");
  CLI::App* explaining =
      add("explain", "Which rule matches one path, and why, or the first thing that did not fit");
  for (CLI::App* command : {showing, testing, explaining})
    command->add_option("FILE", arguments.file, "The rule file")->required();
  testing->add_option("PATHS", arguments.paths,
                      "Files with one path a line; - or none for standard input");
  testing->add_option("--show", arguments.shown, "How many paths that no rule matches are shown")
      ->type_name("N")
      ->default_str("10");
  explaining->add_option("PATH", arguments.paths, "The path")->required()->expected(1);
  options.require_subcommand(1);
  if (const auto code = line.parse(words)) return *code;
  if (checking->parsed()) return check(arguments, environment);
  if (showing->parsed()) return show(arguments, environment);
  if (testing->parsed()) return test(arguments, environment);
  return explain_path(arguments, environment);
}

}  // namespace airlock::cli

// airlock check: judge files of AI-written Python. Reads, vets, prints; runs nothing.
#include <algorithm>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/policy_file.h"
#include "present/cli/check_output.h"
#include "present/cli/explain.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kExample =
    "airlock check extractor.py                         one file\n"
    "  airlock check --format sarif src/ > findings.sarif every *.py below a folder\n"
    "  ollama run MODEL \"$PROMPT\" | airlock check -        a model's answer\n"
    "  airlock check --explain AL203                      what a rule means";

int explain(const std::string& code, Colour colour) {
  if (code == "all") return write_report(rules_as_markdown()) ? kAccepted : kBadRequest;
  const Rule* row = find_rule(code);
  if (row == nullptr) {
    complain(unknown_rule(code));
    return kBadRequest;
  }
  return write_report(rule_page(*row, colour)) ? kAccepted : kBadRequest;
}

std::string render(const CheckReport& report, const std::string& format, Colour colour) {
  if (format == "json") return check_as_json(report);
  if (format == "sarif") return check_as_sarif(report);
  if (format == "github") return check_as_github(report);
  return check_as_text(report, colour);
}

int exit_code(const CheckOutcome& outcome) {
  if (!outcome.unreadable.empty()) return kBadRequest;
  const bool all_accepted = std::ranges::all_of(outcome.report.files, [](const CheckedFile& file) {
    return file.verdict.decision == Decision::kAccepted;
  });
  return all_accepted ? kAccepted : kRefused;
}

}  // namespace

int check_command(std::span<const std::string> arguments, const Surroundings& surroundings) {
  std::vector<std::string> inputs;
  std::string format = "text";
  std::string policy_name = "extractor";
  std::string explain_code;
  bool no_signature = false;
  CommandLine line("airlock check",
                   "Judge files of AI-written Python: syntax, security, signature. Nothing is run.",
                   kExample);
  CLI::App& options = line.options();
  options.add_option("FILE", inputs, "Files, folders (walked for *.py), or - for standard input");
  options.add_option("--format", format, "How to print the report: text, json, sarif or github")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
      ->type_name("FORMAT")
      ->default_str("text");
  options.add_option("--policy", policy_name, "A built-in policy, or a TOML file that extends one")
      ->type_name("NAME|FILE.toml")
      ->default_str("extractor");
  options.add_flag("--no-signature", no_signature,
                   "Leave out the signature stage: judge any Python file, not only extractors");
  options.add_option("--explain", explain_code, "Print what a rule means, or 'all' for every rule")
      ->type_name("RULE");
  if (const auto code = line.parse(arguments)) return *code;

  if (!explain_code.empty()) return explain(explain_code, surroundings.colour);
  if (inputs.empty()) {
    complain("Name a file to check, or - for standard input. See airlock check --help.");
    return kBadRequest;
  }
  auto policy = load_policy(policy_name);
  if (!policy) {
    complain(policy.error().message);
    return kBadRequest;
  }
  CheckRequest request;
  request.inputs = std::move(inputs);
  request.policy = std::move(*policy);
  request.stages.signature = !no_signature;
  request.host_program = surroundings.host_program;
  const auto outcome = check(request);
  if (!outcome) return complain_of_no_isolation(outcome.error().message, surroundings);
  for (const Error& error : outcome->unreadable) complain(error.message);
  if (outcome->report.files.empty() && !outcome->unreadable.empty() && format == "text")
    return kBadRequest;
  if (!write_report(render(outcome->report, format, surroundings.colour))) return kBadRequest;
  return exit_code(*outcome);
}

}  // namespace airlock::cli

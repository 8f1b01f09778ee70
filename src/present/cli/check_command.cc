// airlock check: judge files of AI-written Python. Reads, vets, prints; runs nothing.
#include <memory>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/load/require_loadable.h"
#include "engine/policy/policy_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/check_writer.h"
#include "present/report/explain.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kCheckExample =
    "airlock check -- extractor.py                      one file, judged as it stands\n"
    "  airlock check --format sarif -- src/ > f.sarif     every *.py below a folder\n"
    "  ollama run MODEL \"$PROMPT\" | airlock check -        a model's answer, cleaned first\n"
    "  airlock check --answer -- reply.py                 an answer that was saved as *.py\n"
    "  airlock check --explain AL203                      what a rule means\n\n"
    "Write -- before names that others chose: one that begins with - would be an option.";

// `--explain all` prints docs/rules.md, so that the document cannot drift from the table.
Result<int> explain(const std::string& code, Colour colour) {
  if (code == "all") return write_report(rules_as_markdown()) ? kAccepted : kBadRequest;
  const Rule* row = find_rule(code);
  if (row == nullptr) return bad_request(unknown_rule(code));
  return write_report(rule_page(*row, colour)) ? kAccepted : kBadRequest;
}

std::unique_ptr<CheckWriter> make_writer(Format format, const std::string& policy, Colour colour) {
  if (format == Format::kJson) return make_json_writer(policy);
  if (format == Format::kSarif) return make_sarif_writer(policy);
  if (format == Format::kGithub) return make_github_writer();
  return make_text_writer(colour);
}

// Writes each file as it comes, and remembers what the exit code needs.
class Report {
 public:
  explicit Report(CheckWriter& writer) : writer_(writer) {}

  CheckListener listener() {
    return {.on_file = [this](const CheckedFile& file) { return take(file); },
            .on_unreadable =
                [this](const Error& error) {
                  has_unreadable_ = true;
                  complain(error.message);
                },
            .on_skipped = [](const std::string& what) { complain(what); }};
  }

  bool is_begun() const { return is_begun_; }
  bool has_unreadable() const { return has_unreadable_; }
  void end() { is_lost_ = is_lost_ || !write_report(writer_.end()); }

  int exit_code() const {
    if (has_unreadable_ || is_lost_) return kBadRequest;
    return has_refused_ ? kRefused : kAccepted;
  }

 private:
  // False ends the check: nobody reads the report any more.
  bool take(const CheckedFile& file) {
    is_begun_ = true;
    has_refused_ = has_refused_ || file.verdict.decision != Decision::kAccepted;
    const std::string written = writer_.file(file);
    is_lost_ = is_lost_ || (!written.empty() && !write_report(written));
    return !is_lost_;
  }

  CheckWriter& writer_;
  bool is_begun_ = false;
  bool is_lost_ = false;  // nobody reads it, or it cannot be written
  bool has_unreadable_ = false;
  bool has_refused_ = false;
};

}  // namespace

Result<int> check_command(std::span<const std::string> arguments, const Environment& environment) {
  std::vector<std::string> inputs;
  Format format = Format::kText;
  std::string policy_name = "extractor";
  std::string explain_code;
  bool no_signature = false;
  bool answer = false;
  CommandLine line("airlock check",
                   "Judge files of AI-written Python: syntax, security, signature. Nothing is run.",
                   kCheckExample);
  CLI::App& options = line.options();
  options.add_option("FILE", inputs,
                     "Files, folders (walked for *.py), or - for standard input. *.py is judged as "
                     "it stands, anything else is an answer and is cleaned first");
  declare_format(options, format, "How to print the report: text, json, sarif or github",
                 {"text", "json", "sarif", "github"});
  declare_policy(options, policy_name);
  options.add_flag("--no-signature", no_signature,
                   "Leave out the signature stage: judge any Python file, not only extractors");
  options.add_flag("--answer", answer, "Take a *.py for a model's answer too: clean it first");
  options.add_option("--explain", explain_code, "Print what a rule means, or 'all' for every rule")
      ->type_name("RULE");
  if (const auto code = line.parse(arguments)) return *code;

  if (!explain_code.empty()) return explain(explain_code, environment.colour);
  if (inputs.empty())
    return bad_request("Name a file to check, or - for standard input. See airlock check --help.");
  auto policy = TRY(load_policy(policy_name));
  TRY(require_loadable(policy, environment.host_program));
  CheckRequest request;
  request.inputs = std::move(inputs);
  request.policy = std::move(policy);
  request.stages.signature = !no_signature;
  request.host_program = environment.host_program;
  request.take_as = answer ? TakeAs::kAnswers : TakeAs::kByName;
  const auto writer = make_writer(format, request.policy.name, environment.colour);
  Report report(*writer);
  // JSON and SARIF must be closed even when an error ends the check half-way: a reader gets a
  // document that can be parsed, and the exit code says that it is not complete.
  const auto done = check(request, report.listener());
  if (!done && report.is_begun()) report.end();
  TRY(done);
  // No file could be read at all: a summary line "0 files" would only confuse people. Programs get
  // their empty document.
  if (!report.is_begun() && report.has_unreadable() && format == Format::kText) return kBadRequest;
  report.end();
  return report.exit_code();
}

}  // namespace airlock::cli

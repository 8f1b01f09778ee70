// airlock clean: the code in a model's answer, as `airlock check` would judge it. Runs nothing.
#include "base/printable.h"
#include "engine/load/source_file.h"
#include "engine/load/vet_source.h"
#include "engine/policy/policy_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kCleanExample =
    "airlock clean -- answer.txt > extractor.py\n"
    "  ollama run MODEL \"$PROMPT\" | airlock clean > extractor.py\n\n"
    "What was cut or replaced is said on stderr. Read what is left, then airlock check it.\n"
    "Exit codes: 0 the code was printed, 1 there is none, 2 the answer cannot be read.";

// What was done, or what is wrong: a line each.
void print_findings(const std::string& file, const Verdict& verdict) {
  for (const Finding& finding : verdict.findings) {
    const Place raw = verdict.lines.to_raw(finding.place);
    complain(printable(file) + ":" + std::to_string(raw.line) + ": " + finding.message +
             (finding.severity == Severity::kError && !finding.suggestion.empty()
                  ? "\n" + finding.suggestion
                  : ""));
  }
}

}  // namespace

Result<int> clean_command(std::span<const std::string> arguments, const Environment& environment) {
  std::string file = "-";
  CommandLine line("airlock clean",
                   "Print the code in a model's answer: without fences, prose, JSON or odd "
                   "characters around it. Nothing is run.",
                   kCleanExample);
  line.options().add_option("FILE", file, "The answer, whatever its name; - for standard input");
  if (const auto code = line.parse(arguments)) return *code;
  const auto policy = TRY(load_policy("extractor"));
  const auto raw = TRY(read_source_file(file, policy));
  // Only the cleaning and syntax stages: what the code may do is for `airlock check` to judge. The
  // name of the file says nothing here; it is always taken for an answer.
  const auto verdict = TRY(vet_source(environment.host_program, policy, raw,
                                      {.security = false, .signature = false}, TextKind::kAnswer));
  print_findings(file == "-" ? "<stdin>" : file, verdict);
  if (verdict.decision != Decision::kAccepted) return kRefused;
  return write_report(verdict.code) ? kAccepted : kBadRequest;
}

}  // namespace airlock::cli

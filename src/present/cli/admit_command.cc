// airlock admit: the inner door for a document of any producer. What passes is printed, sanitized.
#include <unistd.h>

#include <algorithm>

#include "engine/check/admit_document.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/admit_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kAdmitExample =
    "my-probe | airlock admit --root . > facts.json     a probe's output\n"
    "  airlock admit --bare settings.json                 any JSON object\n"
    "  airlock admit output.json --format text            what is wrong, for people";

constexpr std::size_t kMegabyte = 1U << 20;

// The whole document was too long: the only refusal that an option of this command can change. An
// error of that type with a path is about a part of the document.
bool is_too_large(const NotAdmitted& refusal) {
  return std::ranges::any_of(refusal.errors, [](const AdmitError& error) {
    return error.type == AdmitErrorType::kSize && error.path.empty();
  });
}

}  // namespace

Result<int> admit_command(std::span<const std::string> arguments, const Environment& environment) {
  AdmitRequest request;
  request.file = "-";
  Format format = ::isatty(STDOUT_FILENO) == 1 ? Format::kText : Format::kJson;
  std::size_t megabytes = request.limits.document_bytes / kMegabyte;
  bool is_bare = false;
  CommandLine line("airlock admit",
                   "Judge a probe's output: JSON values only, known fields, no secret. What passes "
                   "is printed without home folders and secrets.",
                   kAdmitExample);
  CLI::App& options = line.options();
  options.add_option("FILE", request.file, "The document; - for standard input")->default_str("-");
  options
      .add_option("--root", request.root,
                  "The analysed repository: paths below it become relative to it")
      ->type_name("DIR");
  options.add_flag("--bare", is_bare, "Take any JSON object, as a schema slice without its frame");
  declare_format(options, format,
                 "How to print a refusal: json or text (default: text on a terminal)",
                 {"json", "text"})
      ->default_str("");
  options.add_option("--max-size", megabytes, "The largest document that is read")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
      ->type_name("MIB")
      ->default_str(std::to_string(megabytes));
  if (const auto code = line.parse(arguments)) return *code;

  request.form = is_bare ? Form::kBare : Form::kProbeOutput;
  request.limits.document_bytes = megabytes * kMegabyte;
  const auto outcome = TRY(admit_document(request));
  const bool is_for_people = format == Format::kText;
  if (!outcome) {
    const NotAdmitted& refusal = outcome.error();
    if (!write_report(is_for_people ? refusal_as_text(refusal, request.file, environment.colour)
                                    : refusal_as_json(refusal)))
      return kBadRequest;
    if (is_too_large(refusal)) complain("The limit is --max-size MIB.");
    return kRefused;
  }
  const Sanitized& sanitized = *outcome;
  if (!write_report(std::string(sanitized.json()) + "\n")) return kBadRequest;
  // The document itself goes to stdout in either case, so that it can be piped on; remarks do not
  // mix with it.
  if (is_for_people) write_to_error_stream(changes_as_text(sanitized, environment.error_colour));
  return kAccepted;
}

}  // namespace airlock::cli

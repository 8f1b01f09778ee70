// airlock approve: a person's approval. What is approved is validated once more, kept under a name
// with the next version, and gets a receipt that every later run checks.
#include <unistd.h>

#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "engine/approve/receipt.h"
#include "present/cli/judging.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/drafts_output.h"
#include "present/report/receipt_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kApproveExample =
    "airlock approve 1f00ab12 --name sales_reports --by \"Ann Lee\" --note \"checked on Q1\"\n"
    "  airlock approve extractor.py --name sales_reports --samples paths.txt\n"
    "  airlock approve sales_reports@2      once more, after a change of policy or interpreter\n\n"
    "A name has letters, digits, _, - and . , begins with a letter, and has at most 64 "
    "characters.\n"
    "Exit codes: 0 approved, 1 refused by validation, 2 bad request, 3 no isolation on this host.";

struct ApproveArguments {
  std::string what;
  std::string name;
  std::string policy;
  SampleOptions samples;
  ReviewNote review;
  Format format = Format::kText;
};

// What is to be approved, before it is judged.
struct ApprovalCandidate {
  Draft program = {};
  std::optional<Draft> draft = {};  // when it is one
  std::string name = {};
  std::string shown = {};
};

using CandidateResult = Result<ApprovalCandidate>;

CandidateResult from_file(const ApproveArguments& arguments) {
  if (arguments.what != "-" && ::access(arguments.what.c_str(), F_OK) != 0)
    return bad_request("there is no file " + arguments.what + ".");
  auto samples = TRY(read_samples(arguments.samples, arguments.what));
  auto program =
      TRY(read_program(arguments.what, arguments.policy.empty() ? "extractor" : arguments.policy,
                       std::move(samples)));
  return ApprovalCandidate{
      .program = std::move(program), .name = arguments.name, .shown = arguments.what};
}

// An extractor once more, after a change of policy or interpreter. Its text must still be what was
// approved: a text that somebody has changed in the store cannot be approved this way.
CandidateResult from_extractor(const ApproveArguments& arguments, const Environment& environment) {
  auto found = TRY(find_extractor(environment.user_dirs, arguments.what));
  if (const ReceiptCheck check = check_row(found); check.is_store_altered)
    return refused(broken_receipt(found, check) + "\nIt was not approved.");
  return ApprovalCandidate{.program = {.kind = found.kind,
                                       .text = found.text,
                                       .samples = found.samples,
                                       .hint = found.hint,
                                       .policy = found.policy,
                                       .written = {.author = found.author, .model = found.model}},
                           .name = arguments.name.empty() ? found.name : arguments.name,
                           .shown = full_name(found)};
}

// An id that is no draft but names a file is most likely a file without "./": said, not guessed.
CandidateResult from_draft(const ApproveArguments& arguments, const Environment& environment) {
  auto draft = find_draft(environment.user_dirs, arguments.what);
  if (!draft) {
    if (::access(arguments.what.c_str(), F_OK) != 0) return std::unexpected(draft.error());
    return std::unexpected(
        Error(draft.error())
            .and_line("There is a file of that name; to approve it, say ./" + arguments.what));
  }
  return ApprovalCandidate{.program = *draft,
                           .draft = *draft,
                           .name = arguments.name.empty() ? draft->name : arguments.name,
                           .shown = "draft " + draft->id};
}

// A word means: a file when it looks like one (means_file), an extractor when it has an '@', else a
// draft. New samples replace those that a draft or an extractor was judged with.
CandidateResult find_candidate(const ApproveArguments& arguments, const Environment& environment) {
  const bool is_file = arguments.what == "-" || means_file(arguments.what);
  if (is_file) return from_file(arguments);
  if (!arguments.policy.empty())
    return bad_request("--policy is for files: a draft and an extractor have theirs already.");
  CandidateResult found = arguments.what.contains('@') ? from_extractor(arguments, environment)
                                                       : from_draft(arguments, environment);
  if (!found || !arguments.samples.is_given()) return found;
  auto samples = TRY(read_samples(arguments.samples));
  found->program.samples = std::move(samples);
  return found;
}

}  // namespace

Result<int> approve_command(std::span<const std::string> words, const Environment& environment) {
  ApproveArguments arguments;
  CommandLine line("airlock approve",
                   "Validate a draft or a file once more and approve it under a name.",
                   kApproveExample);
  CLI::App& options = line.options();
  options
      .add_option("WHAT", arguments.what,
                  "A draft's id, a file (.py, .yaml, ./FILE), or NAME@VERSION")
      ->required();
  options.add_option("--name", arguments.name, "The name; the next version when it is taken")
      ->type_name("NAME");
  declare_samples(options, arguments.samples);
  options.add_option("--policy", arguments.policy, "For a file: a built-in policy, or a TOML file")
      ->type_name("NAME|FILE.toml");
  declare_review(options, arguments.review, "Who approves it", "Why, for the receipt");
  declare_format(options, arguments.format);
  if (const auto code = line.parse(words)) return *code;
  const Format format = arguments.format;
  // `--name ""` is a mistake, not a missing option: it is told before anything is read.
  const bool is_named = options.count("--name") > 0;
  if (const std::string trouble = is_named ? name_trouble(arguments.name) : ""; !trouble.empty())
    return bad_request(trouble);
  if (const std::string trouble = review_trouble(arguments.review); !trouble.empty())
    return bad_request(trouble);

  auto candidate = TRY(find_candidate(arguments, environment));
  if (candidate.name.empty()) return bad_request("Say under which name: --name sales_reports.");
  if (const std::string trouble = name_trouble(candidate.name); !trouble.empty())
    return bad_request(trouble);
  const auto judged =
      TRY(judge(candidate.program, format, environment, text_kind_of(candidate.shown)));
  if (!judged.valid) {
    if (!write_judged(judged, candidate.shown, format, environment)) return kBadRequest;
    return refused(candidate.shown + " does not pass, and was not approved.");
  }
  // What was judged is what is kept: the text after cleaning.
  candidate.program.text = judged.text;
  const Draft* draft = candidate.draft ? &*candidate.draft : nullptr;
  const auto approved =
      approve_judged(environment.user_dirs, candidate.program, judged.validation.results,
                     {candidate.name, arguments.review}, draft, environment.host_program);
  if (!approved) return std::unexpected(Error(approved.error()).and_line("Nothing was approved."));
  const std::string report = format == Format::kJson
                                 ? approval_as_json(*approved, draft == nullptr ? "" : draft->id)
                                 : approval_as_text(*approved, environment.colour);
  return write_report(report) ? kAccepted : kBadRequest;
}

}  // namespace airlock::cli

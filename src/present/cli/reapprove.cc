#include "present/cli/reapprove.h"

#include <iostream>

#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "present/cli/judging.h"
#include "present/report/reapproval_output.h"
#include "present/report/receipt_output.h"

namespace airlock::cli {

namespace {

Result<std::vector<ApprovedExtractor>> named_extractors(const ReapproveArguments& arguments,
                                                        const Environment& environment) {
  if (arguments.all == !arguments.name.empty())
    return bad_request("Say which: airlock extractors reapprove NAME[@VERSION], or --all.");
  if (arguments.all) return list_extractors(environment.user_dirs);
  auto one = TRY(find_extractor(environment.user_dirs, arguments.name));
  return std::vector{std::move(one)};
}

// A text that somebody has changed in the store cannot be approved this way.
Result<Reapproval> tried(ApprovedExtractor extractor, ReceiptCheck check,
                         const Environment& environment) {
  Reapproval one{.extractor = std::move(extractor), .check = std::move(check)};
  if (one.check.is_store_altered) {
    one.refusal = receipt_advice(one.extractor, one.check);
    return one;
  }
  auto trial = try_again(one.extractor, environment.host_program);
  if (!trial) {
    if (trial.error().kind != ErrorKind::kRequest) return std::unexpected(trial.error());
    one.refusal = trial.error().message;
    return one;
  }
  one.trial = *std::move(trial);
  if (!one.trial->judged.valid)
    one.refusal = "it does not pass any more: " + why_invalid(one.trial->judged);
  return one;
}

bool is_confirmed(const ReapproveArguments& arguments, const Reapproval& one) {
  if (arguments.yes) return true;
  if (arguments.format == Format::kJson || !is_person_there()) return false;
  write_to_error_stream("Approve " + full_name(one.extractor) + " again? [y/N] ");
  std::string answer;
  return std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes");
}

Result<void> decide(const ReapproveArguments& arguments, const Environment& environment,
                    Reapproval& one) {
  if (!one.refusal.empty()) return {};
  if (!is_confirmed(arguments, one)) {
    one.refusal = "nobody said so; with --yes: airlock extractors reapprove " +
                  full_name(one.extractor) + " --yes";
    return {};
  }
  one.approved = TRY(
      approve_judged(environment.user_dirs, as_draft(one.extractor, one.trial->judged),
                     one.trial->judged.validation.results, {one.extractor.name, arguments.review},
                     nullptr, environment.host_program));
  return {};
}

}  // namespace

Result<int> reapprove(const ReapproveArguments& arguments, const Environment& environment) {
  if (const std::string trouble = review_trouble(arguments.review); !trouble.empty())
    return bad_request(trouble);
  auto extractors = TRY(named_extractors(arguments, environment));
  const bool is_text = arguments.format == Format::kText;
  std::vector<Reapproval> done;
  bool all_approved = true;
  for (ApprovedExtractor& extractor : extractors) {
    auto check = TRY(check_receipt_here(extractor, environment.host_program));
    if (check.holds()) continue;
    Reapproval one = TRY(tried(std::move(extractor), std::move(check), environment));
    // Before the question: it is about this.
    if (is_text && !write_report(trial_as_text(one, environment.colour))) return kBadRequest;
    TRY(decide(arguments, environment, one));
    if (is_text && !write_report(reapproval_as_text(one, environment.colour))) return kBadRequest;
    all_approved = all_approved && one.approved.has_value();
    done.push_back(std::move(one));
  }
  const int code = all_approved ? kAccepted : kRefused;
  if (!is_text) return report(reapprovals_as_json(done), code);
  if (!done.empty()) return code;
  return report("Nothing is to be approved again: the receipts hold.\n");
}

}  // namespace airlock::cli

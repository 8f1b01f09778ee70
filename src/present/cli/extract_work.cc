// Three kinds of work behind one function: a rule file or an approved rule is matched on threads
// here; a Python file or an approved extractor is vetted and runs in cells. A bundle is an approved
// extractor that brings itself and its policy along. Everything that can
// refuse the job happens in prepare_work(), before the first path is read.
#include "present/cli/extract_work.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "engine/approve/extractors.h"
#include "engine/approve/receipt.h"
#include "engine/approve/share.h"
#include "engine/bulk/rule_job.h"
#include "engine/load/source_file.h"
#include "engine/paths/load_rules.h"
#include "engine/policy/policy_file.h"
#include "os/interrupts.h"
#include "present/cli/bundles.h"
#include "present/report/check_writer.h"
#include "present/report/receipt_output.h"
#include "present/report/rules_output.h"

namespace airlock::cli {

namespace {

// What was approved: here, or by somebody whose key is trusted here.
struct Chosen {
  ApprovedExtractor extractor;
  std::optional<Policy> policy = {};  // of a bundle, which brings its own
};
using Approved = std::optional<Chosen>;

bool is_there(const std::string& file) {
  return ::access(file.c_str(), F_OK) == 0;
}

// A word that may be a name: the store is asked only for these. A file of that name is meant when
// no extractor has it.
Result<Approved> look_up(const std::string& word, const Environment& environment) {
  if (is_bundle_name(word)) {
    const auto bytes = TRY(read_bundle_file(word));
    auto verified =
        TRY(within(word, verify_bundle(environment.user_dirs, bytes, environment.host_program)));
    return Chosen{std::move(verified.bundle.extractor), std::move(verified.policy)};
  }
  if (word == "-" || means_file(word)) return Approved();
  const bool is_file = is_there(word);
  if (is_file && !versioned_name(word)) return Approved();
  auto found = TRY(look_up_extractor(environment.user_dirs, word));
  if (found && is_file)
    complain("'" + word + "' is taken for the approved extractor; for the file, say ./" + word);
  if (found) return Chosen{*std::move(found)};
  if (is_file) return Approved();
  return bad_request(unknown_extractor(environment.user_dirs, word) + "\nThere is no file '" +
                     word + "' either: give a Python file, a rule file, or a name.");
}

// An Error: it is not what was approved, or is not to be run.
Result<void> check_approval(const Chosen& chosen, const WorkRequest& request,
                            const Environment& environment) {
  const ApprovedExtractor& approved = chosen.extractor;
  if (!request.policy.empty())
    return bad_request(full_name(approved) +
                       " runs under the policy that it was approved with: "
                       "leave --policy out, or name a file.");
  if (chosen.policy) return {};  // a bundle was verified when it was read
  return require_runnable(approved, environment.host_program);
}

std::unexpected<Error> refuse(const PreparedExtractor& extractor, const ExtractRequest& request,
                              const std::string& file, const Environment& environment) {
  CheckReport report;
  report.policy = request.policy.name;
  report.files.push_back({file, extractor.sha256, request.raw, extractor.verdict});
  write_to_error_stream(check_as_text(report, environment.error_colour));
  return refused("The extractor is refused; nothing of it was run.");
}

// Rules are data: no chamber, no policy, no limits. They run on threads of this process.
Result<Work> prepare_rules(const WorkRequest& request, const Approved& approved,
                           const std::string& shown) {
  auto loaded =
      TRY(approved ? load_rules_text(approved->extractor.text) : load_rules(request.extractor));
  if (!loaded.rules) {
    write_to_error_stream(problems_as_text(shown, loaded.rules.error()));
    return refused("The rules are refused; nothing was run.");
  }
  auto matcher = std::make_shared<const rules::Matcher>(std::move(*loaded.rules));
  return Work{shown, loaded.sha256, "rules", RunLimits{},
              [matcher, jobs = request.jobs](PathInput& input, const Share& share, RowSink& sink,
                                             const Watcher& watcher) {
                os::note_interrupts();
                return run_rules(*matcher, jobs, input, share, sink, watcher);
              }};
}

Result<Work> prepare_python(const WorkRequest& asked, const Approved& approved,
                            const std::string& shown, const Environment& environment) {
  const std::string& named = approved ? approved->extractor.policy : asked.policy;
  auto policy = TRY(approved && approved->policy
                        ? Result<Policy>(*approved->policy)
                        : load_extractor_policy(named.empty() ? "extractor" : named));
  // Shared with the closure below, which runs after this function has returned.
  auto request = std::make_shared<ExtractRequest>();
  request->policy = std::move(policy);
  request->host_program = environment.host_program;
  request->limits = asked.limits;
  request->jobs = asked.jobs;
  auto raw = TRY(approved ? Result<std::string>(approved->extractor.text)
                          : read_source_file(asked.extractor, request->policy));
  request->raw = std::move(raw);
  // An approved text was cleaned before it was stored; cleaning it again could change it.
  request->kind = approved ? TextKind::kProgram : text_kind_of(asked.extractor);
  auto prepared = TRY(prepare_extractor(*request));
  if (prepared.verdict.decision != Decision::kAccepted)
    return refuse(prepared, *request, shown, environment);
  auto extractor = std::make_shared<PreparedExtractor>(std::move(prepared));
  return Work{shown, extractor->sha256, request->policy.name, request->limits,
              [extractor, request](PathInput& input, const Share& share, RowSink& sink,
                                   const Watcher& watcher) {
                os::note_interrupts();
                return run_extractor(std::move(*extractor), *request, input, share, sink, watcher);
              }};
}

}  // namespace

Result<Work> prepare_work(const WorkRequest& asked, const Environment& environment) {
  WorkRequest request = asked;
  if (request.jobs == 0) request.jobs = std::max(1U, std::thread::hardware_concurrency());
  const auto approved = TRY(look_up(request.extractor, environment));
  if (approved) {
    TRY(check_approval(*approved, request, environment));
  }
  const bool is_rule = approved ? approved->extractor.kind == OutputKind::kYaml
                                : is_rule_file_name(request.extractor);
  const std::string shown = approved ? full_name(approved->extractor) : request.extractor;
  return is_rule ? prepare_rules(request, approved, shown)
                 : prepare_python(request, approved, shown, environment);
}

}  // namespace airlock::cli

#include "present/cli/python_rows.h"

#include <algorithm>
#include <thread>

#include "engine/policy/policy_file.h"
#include "engine/validate/samples.h"
#include "present/cli/extract_work.h"

namespace airlock::cli {

std::optional<int> run_python_rows(const std::string& extractor,
                                   const std::vector<std::string>& inputs, std::size_t jobs,
                                   const Environment& environment, const RowListener& listener) {
  const auto end = [](int code, std::string_view message) {
    complain(message);
    return code;
  };
  auto policy = load_policy("extractor");
  if (!policy) return end(kBadRequest, policy.error().message);
  ExtractRequest request;
  request.policy = std::move(*policy);
  request.host_program = environment.host_program;
  request.jobs = jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  request.limits.timeout_ms = 5000;
  request.limits.memory_bytes = 100000000;
  auto raw = read_source_file(extractor, request.policy);
  if (!raw) return end(kBadRequest, raw.error().message);
  request.raw = std::move(*raw);
  request.kind = text_kind_of(extractor);
  auto input = PathInput::open(inputs, Separator::kNewline);
  if (!input) return end(kBadRequest, input.error().message);
  auto prepared = prepare_extractor(request);
  if (!prepared) return complain_of_no_isolation(prepared.error().message, environment);
  if (prepared->verdict.decision != Decision::kAccepted) {
    CheckReport report;
    report.policy = request.policy.name;
    report.files.push_back({extractor, prepared->sha256, request.raw, prepared->verdict});
    write_to_error_stream(check_as_text(report, environment.error_colour));
    return end(kRefused, "The extractor is refused; nothing of it was run.");
  }
  const auto done = run_with_listener(std::move(*prepared), request, *input, listener);
  if (!done) return complain_of(done.error(), environment);
  if (done->stopped_by) return end(128 + *done->stopped_by, "interrupted");
  return std::nullopt;
}

}  // namespace airlock::cli

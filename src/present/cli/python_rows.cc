#include "present/cli/python_rows.h"

#include <algorithm>
#include <functional>
#include <string>
#include <thread>

#include "engine/bulk/extract.h"
#include "engine/bulk/row_parts.h"
#include "engine/load/source_file.h"
#include "engine/paths/path_input.h"
#include "engine/policy/policy_file.h"
#include "model/check_report.h"
#include "os/interrupts.h"
#include "present/cli/extract_work.h"
#include "present/report/check_writer.h"

namespace airlock::cli {

namespace {

// Hands every row on instead of writing it, for commands that compare or learn from rows and keep
// none.
class ListeningSink : public RowSink {
 public:
  explicit ListeningSink(const RowListener& listener) : listener_(listener) {}

  Result<void> write(std::string_view rows) override {
    while (!rows.empty()) {
      const std::size_t end = rows.find('\n');
      if (end == std::string_view::npos) break;
      const auto parts = take_apart(rows.substr(0, end));
      if (!parts) return fail("a row of the extractor cannot be read back");
      listener_(*parts);
      rows.remove_prefix(end + 1);
    }
    return {};
  }

 private:
  const RowListener& listener_;
};

Result<JobEnd> run_with_listener(PreparedExtractor extractor, const ExtractRequest& request,
                                 PathInput& input, const RowListener& listener) {
  ListeningSink sink(listener);
  os::note_interrupts();
  return run_extractor(std::move(extractor), request, input, Share{}, sink,
                       [](const JobProgress&) {});
}

}  // namespace

Result<std::optional<int>> run_python_rows(const std::string& extractor,
                                           const std::vector<std::string>& inputs, std::size_t jobs,
                                           const Environment& environment,
                                           const RowListener& listener) {
  auto policy = TRY(load_policy("extractor"));
  ExtractRequest request;
  request.policy = std::move(policy);
  request.host_program = environment.host_program;
  request.jobs = jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  // The defaults of `airlock extract`: 5 s for each path, 100 MB.
  request.limits.timeout_ms = 5000;
  request.limits.memory_bytes = 100000000;
  auto raw = TRY(read_source_file(extractor, request.policy));
  request.raw = std::move(raw);
  request.kind = text_kind_of(extractor);
  auto input = TRY(PathInput::open(inputs, Separator::kNewline));
  auto prepared = TRY(prepare_extractor(request));
  if (prepared.verdict.decision != Decision::kAccepted) {
    CheckReport report;
    report.policy = request.policy.name;
    report.files.push_back({extractor, prepared.sha256, request.raw, prepared.verdict});
    write_to_error_stream(check_as_text(report, environment.error_colour));
    return refused("The extractor is refused; nothing of it was run.");
  }
  const auto done = TRY(run_with_listener(std::move(prepared), request, input, listener));
  if (!done.stopped_by) return std::nullopt;
  complain("interrupted");
  return 128 + *done.stopped_by;
}

}  // namespace airlock::cli

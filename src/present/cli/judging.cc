// Reading, judging and telling for approve and drafts. Two kinds go the same way: a program is
// validated in the chamber, a rule is matched on its samples in this process.
#include "present/cli/judging.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.h"
#include "base/utf8.h"
#include "engine/load/source_file.h"
#include "engine/paths/load_rules.h"
#include "engine/policy/policy_file.h"
#include "engine/validate/samples.h"
#include "present/report/rules_output.h"
#include "present/report/style.h"
#include "present/report/validate_output.h"
#include "present/report/validate_progress.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kMostShown = 10;      // samples that match
constexpr std::size_t kLongestShown = 200;  // bytes

std::string cut(std::string_view text) {
  std::string shown = printable(text);
  if (shown.size() <= kLongestShown) return shown;
  return std::string(cut_utf8(shown, kLongestShown)) + "…";
}

std::string sample_line(const SampleResult& sample, Colour colour) {
  return (sample.success ? paint("✓", Style::kGood, colour) : paint("✗", Style::kError, colour)) +
         " " + cut(sample.path) + "\n    " + cut(sample.success ? sample.result : sample.error) +
         "\n";
}

std::string rule_as_text(const JudgedDraft& judged, const std::string& shown, Colour colour) {
  if (!judged.problems.empty())
    return problems_as_text(shown, judged.problems) + "Rule: " + paint("✗", Style::kError, colour) +
           " Refused\n";
  std::string text;
  const std::vector<SampleResult>& results = judged.validation.results;
  std::size_t lines = 0;
  for (const SampleResult& sample : results) {
    // What does not match is worth more room than what does.
    if (sample.success && lines >= kMostShown) continue;
    if (++lines > 2 * kMostShown) break;
    text += sample_line(sample, colour);
  }
  const auto passed = std::ranges::count_if(results, &SampleResult::success);
  return text + fmt::format("Rule: {} {} of {} match\n",
                            judged.valid ? paint("✓", Style::kGood, colour)
                                         : paint("✗", Style::kError, colour),
                            passed, counted(results.size(), "sample"));
}

bool is_policy_file(const std::string& policy) {
  return policy.contains('/') || policy.ends_with(".toml");
}

}  // namespace

void declare_samples(CLI::App& options, SampleOptions& to) {
  options
      .add_option("--samples", to.files, "A file with one sample path a line; - for standard input")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  declare_paths(options, to.paths);
}

void declare_review(CLI::App& options, ReviewNote& to, const std::string& by_words,
                    const std::string& note_words) {
  options.add_option("--by", to.by, by_words)->type_name("NAME");
  options.add_option("--note", to.note, note_words)->type_name("TEXT");
}

Result<std::vector<std::string>> read_samples(const SampleOptions& given,
                                              std::string_view program) {
  if (std::ranges::count(given.files, "-") + (program == "-" ? 1 : 0) > 1)
    return bad_request(
        "Standard input can be read once, as the program or as samples: name a file for the "
        "other.");
  std::vector<std::string> samples = given.paths;
  for (const std::string& file : given.files) {
    auto read = TRY(airlock::read_samples(file));
    samples.insert(samples.end(), read.begin(), read.end());
  }
  if (samples.empty())
    return bad_request(
        "There is no sample path. Give --samples FILE with one path a line, or --path PATH.");
  const std::size_t all = samples.size();
  if (const std::size_t left_out = cut_samples(samples); left_out > 0)
    complain(fmt::format("Of {} samples the first {} are used and kept.", all, samples.size()));
  if (samples.empty()) return bad_request("The first sample is longer than 1 MiB.");
  return samples;
}

Result<Draft> read_program(const std::string& file, const std::string& policy_name,
                           std::vector<std::string> samples) {
  Draft draft{.kind = is_rule_file_name(file) ? OutputKind::kYaml : OutputKind::kPython,
              .samples = std::move(samples)};
  if (draft.kind == OutputKind::kYaml) {
    auto loaded = TRY(load_rules(file));
    draft.text = std::move(loaded.text);
    return draft;
  }
  const auto policy = TRY(load_extractor_policy(policy_name));
  auto raw = TRY(read_source_file(file, policy));
  draft.text = std::move(raw);
  // A draft outlives the working directory: a policy file is kept under its absolute name.
  std::error_code error;
  draft.policy = is_policy_file(policy_name)
                     ? std::filesystem::absolute(policy_name, error).lexically_normal().native()
                     : policy_name;
  return draft;
}

bool is_person_there() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

Result<JudgedDraft> judge(const Draft& draft, Format format, const Environment& environment,
                          TextKind text_kind) {
  if (draft.samples.empty())
    return bad_request("It has no sample paths to be tried on: give --samples FILE.");
  // The tree of stages would only be noise in front of JSON.
  LiveProgress progress(true, format == Format::kText ? environment.error_colour : Colour::kNever);
  auto judged =
      judge_draft({.kind = draft.kind,
                   .text = draft.text,
                   .text_kind = text_kind,
                   .samples = draft.samples,
                   .policy = draft.policy,
                   .host_program = environment.host_program,
                   .on_progress = [&](const ValidateProgress& now) { progress.show(now); }});
  progress.erase();
  return judged;
}

std::string judged_as_text(const JudgedDraft& judged, const std::string& shown, Colour colour) {
  return judged.kind == OutputKind::kYaml ? rule_as_text(judged, shown, colour)
                                          : validation_as_text(judged.validation, shown, colour);
}

std::string judged_as_json(const JudgedDraft& judged) {
  return validation_as_json(judged.validation);
}

bool write_judged(const JudgedDraft& judged, const std::string& shown, Format format,
                  const Environment& environment) {
  return write_report(format == Format::kJson ? judged_as_json(judged)
                                              : judged_as_text(judged, shown, environment.colour));
}

}  // namespace airlock::cli

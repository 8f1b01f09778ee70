#include "engine/validate/rerun_samples.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "engine/bulk/row_parts.h"
#include "engine/validate/quality.h"

namespace airlock {

namespace {

// Samples slower than this are not run again: the user would have to wait noticeably longer.
constexpr double kTooSlowMilliseconds = 500;
constexpr std::size_t kMaxFields = 3;
constexpr std::size_t kMaxLookedAt = 5;  // an order that matters shows in a few

bool is_slow(const SampleResult& result) {
  return result.milliseconds > kTooSlowMilliseconds;
}

bool is_same(const SampleResult& one, const SampleResult& other) {
  return one.success == other.success && one.result == other.result;
}

// "Field 'a'", "Fields 'a', 'b'".
std::string listed(std::span<const std::string> names) {
  std::string text = names.size() == 1 ? "Field " : "Fields ";
  for (std::size_t i = 0; i < names.size() && i < kMaxFields; ++i)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return names.size() > kMaxFields ? text + " and others" : text;
}

// "IndexError: list index out of range", safe to show.
std::string failure_text(const SampleResult& failed) {
  const std::string words = failed.error_type + (failed.error.empty() ? "" : ": ") + failed.error;
  const std::string quoted = in_quotes(words, 200);
  return quoted.substr(1, quoted.size() - 2);
}

// The same field names in another order.
bool is_other_order(const std::string& one, const std::string& other) {
  const auto names_of = [](const std::string& object) {
    std::vector<std::string> names;
    each_member(object,
                [&](std::string key, std::string_view) { names.push_back(std::move(key)); });
    return names;
  };
  std::vector<std::string> left = names_of(one);
  std::vector<std::string> right = names_of(other);
  if (left == right) return false;
  std::ranges::sort(left);
  std::ranges::sort(right);
  return left == right;
}

// Of two results. Has no warnings.
Differences differences_of(const std::string& one, const std::string& other) {
  return {{}, differing_fields(one, other), is_other_order(one, other)};
}

// Adds a warning about what differs and is not known: fields, their order, or what was raised.
void compare(const SampleResult& first, const SampleResult& other, const std::string& words,
             const Differences& known, Differences& to) {
  if (is_same(first, other)) return;
  if (!other.success) {
    to.warnings.push_back("The outcome (" + failure_text(other) + ") differed " + words);
    return;
  }
  Differences found = differences_of(first.result, other.result);
  const std::set<std::string_view> told_already(known.fields.begin(), known.fields.end());
  std::erase_if(found.fields, [&](const std::string& name) { return told_already.contains(name); });
  if (!found.fields.empty()) {
    to.warnings.push_back(listed(found.fields) + " differed " + words);
  } else if (found.is_about_order && !known.is_about_order) {
    to.warnings.push_back("The order of the fields differed " + words);
  }
  to.fields.insert(to.fields.end(), found.fields.begin(), found.fields.end());
  to.is_about_order = to.is_about_order || found.is_about_order;
}

// A call that was denied, or bytes that are no answer.
std::optional<LateViolation> violation_in(const SampleRunner& runner, const SampleResult& answer,
                                          std::size_t sample, std::string_view when) {
  if (answer.error_type != "SandboxViolation" && !runner.was_garbled()) return std::nullopt;
  LateViolation late{sample, answer};
  late.result.error += when;
  return late;
}

}  // namespace

std::optional<LateViolation> late_violation_of(std::optional<SampleResult> late,
                                               std::span<const SampleResult> results,
                                               std::size_t sample) {
  if (!late) return std::nullopt;
  LateViolation violation{sample, std::move(*late)};
  violation.result.path = results[sample].path;
  violation.result.error += ", after it had answered";
  return violation;
}

namespace {

// Whether the same cell gives the same answer again. If not, the difference has nothing to do with
// the order of sets; fields that differ between the two calls are added to `known`.
bool is_steady(const SampleResult& other, const SampleResult& once_more, Differences& known) {
  if (other.success != once_more.success) return false;
  if (!other.success) return true;
  const Differences more = differences_of(other.result, once_more.result);
  known.fields.insert(known.fields.end(), more.fields.begin(), more.fields.end());
  known.is_about_order = known.is_about_order || more.is_about_order;
  return true;
}

}  // namespace

Differences compare_answers(const RerunAnswers& answers) {
  const std::string path = in_quotes(answers.first.path);
  Differences found;
  compare(answers.first, answers.fresh,
          "when " + path +
              " was run once more in a fresh process: the result depends on the clock, on chance "
              "or on memory addresses, not only on the path",
          {}, found);
  // A failure in the fresh cell that also occurs in the old one is reported once.
  if (!answers.fresh.success && is_same(answers.fresh, answers.again)) return found;
  const Differences known = found;
  compare(
      answers.first, answers.again,
      "when " + path + " was run again after the other samples: the code keeps state between calls",
      known, found);
  return found;
}

Differences compare_orders(const SampleResult& usual, const SampleResult& other,
                           const Differences& known) {
  Differences found;
  compare(usual, other,
          "when " + in_quotes(usual.path) +
              " was run with sets in another order: the result depends on hash order; sort what "
              "comes out of a set",
          known, found);
  return found;
}

// Again in the same cell before the fresh one: the cell that has seen all samples is about to go.
Result<RerunReport> rerun_samples(SampleRunner& runner, std::span<const SampleResult> results,
                                  const RunLimits& limits) {
  RerunReport report;
  if (results.empty() || is_slow(results[0])) return report;
  runner.ask_next_cell(results[0].path);
  auto again = TRY(runner.run(results[0].path));
  report.violation =
      violation_in(runner, again, 0, ", when the path was run again after the other samples");
  if (report.violation) return report;
  report.violation = late_violation_of(runner.renew_cell(limits), results, 0);
  if (report.violation) return report;
  auto fresh = TRY(runner.run(results[0].path));
  report.violation =
      violation_in(runner, fresh, 0, ", when the path was run once more in a fresh process");
  if (!report.violation) report.differences = compare_answers({results[0], again, fresh});
  return report;
}

Result<RerunReport> rerun_in_other_order(SampleRunner& other_order,
                                         std::span<const SampleResult> results, Differences known) {
  constexpr std::string_view kWhen = ", when the path was run with sets in another order";
  RerunReport report;
  for (std::size_t i = 0; i < std::min(results.size(), kMaxLookedAt); ++i) {
    const SampleResult& usual = results[i];
    if (is_slow(usual)) break;
    auto other = TRY(other_order.run(usual.path));
    report.violation = violation_in(other_order, other, i, kWhen);
    if (report.violation) return report;
    // It differs. Is it the order of sets, or does it differ from call to call anyway? Asking the
    // same cell once more tells.
    if (compare_orders(usual, other, known).warnings.empty()) continue;
    auto once_more = TRY(other_order.run(usual.path));
    report.violation = violation_in(other_order, once_more, i, kWhen);
    if (report.violation) return report;
    if (!is_steady(other, once_more, known)) continue;
    report.differences = compare_orders(usual, other, known);
    if (!report.differences.warnings.empty()) return report;
  }
  return report;
}

}  // namespace airlock

#include "engine/second_look.h"

#include <algorithm>

#include "engine/quality.h"

namespace airlock {

namespace {

// Two more calls of something slower than this would be felt.
constexpr double kTooSlowMilliseconds = 500;
constexpr std::size_t kMaxFields = 3;
constexpr std::size_t kMaxSamples = 5;  // an order that matters shows in a few

bool is_slow(const SampleResult& result) {
  return result.milliseconds > kTooSlowMilliseconds;
}

bool is_same(const SampleResult& one, const SampleResult& other) {
  return one.success == other.success && one.result == other.result;
}

// "Field 'a'", "Fields 'a', 'b'", or what it raised.
std::string what_differs(const SampleResult& first, const SampleResult& other) {
  if (!other.success) return "The outcome (" + other.error_type + ")";
  const auto names = differing_fields(first.result, other.result);
  if (names.empty()) return "The order of the fields";
  std::string text = names.size() == 1 ? "Field " : "Fields ";
  for (std::size_t i = 0; i < names.size() && i < kMaxFields; ++i)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return names.size() > kMaxFields ? text + " and others" : text;
}

}  // namespace

std::vector<std::string> compare_answers(const Answers& answers) {
  const SampleResult& first = answers.first;
  const std::string path = in_quotes(first.path);
  if (!is_same(first, answers.fresh)) {
    return {what_differs(first, answers.fresh) + " differed when " + path +
            " was run once more in a fresh process: the result depends on the clock, on chance or "
            "on memory addresses, not only on the path"};
  }
  if (!is_same(first, answers.again)) {
    return {what_differs(first, answers.again) + " differed when " + path +
            " was run again after the other samples: the code keeps state between calls"};
  }
  return {};
}

std::vector<std::string> compare_orders(const SampleResult& usual, const SampleResult& other) {
  if (is_same(usual, other)) return {};
  return {what_differs(usual, other) + " differed when " + in_quotes(usual.path) +
          " was run with sets in another order: the result depends on hash order; sort what comes "
          "out of a set"};
}

Result<std::vector<std::string>> second_look(SampleRunner& runner,
                                             std::span<const SampleResult> results,
                                             const RunLimits& limits) {
  if (results.empty() || is_slow(results[0])) return std::vector<std::string>();
  auto again = runner.run(results[0].path);
  if (!again) return std::unexpected(std::move(again).error());
  runner.renew_cell(limits);
  auto fresh = runner.run(results[0].path);
  if (!fresh) return std::unexpected(std::move(fresh).error());
  return compare_answers({results[0], *again, *fresh});
}

Result<std::vector<std::string>> look_in_other_order(SampleRunner& other_order,
                                                     std::span<const SampleResult> results) {
  for (const SampleResult& usual : results.first(std::min(results.size(), kMaxSamples))) {
    if (is_slow(usual)) break;
    auto other = other_order.run(usual.path);
    if (!other) return std::unexpected(std::move(other).error());
    auto warnings = compare_orders(usual, *other);
    if (!warnings.empty()) return warnings;
  }
  return std::vector<std::string>();
}

}  // namespace airlock

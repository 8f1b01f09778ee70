#include "engine/second_look.h"

#include "engine/quality.h"

namespace airlock {

namespace {

// Two more calls of something slower than this would be felt.
constexpr double kTooSlowMilliseconds = 500;
constexpr std::size_t kMaxFields = 3;

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

std::vector<std::string> compare_answers(const SampleResult& first, const SampleResult& again,
                                         const SampleResult& fresh) {
  if (!is_same(first, fresh)) {
    return {what_differs(first, fresh) + " differed when " + in_quotes(first.path) +
            " was run once more in a fresh process: the result depends on the clock, on chance, on "
            "hash order or on memory addresses, not only on the path"};
  }
  if (!is_same(first, again)) {
    return {what_differs(first, again) + " differed when " + in_quotes(first.path) +
            " was run again after the other samples: the code keeps state between calls"};
  }
  return {};
}

Result<std::vector<std::string>> second_look(SampleRunner& runner,
                                             std::span<const SampleResult> results,
                                             const RunLimits& limits) {
  if (results.empty() || results[0].milliseconds > kTooSlowMilliseconds)
    return std::vector<std::string>();
  auto again = runner.run(results[0].path);
  if (!again) return std::unexpected(std::move(again).error());
  runner.renew_cell(limits);
  auto fresh = runner.run(results[0].path);
  if (!fresh) return std::unexpected(std::move(fresh).error());
  return compare_answers(results[0], *again, *fresh);
}

}  // namespace airlock

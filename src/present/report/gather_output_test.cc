#include "present/report/gather_output.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace airlock::cli {
namespace {

using Json = nlohmann::ordered_json;

probe::Execution execution(std::string name, ExecutionStatus status, std::string output,
                           std::optional<std::string> reason = {}) {
  probe::Execution one;
  one.record = {.probe = std::move(name),
                .status = status,
                .key = std::nullopt,
                .reason = std::move(reason),
                .duration_ms = 7,
                .findings = {}};
  one.output = std::move(output);
  return one;
}

TEST(GatherOutput, JsonHasEveryExecutionAndOutput) {
  probe::GatherReport report;
  report.run_id = "01abc";
  report.executions = {
      execution("a", ExecutionStatus::kRan, "{\"schema_slice\":{\"n\":12345678901234567890}}"),
      execution("b", ExecutionStatus::kSkipped, "", "does not apply")};
  const std::string text = gather_as_json(report);
  EXPECT_NE(text.find("12345678901234567890"), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["run_id"], "01abc");
  EXPECT_EQ(json["executions"]["b"]["status"], "skipped");
  EXPECT_EQ(json["executions"]["b"]["reason"], "does not apply");
  EXPECT_EQ(json["executions"]["a"]["key"], nullptr);
  EXPECT_EQ(json["outputs"].size(), 1U);
}

TEST(GatherOutput, JsonOfNothingIsStillJson) {
  const Json json = Json::parse(gather_as_json({}));
  EXPECT_EQ(json["outputs"], Json::object());
  EXPECT_EQ(json["executions"], Json::object());
}

TEST(GatherOutput, TextIsSafeToShow) {
  probe::GatherReport report;
  report.repository = "r\x1b[2J";
  report.executions = {
      execution("a", ExecutionStatus::kRan,
                R"({"schema_slice":{"k\u001b[31m":"v\u202e"},"warnings":["\u0007"]})"),
      execution("b", ExecutionStatus::kFailed, R"({"errors":["one","\u001b]0;two"]})",
                "one\x1b[1m")};
  report.executions[1].printed = "x\x1b[2J\nlast\n";
  const std::string text = gather_as_text(report, Colour::kNever);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\x07'), std::string::npos) << text;
  EXPECT_NE(text.find("| last\n"), std::string::npos) << text;
}

TEST(GatherOutput, LogLinesNameTheEvent) {
  const auto event = [](ExecutionStatus status) {
    const Json line = Json::parse(gather_log_line("01abc", execution("a", status, "", "why")));
    EXPECT_EQ(line["run_id"], "01abc");
    EXPECT_EQ(line["probe"], "a");
    return line["event"].get<std::string>();
  };
  EXPECT_EQ(event(ExecutionStatus::kRan), "probe.success");
  EXPECT_EQ(event(ExecutionStatus::kCacheHit), "probe.cache_hit");
  EXPECT_EQ(event(ExecutionStatus::kSkipped), "probe.skip");
  EXPECT_EQ(event(ExecutionStatus::kFailed), "probe.failure");
}

}  // namespace
}  // namespace airlock::cli

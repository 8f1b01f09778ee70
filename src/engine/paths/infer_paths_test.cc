#include "engine/paths/infer_paths.h"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

namespace airlock {
namespace {

PathList many_paths() {
  constexpr int kPaths = 200'000;
  PathList paths;
  for (int i = 0; i < kPaths; ++i) {
    ++paths.seen;
    paths.add("/data/" + std::to_string(2000 + i % 20) + "/file" + std::to_string(i) + ".csv");
  }
  return paths;
}

TEST(InferFromPaths, SaysHowFarItIsAndEndsWithAllOfThem) {
  const PathList paths = many_paths();
  std::vector<std::size_t> heard;
  const auto report = infer_from_paths(
      paths, {.hint = {}, .name = {}, .on_checked = [&](std::size_t n) { heard.push_back(n); }});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(heard.size(), 3U);
  EXPECT_EQ(heard.back(), paths.size());
}

TEST(InferFromPaths, WhoeverDoesNotWantItAnyMoreGetsAnError) {
  std::stop_source stop;
  const auto report =
      infer_from_paths(many_paths(), {.hint = {},
                                      .name = {},
                                      .on_checked = [&](std::size_t) { stop.request_stop(); },
                                      .stop = stop.get_token()});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("stopped"), std::string::npos);
}

}  // namespace
}  // namespace airlock

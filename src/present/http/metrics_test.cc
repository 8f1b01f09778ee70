#include "present/http/metrics.h"

#include <gtest/gtest.h>

#include "present/http/access_log.h"

namespace airlock::http {
namespace {

TEST(Metrics, RequestsAreCountedByRouteAndStatus) {
  Metrics metrics;
  const Metrics::Done done{.route = "/v1/check",
                           .method = "POST",
                           .status = 200,
                           .took = std::chrono::milliseconds(3),
                           .bytes_in = 10,
                           .bytes_out = 20};
  metrics.count(done);
  metrics.count(done);
  metrics.count(
      {.route = "", .method = "GET", .status = 404, .took = {}, .bytes_in = 0, .bytes_out = 5});
  const std::string text = metrics.text();
  for (const char* line :
       {"airlock_http_requests_total{route=\"/v1/check\",method=\"POST\",status=\"200\"} 2\n",
        "airlock_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 1\n",
        "airlock_http_request_seconds_bucket{route=\"/v1/check\",le=\"0.0025\"} 0\n",
        "airlock_http_request_seconds_bucket{route=\"/v1/check\",le=\"0.005\"} 2\n",
        "airlock_http_request_seconds_bucket{route=\"/v1/check\",le=\"+Inf\"} 2\n",
        "airlock_http_request_seconds_count{route=\"/v1/check\"} 2\n",
        "airlock_http_received_bytes_total 20\n", "airlock_http_sent_bytes_total 45\n"})
    EXPECT_TRUE(text.contains(line)) << line << text;
}

TEST(Metrics, WhatOthersKnowIsAskedForWhenItIsShown) {
  Metrics metrics;
  double open = 1;
  metrics.add({"airlock_sessions_open", "Sessions", "gauge", [&] { return open; }});
  open = 2;
  EXPECT_TRUE(
      metrics.text().contains("# TYPE airlock_sessions_open gauge\nairlock_sessions_open 2\n"));
}

TEST(AccessLog, ALineShowsNothingThatATerminalWouldObey) {
  const auto line =
      AccessLog::request_line("GET", "/a\x1b[31m" + std::string(500, 'b'), 404, 12, 3.14);
  EXPECT_TRUE(line.contains(" GET /a\\x1b[31mbbb")) << line;
  EXPECT_TRUE(line.ends_with("… 404 12 3.1")) << line;
  EXPECT_LT(line.size(), 300);
}

}  // namespace
}  // namespace airlock::http

#include "present/http/metrics.h"

#include <fmt/format.h>

#include <utility>

namespace airlock::http {

namespace {

// Of an address that is not in the table: those are without number, and all the same to us.
constexpr std::string_view kNoRoute = "none";

void append_family(std::string& out, std::string_view name, std::string_view help,
                   std::string_view type) {
  out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void Metrics::count(const Done& done) {
  const std::string route(done.route.empty() ? kNoRoute : done.route);
  const std::scoped_lock held(lock_);
  ++requests_[{route, std::string(done.method), done.status}];
  Latency& latency = latencies_[route];
  ++latency.all;
  latency.seconds += done.took.count();
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (done.took.count() <= kBounds[i]) ++latency.counts[i];
  }
  bytes_in_ += done.bytes_in;
  bytes_out_ += done.bytes_out;
}

void Metrics::add(Gauge gauge) {
  const std::scoped_lock held(lock_);
  gauges_.push_back(std::move(gauge));
}

std::string Metrics::text() const {
  const std::scoped_lock held(lock_);
  std::string out;
  append_family(out, "airlock_http_requests_total",
                "Requests that were answered, or given up (499)", "counter");
  for (const auto& [key, count] : requests_) {
    const auto& [route, method, status] = key;
    out +=
        fmt::format("airlock_http_requests_total{{route=\"{}\",method=\"{}\",status=\"{}\"}} {}\n",
                    route, method, status, count);
  }
  append_family(out, "airlock_http_request_seconds", "From the first byte to the last",
                "histogram");
  for (const auto& [route, latency] : latencies_) {
    for (std::size_t i = 0; i < kBounds.size(); ++i)
      out += fmt::format("airlock_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n",
                         route, kBounds[i], latency.counts[i]);
    out += fmt::format("airlock_http_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n",
                       route, latency.all);
    out += fmt::format("airlock_http_request_seconds_sum{{route=\"{}\"}} {}\n", route,
                       latency.seconds);
    out +=
        fmt::format("airlock_http_request_seconds_count{{route=\"{}\"}} {}\n", route, latency.all);
  }
  append_family(out, "airlock_http_received_bytes_total", "Bytes of the bodies of requests",
                "counter");
  out += fmt::format("airlock_http_received_bytes_total {}\n", bytes_in_);
  append_family(out, "airlock_http_sent_bytes_total", "Bytes of responses", "counter");
  out += fmt::format("airlock_http_sent_bytes_total {}\n", bytes_out_);
  for (const Gauge& gauge : gauges_) {
    append_family(out, gauge.name, gauge.help, gauge.type);
    out += fmt::format("{} {}\n", gauge.name, gauge.value());
  }
  return out;
}

}  // namespace airlock::http

// What the server counts, for /metrics: requests by route and status, how long they took, bytes,
// and what the engine has open. In the text form that Prometheus reads. From any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace airlock::http {

// A number that somebody else knows, asked for when it is shown.
struct Gauge {
  std::string name;  // "airlock_sessions_open"
  std::string help;
  std::string type;  // "gauge" or "counter"
  std::function<double()> value;
};

class Metrics {
 public:
  struct Done {
    std::string_view route;  // as the table has it; empty: there was none
    std::string_view method;
    int status = 0;  // 499: the client had gone
    std::chrono::duration<double> took{};
    std::uint64_t bytes_in = 0;  // of the body
    std::uint64_t bytes_out = 0;
  };
  void count(const Done& done);
  void add(Gauge gauge);

  std::string text() const;

 private:
  // Seconds: a check takes about one millisecond, a piece as long as its timeout.
  static constexpr std::array kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                         0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 60.0};

  struct Latency {
    std::array<std::uint64_t, kBounds.size()> counts{};  // up to each bound, and above the last
    std::uint64_t all = 0;
    double seconds = 0;
  };
  using Key = std::tuple<std::string, std::string, int>;  // route, method, status

  mutable std::mutex lock_;
  std::map<Key, std::uint64_t> requests_;
  std::map<std::string, Latency> latencies_;  // by route
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  std::vector<Gauge> gauges_;
};

}  // namespace airlock::http

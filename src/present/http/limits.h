// How often one client may ask, and how patiently wrong tokens are answered. A client is an address
// (of IPv6 its /64, which one machine has to itself). Time is handed in: pure. By one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace airlock::http {

using TimePoint = std::chrono::steady_clock::time_point;

// A bucket for each client that fills at a steady rate; a request takes one drop. A second's worth
// may come at once.
class RateLimiter {
 public:
  // More clients at once share one bucket: memory stays bounded, and nobody gets in by being many.
  static constexpr std::size_t kMostClients = 4096;

  explicit RateLimiter(double per_second) : rate_(per_second) {}
  bool allow(const std::string& client, TimePoint now);

 private:
  struct Bucket {
    double drops = 0;
    TimePoint seen;
  };
  Bucket& bucket_of(const std::string& client, TimePoint now);

  double rate_;
  std::map<std::string, Bucket> buckets_;
};

// A token of 256 bits is not guessed; who tries is noticed, and does not keep us busy. The first
// few mistakes of a client are answered at once (somebody who pasted the wrong one), the others one
// by one with a pause between them, and those that would wait too long are not heard at all.
class WrongTokens {
 public:
  static constexpr std::uint64_t kAnsweredAtOnce = 10;
  static constexpr auto kPause = std::chrono::milliseconds(50);
  static constexpr auto kLongestWait = std::chrono::seconds(2);
  // After so long without another one a client's mistakes are forgotten.
  static constexpr auto kMemory = std::chrono::minutes(10);
  static constexpr std::size_t kMostClients = 4096;

  struct Mistake {
    std::uint64_t count = 0;             // of this client, with this one
    std::optional<TimePoint> answer_at;  // nothing: it is turned away now
    bool is_worth_a_line = false;        // in the log: the 10th, the 100th, the 1000th, …
  };
  Mistake note(const std::string& client, TimePoint now);

 private:
  struct Client {
    std::uint64_t mistakes = 0;
    TimePoint last;       // when it was heard last
    TimePoint answer_at;  // of the last one that is answered
  };
  std::map<std::string, Client> clients_;
};

}  // namespace airlock::http

// Admission and sanitizing, warm: one admitter and one sanitizer for all rounds, as gather has
// them, beside simdjson's own DOM parse of the same bytes with a parser that is kept as well.
//   bench_admit FILE COUNT
// prints for each round, in microseconds: the parse, the admission, the sanitizing.
#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "admit/admit.h"
#include "admit/sanitize.h"

namespace {

int give_up(const char* why) {
  std::fprintf(stderr, "bench_admit: %s\n", why);
  return 1;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return give_up("FILE COUNT");
  std::ifstream file(words[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const simdjson::padded_string padded(bytes);
  simdjson::dom::parser parser;
  airlock::AdmitLimits limits;
  limits.document_bytes = 1U << 30;
  airlock::Admitter admitter(limits);
  airlock::Sanitizer sanitizer({{"/srv/checkout/repo"}, {}});
  const long rounds = std::strtol(words[2], nullptr, 10);
  // Two rounds that are not counted: buffers grow in them.
  for (long round = -2; round < rounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    if (parser.parse(padded).error()) return give_up("simdjson does not read it");
    const double parse = since(start);
    start = std::chrono::steady_clock::now();
    const auto admitted = admitter.admit(bytes, airlock::Form::kBare);
    const double admit = since(start);
    if (!admitted) return give_up(admitted.error().errors[0].message.c_str());
    start = std::chrono::steady_clock::now();
    const auto sanitized = sanitizer.sanitize(*admitted);
    const double sanitize = since(start);
    if (!sanitized) return give_up("it was not sanitized");
    if (round >= 0) std::printf("%.2f %.2f %.2f\n", parse, admit, sanitize);
  }
  return 0;
}

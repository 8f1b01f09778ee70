// Warm vetting, as a service would do it: one vetter, one file again and again, through the socket.
//   bench_vet HOST FILE COUNT     prints the time for each vet in microseconds, one a line
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "model/policy.h"
#include "run/vetter_client.h"

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: bench_vet HOST FILE COUNT\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[2], std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  auto client =
      airlock::run::VetterClient::start(arguments[1], *airlock::find_builtin_policy("extractor"));
  if (!client || code.empty()) {
    std::fputs("bench_vet: no vetter or no code\n", stderr);
    return 2;
  }
  for (int i = std::atoi(arguments[3]); i > 0; --i) {
    const auto start = std::chrono::steady_clock::now();
    const auto verdict = client->vet(code, {}, airlock::TextKind::kAnswer, std::chrono::seconds(5));
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (!verdict || verdict->decision != airlock::Decision::kAccepted) {
      std::fputs("bench_vet: the file was not accepted\n", stderr);
      return 1;
    }
    std::printf("%.2f\n", took.count());
  }
  return 0;
}

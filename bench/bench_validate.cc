// Warm validation, as a service would do it: one vetter, one chamber, and for each round all of a
// validation: vet and compile, a fresh cell behind its walls, load, and one call for each path.
//   bench_validate HOST FILE COUNT PATH…     prints the time for each round in microseconds, one a
//   line
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "model/policy.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace {

int give_up(const char* why) {
  std::fprintf(stderr, "bench_validate: %s\n", why);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) {
    std::fputs("usage: bench_validate HOST FILE COUNT PATH…\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[2], std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  const airlock::Policy& policy = *airlock::find_builtin_policy("extractor");
  auto chamber = airlock::run::Chamber::start(arguments[1], policy);
  auto vetter = airlock::run::VetterClient::start(arguments[1], policy);
  if (!chamber || !vetter || code.empty() || !(*chamber)->await_ready())
    return give_up("no chamber, no vetter or no code");
  for (int i = std::atoi(arguments[3]); i > 0; --i) {
    const auto start = std::chrono::steady_clock::now();
    const auto verdict = vetter->vet(code, {.security = true, .signature = true, .compile = true},
                                     std::chrono::seconds(5));
    if (!verdict || verdict->decision != airlock::Decision::kAccepted)
      return give_up("the file was not accepted");
    auto cell = (*chamber)->make_cell();
    if (!cell) return give_up("no cell");
    (*chamber)->order_spare({});  // for the next round, as a service would
    if (const auto loaded = (*cell)->load(verdict->compiled, {}); !loaded || !loaded->success)
      return give_up("the code did not load");
    for (int path = 4; path < count; ++path) {
      const auto outcome = (*cell)->call(arguments[path]);
      if (!outcome || !outcome->success) return give_up("a path failed");
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    std::printf("%.2f\n", took.count());
  }
  return 0;
}

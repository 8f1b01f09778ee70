// Warm validation, as a service would do it: one vetter, one chamber, and for each round all of a
// validation: vet and compile, a fresh cell behind its walls, load, one call for each path, the end
// of the cell. Then the second look: the first path again, and once more in a fresh cell.
//   bench_validate HOST FILE COUNT PATH…
// prints for each round, in microseconds: vet, cell, load, calls, end, second look.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "model/policy.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace {

using airlock::run::Cell;
using airlock::run::Chamber;

int give_up(const char* why) {
  std::fprintf(stderr, "bench_validate: %s\n", why);
  return 1;
}

// Prints the time since the last lap.
class Laps {
 public:
  void next(char after) {
    const auto now = std::chrono::steady_clock::now();
    std::printf("%.2f%c", std::chrono::duration<double, std::micro>(now - last_).count(), after);
    last_ = std::chrono::steady_clock::now();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool is_loaded(Cell& cell, const airlock::Vetted& code) {
  return cell.load(code, {}).claims_success();
}

bool answers(Cell& cell, std::span<char* const> paths) {
  for (const char* path : paths) {
    if (!cell.call(path).claims_success()) return false;
  }
  return true;
}

// What went wrong, if anything.
const char* validate(airlock::run::VetterClient& vetter, Chamber& chamber, const std::string& code,
                     std::span<char* const> paths) {
  Laps laps;
  const auto screened = vetter.screen(code, airlock::run::Screening::of_extractors(),
                                      airlock::TextKind::kAnswer, std::chrono::seconds(5));
  if (!screened || !screened->code) return "the file was not accepted";
  laps.next(' ');
  auto cell = chamber.make_cell();
  if (!cell) return "no cell";
  chamber.request_spare_cell({});  // for the next one, as `airlock validate` does
  laps.next(' ');
  if (!is_loaded(**cell, *screened->code)) return "the code did not load";
  laps.next(' ');
  if (!answers(**cell, paths)) return "a path failed";
  laps.next(' ');
  cell->reset();
  laps.next(' ');

  auto first = chamber.make_cell();
  chamber.request_spare_cell({});
  if (!first || !is_loaded(**first, *screened->code) || !answers(**first, paths))
    return "a path failed";
  Laps second_look;
  const auto once = paths.first(1);
  if (!answers(**first, once)) return "a path failed the second time";
  first->reset();
  auto fresh = chamber.make_cell();
  chamber.request_spare_cell({});
  if (!fresh || !is_loaded(**fresh, *screened->code) || !answers(**fresh, once))
    return "a path failed in a fresh cell";
  second_look.next('\n');
  return nullptr;
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
  auto chamber = Chamber::start(arguments[1], policy);
  auto vetter = airlock::run::VetterClient::start(arguments[1], policy);
  if (!chamber || !vetter || code.empty() || !(*chamber)->await_ready())
    return give_up("no chamber, no vetter or no code");
  const std::span<char* const> paths(arguments + 4, static_cast<std::size_t>(count - 4));
  for (int i = std::atoi(arguments[3]); i > 0; --i) {
    if (const char* trouble = validate(*vetter, **chamber, code, paths)) return give_up(trouble);
  }
  return 0;
}

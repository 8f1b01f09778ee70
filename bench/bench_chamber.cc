// The chamber's own costs, apart from any extractor's: a cell asked for and born, a process locking
// itself down as a cell does, a call that does nothing there and back; beside each, the least that
// the kernel asks for the same (a fork of this small process, a byte there and back).
//   bench_chamber HOST COUNT
// prints for each round, in microseconds: cell, bare fork, lock-down, round trip, bare round trip.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/fd.h"
#include "jail/cell_jail.h"
#include "jail/steps.h"
#include "model/policy.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kIdle = "def extract(path: str) -> dict:\n    return {}\n";

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

int give_up(const char* why) {
  std::fprintf(stderr, "bench_chamber: %s\n", why);
  return 1;
}

double bare_fork() {
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  const double took = since(start);
  ::waitpid(child, nullptr, 0);
  return took;
}

// In a child, which tells through shared memory: afterwards it may not even write to a pipe.
double lock_down(const airlock::jail::SeccompFilter& filter) {
  void* shared =
      ::mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return -1;
  auto* took = static_cast<double*>(shared);
  *took = -1;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto limits = airlock::jail::limits_for(airlock::jail::mapped_now(), 100'000'000, 3600);
    if (!airlock::jail::forbid_new_privileges()) ::_exit(1);
    const auto start = Clock::now();
    const bool stands = airlock::jail::lock_down_cell(filter, limits, {}).has_value();
    const double time = since(start);
    if (stands) *took = time;
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  const double result = *took;
  ::munmap(shared, sizeof(double));
  return result;
}

// The far end of a socket that sends every byte back.
class Echo {
 public:
  Echo() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return;
    near_ = airlock::Fd(ends[0]);
    airlock::Fd far(ends[1]);
    child_ = ::fork();
    if (child_ != 0) return;
    near_.reset();
    char byte = 0;
    while (::recv(far.get(), &byte, 1, 0) == 1) ::send(far.get(), &byte, 1, 0);
    ::_exit(0);
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  ~Echo() {
    near_.reset();
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
  }

  // The second of two, as for the cell: the first one has to wake the far end up.
  double there_and_back() {
    char byte = 0;
    Clock::time_point start;
    for (int i = 0; i < 2; ++i) {
      start = Clock::now();
      ::send(near_.get(), &byte, 1, 0);
      ::recv(near_.get(), &byte, 1, 0);
    }
    return since(start);
  }

 private:
  airlock::Fd near_;
  pid_t child_ = -1;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: bench_chamber HOST COUNT\n", stderr);
    return 2;
  }
  Echo echo;  // before anything else is open
  const airlock::Policy& policy = *airlock::find_builtin_policy("extractor");
  auto chamber = airlock::run::Chamber::start(arguments[1], policy);
  auto vetter = airlock::run::VetterClient::start(arguments[1], policy);
  const auto filter = airlock::jail::make_cell_filter(airlock::jail::Calls::kPureText);
  if (!chamber || !vetter || !filter || !(*chamber)->await_ready())
    return give_up("no chamber, no vetter or no filter");
  const auto screened = vetter->screen(kIdle, airlock::run::Screening::of_extractors(),
                                       airlock::TextKind::kAnswer, std::chrono::seconds(5));
  if (!screened || !screened->code) return give_up("nothing to run");
  for (int i = std::atoi(arguments[2]); i > 0; --i) {
    const auto start = Clock::now();
    auto cell = (*chamber)->make_cell();
    const double born = since(start);
    if (!cell) return give_up("no cell");
    const auto loaded = (*cell)->load(*screened->code, {});
    if (!loaded.claims_success() || !(*cell)->call("/a").claims_success())
      return give_up("the cell is idle");
    const auto called = Clock::now();
    if (!(*cell)->call("/a").claims_success()) return give_up("the cell is idle");
    const double round_trip = since(called);
    const double locked = lock_down(*filter);
    if (locked < 0) return give_up("the walls do not stand");
    std::printf("%.2f %.2f %.2f %.2f %.2f\n", born, bare_fork(), locked, round_trip,
                echo.there_and_back());
  }
  return 0;
}

#include "os/hot_pages.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "os/write_all.h"

namespace airlock::os {

namespace {

// Larger ones are addresses that were set aside, of which little is used (sanitizers have
// terabytes).
constexpr std::size_t kLargestPart = 256UL * 1024 * 1024;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

// What a fork shares until it is written to: "rw-p" in the kernel's list.
std::vector<HotPages::Run> HotPages::writable_memory() {
  const std::unique_ptr<FILE, int (*)(FILE*)> list(std::fopen("/proc/self/maps", "re"),
                                                   &std::fclose);
  std::vector<Run> memory;
  std::array<char, 4096> line{};
  while (list != nullptr && std::fgets(line.data(), line.size(), list.get()) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    std::array<char, 5> allowed{};
    // NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers
    if (std::sscanf(line.data(), "%lx-%lx %4s", &begin, &end, allowed.data()) == 3 &&
        std::strcmp(allowed.data(), "rw-p") == 0 && end - begin <= kLargestPart)
      memory.push_back({begin, end - begin});
  }
  return memory;
}

// The pages of this memory that nobody else has.
std::vector<HotPages::Run> HotPages::own_pages(int page_map, const std::vector<Run>& memory) {
  constexpr std::uint64_t kIsPresent = 1ULL << 63U;
  constexpr std::uint64_t kIsOwn = 1ULL << 56U;
  std::vector<Run> runs;
  std::vector<std::uint64_t> entries;
  for (const Run& part : memory) {
    entries.assign(part.bytes / page_size(), 0);
    const std::size_t wanted = entries.size() * sizeof(std::uint64_t);
    const auto place = static_cast<off_t>(part.begin / page_size() * sizeof(std::uint64_t));
    if (::pread(page_map, entries.data(), wanted, place) != static_cast<ssize_t>(wanted)) return {};
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if ((entries[i] & kIsPresent) == 0 || (entries[i] & kIsOwn) == 0) continue;
      const std::uintptr_t begin = part.begin + i * page_size();
      if (!runs.empty() && runs.back().begin + runs.back().bytes == begin) {
        runs.back().bytes += page_size();
      } else {
        runs.push_back({begin, page_size()});
      }
    }
  }
  return runs;
}

// In the child. An empty run says that the files of /proc are open.
void HotPages::teach(const std::function<void()>& work, Fd to) {
  const std::vector<Run> memory = writable_memory();
  const Fd page_map(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  const Run ready;
  if (::write(to.get(), &ready, sizeof ready) != sizeof ready || !page_map.is_open()) ::_exit(1);
  work();
  const std::vector<Run> runs = own_pages(page_map.get(), memory);
  const auto bytes = std::as_bytes(std::span(runs));
  ::_exit(write_all(to.get(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

void HotPages::begin_to_learn(const std::function<void()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  from_child_ = Fd(ends[0]);
  Fd to(ends[1]);
  child_ = ::fork();
  if (child_ == 0) teach(work, std::move(to));
  to.reset();
  Run ready;
  const bool has_begun = child_ > 0 && ::read(from_child_.get(), &ready, sizeof ready) > 0;
  if (!has_begun) end_child(SIGKILL);
}

// Whole ones: their size divides that of a page, and with it what a pipe takes at once.
std::vector<HotPages::Run> HotPages::receive() const {
  std::vector<Run> runs;
  Run run;
  while (::read(from_child_.get(), &run, sizeof run) == static_cast<ssize_t>(sizeof run))
    runs.push_back(run);
  return runs;
}

bool HotPages::are_known() {
  if (child_ <= 0) return !runs_.empty();
  pollfd waiting{from_child_.get(), POLLIN, 0};
  if (::poll(&waiting, 1, 0) == 0) return false;
  // It has done its work and is about to end.
  runs_ = receive();
  end_child(0);
  return !runs_.empty();
}

void HotPages::end_child(int signal) {
  if (child_ > 0) {
    if (signal != 0) ::kill(child_, signal);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  child_ = 0;
  from_child_.reset();
}

HotPages::~HotPages() {
  end_child(SIGKILL);
}

void HotPages::copy() const {
  for (const Run& run : runs_) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of this process, as the kernel gave them
    if (::madvise(reinterpret_cast<void*>(run.begin), run.bytes, MADV_POPULATE_WRITE) != 0) return;
  }
}

}  // namespace airlock::os

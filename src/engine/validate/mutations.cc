#include "engine/validate/mutations.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.h"

namespace airlock {

namespace {

using Segments = std::vector<std::string>;

// splitmix64: a few lines, the same on every machine.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

Segments split(const std::string& path) {
  Segments segments;
  std::size_t start = 0;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', start)) {
    segments.push_back(path.substr(start, at - start));
    start = at + 1;
  }
  segments.push_back(path.substr(start));
  return segments;
}

std::string join(const Segments& segments, std::string_view separator = "/") {
  std::string path;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (i > 0) path += separator;
    path += segments[i];
  }
  return path;
}

// Each run of digits of the path, as [start, end).
std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& path) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = 0; at < path.size();) {
    if (!is_digit(path[at])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < path.size() && is_digit(path[at])) ++at;
    found.emplace_back(start, at);
  }
  return found;
}

// What a number, an extension, a segment or a separator is replaced by: edges of ranges, other
// scripts, combining marks, nothing at all. All of them are known to break parsers.
constexpr std::array<std::string_view, 10> kNumbers = {
    "0", "00", "-1", "9999999999999999999999", "1e9", "13", "\u0663\u0664", "1_000", "", "99"};
constexpr std::array<std::string_view, 9> kExtensions = {
    ".gz", ".tar.gz", "", ".", ".CSV", ".\u00e9t\u00e9", ".py", "..", ".json"};
constexpr std::array<std::string_view, 13> kSegments = {
    "",
    ".",
    "..",
    " ",
    "x",
    "2024",
    "a=b",
    "-",
    "\u00dcn\u00efc\u00f6d\u00e9",
    "\u6771\u4eac",
    "e\u0301",
    "\U0001F680",
    "%20",
};
constexpr std::array<std::string_view, 4> kSeparators = {"\\", "//", " / ", "|"};

std::string replace_extension(const std::string& path, std::string_view extension) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_one = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return (has_one ? path.substr(0, dot) : path) + std::string(extension);
}

std::string change_case(const std::string& path) {
  const bool to_upper = std::ranges::any_of(path, is_lower);
  return to_upper ? upper(path) : lower(path);
}

// The ones worth trying whatever the sample looks like: always first.
std::vector<std::string> standard_mutations(const std::string& sample) {
  Segments segments = split(sample);
  std::vector<std::string> paths = {"", "/", segments.back(), sample + "/",
                                    replace_extension(sample, "")};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].empty()) continue;
    Segments fewer = segments;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    paths.push_back(join(fewer));
  }
  Segments more = segments;
  more.insert(more.end() - 1, "extra");
  paths.push_back(join(more));
  paths.push_back("/extra" + sample);
  paths.push_back(join(segments, "\\"));
  paths.push_back(change_case(sample));
  for (const auto& [start, end] : numbers_in(sample))
    paths.push_back(sample.substr(0, start) + "x" + sample.substr(end));
  paths.push_back(sample + std::string(4096, 'a'));
  paths.emplace_back("\u6771\u4eac/\u00dcbersicht.csv");
  return paths;
}

// One random change.
std::string mutate(std::string path, RandomNumbers& random) {
  Segments segments = split(path);
  const std::size_t at = random.below(segments.size());
  const auto place = segments.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(10)) {
    case 0:
      segments.erase(place);
      return join(segments);
    case 1:
      segments.insert(place, std::string(kSegments[random.below(kSegments.size())]));
      return join(segments);
    case 2:
      *place = kSegments[random.below(kSegments.size())];
      return join(segments);
    case 3:
      std::swap(*place, segments[random.below(segments.size())]);
      return join(segments);
    case 4:
      return join(segments, kSeparators[random.below(kSeparators.size())]);
    case 5:
      return replace_extension(path, kExtensions[random.below(kExtensions.size())]);
    case 6: {
      const auto numbers = numbers_in(path);
      if (numbers.empty()) return path + "1";
      const auto [start, end] = numbers[random.below(numbers.size())];
      return path.replace(start, end - start, kNumbers[random.below(kNumbers.size())]);
    }
    case 7:
      return path.substr(0, random.below(path.size() + 1));
    case 8:
      *place += std::string(1 + random.below(3000), 'z');
      return join(segments);
    default: {
      constexpr std::string_view kOdd = " _-.:=,;#@~'\"\n\t";
      const std::size_t where = random.below(path.size() + 1);
      return path.insert(where, 1, kOdd[random.below(kOdd.size())]);
    }
  }
}

}  // namespace

std::vector<std::string> mutated_paths(std::span<const std::string> samples, std::size_t count,
                                       std::uint64_t seed) {
  std::vector<std::string> paths;
  if (samples.empty()) return paths;
  std::set<std::string> seen(samples.begin(), samples.end());
  const auto add = [&](std::string path) {
    if (paths.size() < count && seen.insert(path).second) paths.push_back(std::move(path));
  };
  for (std::string& path : standard_mutations(samples[0])) add(std::move(path));
  RandomNumbers random(seed);
  // Most tries give a new path; the bound is for samples that have hardly any neighbours.
  for (std::size_t tries = 0; paths.size() < count && tries < count * 20; ++tries) {
    std::string path = samples[random.below(samples.size())];
    for (std::size_t steps = 1 + random.below(3); steps > 0; --steps) path = mutate(path, random);
    add(std::move(path));
  }
  return paths;
}

}  // namespace airlock

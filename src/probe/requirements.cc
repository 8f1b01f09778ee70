#include "probe/requirements.h"

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "base/printable.h"

namespace airlock::probe {

namespace {

using Numbers = std::map<std::string_view, std::size_t>;

std::string in_quotes(std::string_view name) {
  return "'" + printable(name) + "'";
}

UnmetRequirement missing(std::string_view name, std::string_view wanted_by,
                         std::span<const std::string_view> known) {
  std::vector<std::string_view> others(known.begin(), known.end());
  std::erase(others, wanted_by);
  std::string why = "requires " + in_quotes(name) + ", which is not among the probes";
  why += did_you_mean(name, others);
  return {.is_mistake = false, .why = std::move(why)};
}

// The path from `from` back to itself, as numbers without the last one; empty when there is none.
// Visits each probe once: depth first, with a list of its own instead of calls.
std::vector<std::size_t> cycle_through(std::size_t from, std::span<const ProbeInfo> probes,
                                       const Numbers& numbers) {
  struct PathStep {
    std::size_t probe;
    std::size_t next = 0;
  };
  std::vector<bool> seen(probes.size());
  std::vector<PathStep> path{{from}};
  seen[from] = true;
  while (!path.empty()) {
    PathStep& at = path.back();
    const auto& needs = probes[at.probe].requires_probes;
    if (at.next == needs.size()) {
      path.pop_back();
      continue;
    }
    const auto found = numbers.find(needs[at.next++]);
    if (found == numbers.end()) continue;
    if (found->second == from) {
      std::vector<std::size_t> cycle;
      for (const PathStep& step : path) cycle.push_back(step.probe);
      return cycle;
    }
    if (!seen[found->second]) path.push_back({found->second});
    seen[found->second] = true;
  }
  return {};
}

std::string name_cycle(const std::vector<std::size_t>& cycle, std::span<const ProbeInfo> probes) {
  std::string text;
  for (const std::size_t probe : cycle) text += probes[probe].name + " → ";
  return "the requirements " + text + probes[cycle.front()].name + " are a cycle";
}

// A cycle is looked for first: its members are in the probes, and the message names the whole path.
std::optional<UnmetRequirement> judge(std::size_t number, std::span<const ProbeInfo> probes,
                                      const Numbers& numbers,
                                      std::span<const std::string_view> known,
                                      std::span<const std::string_view> built_in) {
  const ProbeInfo& probe = probes[number];
  if (const auto cycle = cycle_through(number, probes, numbers); !cycle.empty())
    return UnmetRequirement{.is_mistake = true, .why = name_cycle(cycle, probes)};
  for (const std::string& need : probe.requires_probes) {
    if (std::ranges::find(built_in, need) != built_in.end()) continue;
    const auto found = numbers.find(need);
    if (found == numbers.end()) return missing(need, probe.name, known);
    if (probe.tier == ProbeTier::kBase && probes[found->second].tier != ProbeTier::kBase) {
      return UnmetRequirement{.is_mistake = true,
                              .why = "a base probe runs first and cannot require " +
                                     in_quotes(need) + ", which is no base probe"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::optional<UnmetRequirement>> unmet_requirements(
    std::span<const ProbeInfo> probes, std::span<const std::string_view> built_in) {
  Numbers numbers;
  std::vector<std::string_view> known(built_in.begin(), built_in.end());
  for (std::size_t i = 0; i < probes.size(); ++i) {
    numbers.emplace(probes[i].name, i);
    known.push_back(probes[i].name);
  }
  std::vector<std::optional<UnmetRequirement>> all;
  for (std::size_t i = 0; i < probes.size(); ++i)
    all.push_back(judge(i, probes, numbers, known, built_in));
  return all;
}

}  // namespace airlock::probe

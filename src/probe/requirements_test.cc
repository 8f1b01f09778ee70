#include "probe/requirements.h"

#include <gtest/gtest.h>

#include <array>

namespace airlock::probe {
namespace {

constexpr std::array<std::string_view, 1> kBuiltIn = {"repository"};

ProbeInfo probe(std::string name, std::vector<std::string> needs,
                ProbeTier tier = ProbeTier::kTaskSpecific) {
  ProbeInfo info;
  info.name = std::move(name);
  info.requires_probes = std::move(needs);
  info.tier = tier;
  return info;
}

std::vector<std::string> words(const std::vector<ProbeInfo>& probes) {
  std::vector<std::string> all;
  for (const auto& unmet : unmet_requirements(probes, kBuiltIn))
    all.push_back(unmet ? (unmet->is_mistake ? "mistake: " : "missing: ") + unmet->why : "");
  return all;
}

using Words = std::vector<std::string>;

TEST(Requirements, ThatAreThereAreMet) {
  EXPECT_EQ(words({probe("a", {"b", "repository"}), probe("b", {})}), (Words{"", ""}));
}

TEST(Requirements, AMissingOneIsNamedWithTheNearest) {
  EXPECT_EQ(words({probe("a", {"licence"}), probe("licences", {})}),
            (Words{"missing: requires 'licence', which is not among the probes; did you mean "
                   "'licences'?",
                   ""}));
}

TEST(Requirements, CyclesAreRefusedByName) {
  EXPECT_EQ(words({probe("a", {"b"}), probe("b", {"c"}), probe("c", {"a"}), probe("d", {"a"})}),
            (Words{"mistake: the requirements a → b → c → a are a cycle",
                   "mistake: the requirements b → c → a → b are a cycle",
                   "mistake: the requirements c → a → b → c are a cycle", ""}));
  EXPECT_EQ(words({probe("a", {"a"})}), (Words{"mistake: the requirements a → a are a cycle"}));
}

TEST(Requirements, ABaseProbeCannotWaitForALaterOne) {
  EXPECT_EQ(
      words({probe("a", {"b"}, ProbeTier::kBase), probe("b", {})}),
      (Words{"mistake: a base probe runs first and cannot require 'b', which is no base probe",
             ""}));
}

}  // namespace
}  // namespace airlock::probe

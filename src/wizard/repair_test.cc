#include "wizard/repair.h"

#include <gtest/gtest.h>

#include "model/rule.h"

namespace airlock::wizard {
namespace {

Verdict undefined(std::string code, const std::vector<std::string>& names) {
  Verdict verdict;
  verdict.code = std::move(code);
  verdict.stage = Stage::kSecurity;
  for (const std::string& name : names) {
    Finding finding;
    finding.rule = &rule(RuleCode::kUndefinedName);
    finding.severity = Severity::kError;
    finding.item = name;
    verdict.findings.push_back(finding);
  }
  return verdict;
}

std::string repaired(std::string code, const std::vector<std::string>& names) {
  const auto repair =
      repair_imports(undefined(std::move(code), names), *find_builtin_policy("extractor"));
  return repair ? repair->code : "nothing";
}

TEST(Repair, AMissingModule) {
  EXPECT_EQ(repaired("re.search('a', p)\n", {"re"}), "import re\nre.search('a', p)\n");
}

TEST(Repair, ANameOfAModule) {
  EXPECT_EQ(repaired("Path(p)\n", {"Path"}), "from pathlib import Path\nPath(p)\n");
  EXPECT_EQ(repaired("Dict\n", {"Dict"}), "from typing import Dict\nDict\n");
  EXPECT_EQ(repaired("timedelta(1)\n", {"timedelta"}),
            "from datetime import timedelta\ntimedelta(1)\n");
}

TEST(Repair, AModuleAndAClassOfOneName) {
  EXPECT_EQ(repaired("datetime.strptime(a, b)\n", {"datetime"}),
            "from datetime import datetime\ndatetime.strptime(a, b)\n");
  EXPECT_EQ(repaired("datetime.datetime.strptime(a, b)\n", {"datetime"}),
            "import datetime\ndatetime.datetime.strptime(a, b)\n");
}

TEST(Repair, BehindTheFuture) {
  EXPECT_EQ(repaired("from __future__ import annotations\nre\n", {"re"}),
            "from __future__ import annotations\nimport re\nre\n");
}

TEST(Repair, EachOnce) {
  EXPECT_EQ(repaired("re\n", {"re", "re"}), "import re\nre\n");
}

TEST(Repair, WhatThePolicyDoesNotHaveIsNotAdded) {
  EXPECT_EQ(repaired("os.system('x')\n", {"os"}), "nothing");
  EXPECT_EQ(repaired("frobnicate(re)\n", {"re", "frobnicate"}), "nothing");
}

TEST(Repair, NothingElseIsTouched) {
  Verdict verdict = undefined("re\n", {"re"});
  Finding other;
  other.rule = &rule(RuleCode::kForbiddenImport);
  other.severity = Severity::kError;
  verdict.findings.push_back(other);
  EXPECT_FALSE(repair_imports(verdict, *find_builtin_policy("extractor")));
}

}  // namespace
}  // namespace airlock::wizard

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

TEST(ImportRepair, AMissingModule) {
  EXPECT_EQ(repaired("re.search('a', p)\n", {"re"}), "import re\nre.search('a', p)\n");
}

TEST(ImportRepair, ANameOfAModule) {
  EXPECT_EQ(repaired("Path(p)\n", {"Path"}), "from pathlib import Path\nPath(p)\n");
  EXPECT_EQ(repaired("Dict\n", {"Dict"}), "from typing import Dict\nDict\n");
  EXPECT_EQ(repaired("timedelta(1)\n", {"timedelta"}),
            "from datetime import timedelta\ntimedelta(1)\n");
}

TEST(ImportRepair, AModuleAndAClassOfOneName) {
  EXPECT_EQ(repaired("datetime.strptime(a, b)\n", {"datetime"}),
            "from datetime import datetime\ndatetime.strptime(a, b)\n");
  EXPECT_EQ(repaired("datetime.datetime.strptime(a, b)\n", {"datetime"}),
            "import datetime\ndatetime.datetime.strptime(a, b)\n");
}

TEST(ImportRepair, BehindTheFuture) {
  EXPECT_EQ(repaired("from __future__ import annotations\nre\n", {"re"}),
            "from __future__ import annotations\nimport re\nre\n");
}

TEST(ImportRepair, BehindTheFutureInParentheses) {
  EXPECT_EQ(repaired("from __future__ import (\n    annotations,\n)\nre\n", {"re"}),
            "from __future__ import (\n    annotations,\n)\nimport re\nre\n");
}

TEST(ImportRepair, BehindADocstring) {
  EXPECT_EQ(repaired("\"\"\"Doc.\nfrom __future__ x\n\"\"\"\nre\n", {"re"}),
            "\"\"\"Doc.\nfrom __future__ x\n\"\"\"\nimport re\nre\n");
}

TEST(ImportRepair, OsWhereItsPathWasMeant) {
  Verdict verdict = undefined("import os\nos.path.basename(p)\n", {});
  Finding finding;
  finding.rule = &rule(RuleCode::kForbiddenImport);
  finding.severity = Severity::kError;
  finding.item = "os";
  verdict.findings.push_back(finding);
  const auto repair = repair_imports(verdict, *find_builtin_policy("extractor"));
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->code, "import os.path\nos.path.basename(p)\n");
}

TEST(ImportRepair, EachOnce) {
  EXPECT_EQ(repaired("re\n", {"re", "re"}), "import re\nre\n");
}

TEST(ImportRepair, WhatThePolicyDoesNotHaveIsNotAdded) {
  EXPECT_EQ(repaired("os.system('x')\n", {"os"}), "nothing");
  EXPECT_EQ(repaired("frobnicate(re)\n", {"re", "frobnicate"}), "nothing");
}

TEST(ImportRepair, NothingElseIsTouched) {
  Verdict verdict = undefined("re\n", {"re"});
  Finding other;
  other.rule = &rule(RuleCode::kForbiddenImport);
  other.severity = Severity::kError;
  other.item = "socket";
  verdict.findings.push_back(other);
  EXPECT_FALSE(repair_imports(verdict, *find_builtin_policy("extractor")));
}

}  // namespace
}  // namespace airlock::wizard

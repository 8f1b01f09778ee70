// One running interpreter and one vetter with the built-in policy for all tests of vet/.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "model/rule.h"
#include "support/running_interpreter.h"
#include "vet/vetter.h"

namespace airlock::vet::test {

using python::test::start_interpreter;

inline const Vetter& vetter() {
  start_interpreter();
  static const Vetter only(*find_builtin_policy("extractor"));
  return only;
}

inline Verdict vet(std::string_view code, Stages stages = {}) {
  return vetter().vet(code, stages);
}

// Judges `body` as the security stage alone would.
inline Verdict scan(std::string_view code) {
  return vet(code, {.security = true, .signature = false});
}

// "AL201 os 1:0" for every error, in order.
inline std::vector<std::string> errors_of(const Verdict& verdict) {
  std::vector<std::string> lines;
  for (const Finding& one : verdict.findings) {
    if (one.severity != Severity::kError) continue;
    lines.push_back(std::string(one.rule->name) + " " + one.item + " " +
                    std::to_string(one.place.line) + ":" + std::to_string(one.place.column));
  }
  return lines;
}

// What a stage says about a piece of code; no errors: it is accepted.
struct Case {
  std::string_view code;
  std::vector<std::string> errors;
};

inline void expect_scanned(std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(errors_of(scan(one.code)), one.errors) << one.code;
}

inline void expect_accepted(std::initializer_list<std::string_view> codes) {
  for (const std::string_view code : codes)
    EXPECT_EQ(errors_of(scan(code)), std::vector<std::string>()) << code;
}

inline bool has(const Verdict& verdict, RuleCode code) {
  return std::ranges::any_of(verdict.findings,
                             [&](const Finding& one) { return one.rule->code == code; });
}

}  // namespace airlock::vet::test

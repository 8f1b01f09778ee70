// airlock extractors reapprove: what was approved, approved once more under the policy and
// interpreter of now. Each extractor is tried on its samples, what is different is shown, and a
// person says yes: at the terminal for each, or with --yes for all.
#pragma once

#include <string>

#include "base/result.h"
#include "model/draft.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

struct ReapproveArguments {
  std::string name = {};  // "sales" or "sales@2"; empty: `all`
  bool all = false;       // the newest version of each name whose receipt does not hold
  bool yes = false;
  ReviewNote review = {};  // of whoever says yes
  Format format = Format::kText;
};

// The exit code: 0 when all were approved or hold already.
Result<int> reapprove(const ReapproveArguments& arguments, const Environment& environment);

}  // namespace airlock::cli

// First stage: from raw bytes to a tree, or to the finding that says why there is none.
#pragma once

#include <optional>
#include <string_view>

#include "model/policy.h"
#include "model/verdict.h"
#include "python/tree.h"

namespace airlock::vet {

struct Reading {
  std::string code;  // cleaned
  LineMap lines;
  std::vector<Finding> findings;  // notes of the cleaning; an error when there is no tree
  std::optional<python::Tree> tree;
};

Reading read_source(std::string_view raw, const VetLimits& limits);

}  // namespace airlock::vet

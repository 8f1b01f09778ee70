// First stage: from raw bytes to a tree, or to the finding that says why there is none.
//
// (1) Text that is Python as it stands is read as it stands, whole, whoever sent it.
// (2) A limit that the raw text meets (size, nesting, encoding) ends the reading with a finding: a
//     text that we could not read to its end is no answer with a fence in it.
// (3) Of a program nothing is cut or replaced; an answer is cleaned.
#pragma once

#include <optional>
#include <string_view>

#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "python/tree.h"

namespace airlock::vet {

struct Reading {
  std::string code;  // cleaned
  LineMap lines;
  std::vector<Finding> findings;  // notes of the cleaning; an error when there is no tree
  std::optional<python::Tree> tree;
};

// `raw` is hostile: any bytes, any length. Every text gives a Reading; when `tree` is empty, the
// last finding says why. The interpreter must be running (python/tree.h).
Reading read_source(std::string_view raw, const VetLimits& limits, TextKind kind);

}  // namespace airlock::vet

// The outer door: raw text in, Verdict out. Cleans, parses, judges; executes nothing.
//
// Runs in the vetter process, after its lock-down, one Vetter per policy. The text is hostile: any
// bytes, any length; size and nesting are limited before CPython's parser sees it. Every text gets
// a verdict: what cannot be read is a finding, not an Error. Not thread-safe (CPython's parser is
// not).
#pragma once

#include <memory>
#include <string_view>

#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "vet/facts/policy_index.h"

namespace airlock::vet {

class Vetter {
 public:
  // The interpreter must be running, and `policy` must outlive the vetter.
  explicit Vetter(const Policy& policy) : policy_(policy) {}

  // `raw` is hostile: any bytes, any length.
  Verdict vet(std::string_view raw, Stages stages, TextKind kind = TextKind::kAnswer) const;

 private:
  PolicyIndex policy_;
};

}  // namespace airlock::vet

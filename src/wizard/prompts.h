// What a model is told. The first prompt is made from the policy in force; a retry adds what was
// wrong, in fixed words. Paths are data: JSON strings, one a line, between two marks, so that no
// path can look like an instruction. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llm/model.h"
#include "model/finding.h"
#include "model/policy.h"
#include "rules/infer/infer.h"

namespace airlock::wizard {

inline constexpr std::size_t kMostPathsSent = 20;

struct PromptFacts {
  const Policy& policy;
  std::string_view hint;
  std::span<const std::string> paths;  // at most kMostPathsSent of them are sent, evenly spread
  std::span<const rules::InferredRule> rules;
};

struct FirstPrompt {
  llm::Prompt prompt;
  std::size_t redactions = 0;  // secrets and names of users that were taken out
  std::size_t paths = 0;       // that are in it
};

FirstPrompt first_prompt(const PromptFacts& facts);

// Those of the paths that are in it, in the form in which they are: without secrets, names of users
// and what is too long. This is all of them that a model ever gets, so it is what a program runs on
// when a retry is to tell what came of it.
std::vector<std::string> sent_paths(std::span<const std::string> paths);

// What a retry adds behind the user's part of the first prompt. `context`: of
// engine/retry/retry_context.h, which begins with the stage's own words. `sent`: the
// paths as they were sent. It must not be made from anything else: what a retry says depends on
// nothing that a model was not shown.
std::string retry_text(Stage stage, std::string_view context, std::span<const std::string> sent);

}  // namespace airlock::wizard

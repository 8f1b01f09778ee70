// A rule from one path alone. One path says nothing about what varies, so it is compared with
// templates of layouts that are often met, and else judged segment by segment: a date is a date
// even alone. Called by engine/paths/infer_paths when there is a single sample.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/infer/infer.h"

namespace airlock::rules {

struct TemplateMatch {
  std::string title;  // "mission/date"
  InferredRule rule;
};

// Nothing when no segment says what it is.
std::optional<TemplateMatch> match_template(std::string_view path);

}  // namespace airlock::rules

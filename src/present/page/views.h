// The parts of a page that show one thing each: code with its findings, answers as a table, what
// changed, what a policy grants. Pure: values in, HTML out. Whatever the values hold is text, and
// as much of it is shown as a screen can take; what is left out is said.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/approve/review.h"
#include "engine/bulk/schema.h"
#include "model/draft.h"
#include "model/finding.h"
#include "model/policy.h"
#include "model/validation.h"
#include "present/page/html.h"

namespace airlock::page {

// Every text that validation lets through fits; what is longer is cut with a mark.
inline constexpr std::size_t kMostShownLines = 8000;
inline constexpr std::size_t kMostShownBytes = std::size_t{512} * 1024;
inline constexpr std::size_t kLongestShownLine = std::size_t{16} * 1024;
inline constexpr std::size_t kMostShownRows = 500;
inline constexpr std::size_t kMostShownColumns = 60;
inline constexpr std::size_t kLongestShownCell = 400;

// Whether code_view() shows all of it.
bool is_shown_whole(std::string_view text);

// With line numbers that can be linked to (#L12), colours, and findings in the margin.
Html code_view(std::string_view text, OutputKind kind, std::span<const Finding> findings);

// A row a sample, those that failed first, a column for each field with its type.
Html answers_view(std::span<const SampleResult> results);

// What is different from the version before: lines side by side, folded where nothing changed.
Html code_changes_view(std::string_view before, std::string_view after);
struct ChangedLines {
  std::size_t added = 0;
  std::size_t removed = 0;
};
ChangedLines count_changes(std::string_view before, std::string_view after);

// Fields that differ, and the answers that do, old and new.
Html answer_changes_view(const Comparison& answers);

// What the policy opens, what may be imported, the limits; null: it is a rule, which runs nothing.
Html policy_view(const Policy* policy, const std::string& name);

}  // namespace airlock::page

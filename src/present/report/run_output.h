// The reports of `airlock run`, as JSON and for people. A result is printed as the JSON text that
// the node gave, never parsed and written again: numbers keep their digits. Pure functions.
#pragma once

#include <span>
#include <string>

#include "flow/document.h"
#include "flow/run_flow.h"
#include "present/report/style.h"

namespace airlock::cli {

struct RunFacts {
  std::string run_id;  // empty: not recorded
};

std::string run_as_json(const flow::Flow& flow, const flow::FlowReport& report,
                        const RunFacts& facts);
std::string run_as_text(const flow::Flow& flow, const flow::FlowReport& report,
                        const RunFacts& facts, Colour colour);

// A document that cannot be run.
std::string problems_as_json(std::span<const flow::FlowProblem> problems);
std::string problems_as_text(std::span<const flow::FlowProblem> problems, Colour colour);

// Text of several lines, each made safe to show.
std::string safe_lines(std::string_view text, std::string_view indent);

}  // namespace airlock::cli
